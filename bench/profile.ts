// npm run bench:profile [-- subject …]: where our server's time goes, by parts and as flame graphs; the others stay as they were.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install } from './installation.ts'
import { endAllWhenInterrupted, unlessInterrupted } from './interrupted.ts'
import { describeMachine } from './machine.ts'
import { draw, type Profiles, publishProfiles, type Shares, sharesIn, tableOf } from './profile/report.ts'
import { SUBJECTS } from './profile/subjects.ts'
import { aligned } from './report/tables.ts'
import type { Bench } from './scenario.ts'
import { shareRows } from './shared-rows.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)
const began = performance.now()
const progress = (line: string) => say(`[${Math.round((performance.now() - began) / 1000)} s]  ${line}`)

/** Inquiries, and deliveries in the log: a tenth of the bench's, since what Node does for a page does not depend on it. */
const ROWS = 100_000

const named = process.argv.slice(2)
const unknown = named.filter((name) => !SUBJECTS.some((subject) => subject.name === name))
if (unknown.length > 0) {
  say(`There is no ${unknown.join(', ')}. There are: ${SUBJECTS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

endAllWhenInterrupted()
execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' }) // what is measured is what stands in src/
const installation = await install()
const shared = shareRows({ installation, count: ROWS, progress, both: named.length === 0 })
const bench: Bench = { installation, progress, ...shared }
const docs = here('../docs/')
const measured: Shares[] = []
try {
  for (const subject of SUBJECTS.filter(({ name }) => named.length === 0 || named.includes(name))) {
    const profiled = await subject.profile(bench)
    await unlessInterrupted()
    draw(subject, profiled, docs)
    measured.push(sharesIn(subject, profiled))
    progress(`${subject.name}  ${profiled.count.toLocaleString('en')} profiled`)
  }
} finally {
  await installation.remove()
}

await unlessInterrupted()
const kept = here('./results/profile.json')
const former = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Partial<Profiles>) : {}
const all = [...measured, ...(former.subjects ?? [])]
const subjects = SUBJECTS.flatMap(({ name, title }) =>
  all
    .filter((each) => each.name === name)
    .slice(0, 1)
    .map((newest) => ({ ...newest, title })),
)
const profiles: Profiles = { date: new Date().toISOString().slice(0, 10), machine: describeMachine(), subjects }
mkdirSync(here('./results'), { recursive: true })
writeFileSync(kept, `${JSON.stringify(profiles, null, 2)}\n`)
publishProfiles(profiles, docs)
say(`\n${aligned(tableOf(measured))}\n\nThe profiler makes each cost more: read the shares, not the sums.`)
