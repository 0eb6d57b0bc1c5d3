// npm run bench:growth [-- --10m]: a page of inquiries while there are more and more of them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Client, startClient } from './client/process.ts'
import { type Market, openMarket } from './growth/market.ts'
import { plotGrowth } from './growth/plot.ts'
import { aimedAt, type Growth, publishGrowth, type Size, terminalGrowth } from './growth/report.ts'
import { roomFor } from './inquiries/load.ts'
import { describeMachine } from './machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

const SIZES = [10_000, 100_000, 1_000_000]
const LARGEST = 10_000_000 // by --10m: half an hour and 25 GiB
const WARM_MS = 3_000
/** Short and many, and of all sizes in turn: what else the machine does comes and goes, and falls on each alike. */
const ROUNDS = 40
const ROUND_MS = 150

const sizes = process.argv.includes('--10m') ? [...SIZES, LARGEST] : SIZES
const missing = await roomFor(
  sizes.reduce((sum, count) => sum + count, 0),
  tmpdir(),
)
if (missing) {
  say(missing)
  process.exit(1)
}
execFileSync(process.execPath, [here('../scripts/build.js')], { stdio: 'inherit' })

const markets: Market[] = []
const client = startClient()
let measured: Size[]
try {
  for (const count of sizes) {
    markets.push(await openMarket(count))
    say(`${count.toLocaleString('en').padStart(10)} loaded in ${Math.round(markets.at(-1)?.loadSeconds ?? 0)} s`)
  }
  measured = await measure(markets, client)
} finally {
  await client.stop()
  for (const market of markets) await market.close()
}

const growth: Growth = { date: new Date().toISOString().slice(0, 10), machine: describeMachine(), sizes: measured }
say(`\n${terminalGrowth(growth)}`)
mkdirSync(here('./results'), { recursive: true })
writeFileSync(here('./results/growth.json'), `${JSON.stringify(growth, null, 2)}\n`)
writeFileSync(here('../docs/growth.svg'), plotGrowth(measured))
publishGrowth(growth, here('../docs/benchmarks.md'))
process.exitCode = aimedAt(growth) ? 0 : 1

async function measure(markets: Market[], client: Client): Promise<Size[]> {
  const taken = markets.map(() => ({ largest: [] as number[], others: [] as number[], last: [] as number[] }))
  for (const market of markets) await market.timePages(client, [...market.largest, ...market.others], WARM_MS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, market] of markets.entries()) {
      taken[at]?.largest.push(await market.timePages(client, market.largest, ROUND_MS))
      taken[at]?.others.push(await market.timePages(client, market.others, ROUND_MS))
      taken[at]?.last.push(await market.timePages(client, market.last, ROUND_MS))
    }
  }
  return markets.map(({ count, agencies, loadSeconds }, at) => ({
    count,
    agencies,
    loadSeconds,
    largest: least(taken[at]?.largest),
    others: least(taken[at]?.others),
    last: least(taken[at]?.last),
  }))
}

/** The tenth part from below: what else the machine does only ever adds, and the very least is luck. */
function least(values: number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0
}
