// npm run bench:growth [-- --quick | --10m] [inquiries agencies webhooks events]: what operations cost while there is more
// and more of something.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { agencies } from './growth/agencies.ts'
import { events } from './growth/events.ts'
import { measureInquiries } from './growth/inquiries.ts'
import { type Growth, isFlat, publishGrowth, terminalGrowth } from './growth/report.ts'
import { measureSeries, type Series } from './growth/series.ts'
import { webhooks } from './growth/webhooks.ts'
import { roomFor } from './inquiries/load.ts'
import { endAllWhenInterrupted, unlessInterrupted } from './interrupted.ts'
import { describeMachine } from './machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)
const began = performance.now()
const progress = (line: string) => say(`[${Math.round((performance.now() - began) / 1000)} s]  ${line}`)

/** `--quick`: two sizes each, to see that it works. `--10m`: ten million inquiries too, half an hour and 25 GiB. */
const SIZES = {
  inquiries: { quick: [1_000, 10_000], usual: [10_000, 100_000, 1_000_000], most: [10_000_000] },
  agencies: { quick: [100, 1_000], usual: [100, 1_000, 10_000, 100_000], most: [] },
  webhooks: { quick: [1, 100], usual: [1, 100, 1_000, 10_000], most: [] },
  events: { quick: [1_000, 10_000], usual: [10_000, 100_000, 1_000_000], most: [] },
}
type Name = keyof typeof SIZES
const NAMES = Object.keys(SIZES) as Name[]

const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('--'))
const named = args.filter((arg) => !arg.startsWith('--'))
const unknown = [
  ...flags.filter((flag) => !['--quick', '--10m'].includes(flag)),
  ...named.filter((name) => !NAMES.includes(name as Name)),
]
if (unknown.length > 0) {
  say(`There is no ${unknown.join(', ')}. There are: --quick, --10m, ${NAMES.join(', ')}.`)
  process.exit(2)
}
const quick = flags.includes('--quick')
const sizesOf = (name: Name): number[] => {
  const { quick: few, usual, most } = SIZES[name]
  if (quick) return few
  return flags.includes('--10m') ? [...usual, ...most] : usual
}
const wanted = NAMES.filter((name) => named.length === 0 || named.includes(name))
const missing = await roomFor(
  wanted.flatMap(sizesOf).reduce((sum, count) => sum + count, 0),
  tmpdir(),
)
if (missing) {
  say(missing)
  process.exit(1)
}
endAllWhenInterrupted()
execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' })

const MEASURE: Record<Name, (sizes: number[]) => Promise<Series>> = {
  inquiries: (sizes) => measureInquiries(sizes, progress),
  agencies: (sizes) => measureSeries(agencies(sizes), progress),
  webhooks: (sizes) => measureSeries(webhooks(sizes), progress),
  events: (sizes) => measureSeries(events(sizes), progress),
}
const measured: Series[] = []
for (const name of wanted) measured.push(await MEASURE[name](sizesOf(name)))

await unlessInterrupted()
// What was measured before and not now stays as it was.
const kept = here('./results/growth.json')
const former = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Partial<Growth>) : {}
const series = NAMES.flatMap((name) => [...measured, ...(former.series ?? [])].find((each) => each.name === name) ?? [])
const growth: Growth = { date: new Date().toISOString().slice(0, 10), machine: describeMachine(), series }
say(`\n${terminalGrowth({ ...growth, series: measured })}`)
if (!quick) {
  mkdirSync(here('./results'), { recursive: true })
  writeFileSync(kept, `${JSON.stringify(growth, null, 2)}\n`)
  publishGrowth(growth, here('../docs/'))
}
process.exitCode = quick || isFlat(measured) ? 0 : 1 // two small sizes are there to see that it works
