// Fuzzes servers of its own with requests made from the contract: `npm run fuzz`, `npm run fuzz -- --requests 500000 --seed 7
// --json`. With `--cost` it measures the CPU time of the costliest requests instead.
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type Cleanup, type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { runnableProgram } from '../tests/support/compiled-program.ts'
import { startOwnPostgres } from '../tests/support/own-postgres.ts'
import { runCost } from './cost.ts'
import { type Report, summarise } from './report.ts'
import type { Share } from './worker.ts'

const MAX_WORKERS = 4
/** A worker uses consecutive seeds; this gap keeps those of the next worker apart. */
const SEEDS_APART = 10_000_000
/** Requests to pages cost more than those to the APIs. */
const PAGES_SHARE = 0.1
const WORKER_ENDS_MS = 10_000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
    cost: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
})
const requests = wholeNumber('requests', values.requests)
const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber('seed', values.seed)

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  console.error(`--${name} ${text}: a whole number above 0 is needed.`)
  process.exit(2)
}

/** With --json, standard output holds only the last line. */
const say = values.json ? console.error : console.log
const reports = new Map<string, Report>()
/** When the first requests were answered: starting the servers does not count. */
let begun = performance.now()
const elapsedS = () => (performance.now() - begun) / 1000

function progress(): void {
  const done = [...reports.values()].reduce((sum, { totals }) => sum + totals.requests, 0)
  const rate = done / elapsedS()
  const left = Math.max(0, Math.ceil((requests - done) / Math.max(rate, 1)))
  process.stderr.write(`\r${done} of ${requests} requests, ${Math.round(rate)} a second, ${left} s left   `)
}

/** Runs a worker. True if it finished. */
async function runWorker(defer: Defer, number: number, share: Share): Promise<boolean> {
  const { file, execArgv } = runnableProgram('fuzzWorker')
  const child = fork(file, [JSON.stringify(share)], { execArgv })
  const gone = once(child, 'exit')
  defer(async () => {
    child.kill() // it cleans up first
    const late = setTimeout(() => child.kill('SIGKILL'), WORKER_ENDS_MS)
    await gone
    clearTimeout(late)
  })
  child.on('message', (report: Report) => {
    if (reports.size === 0) begun = performance.now()
    reports.set(`${number} ${report.side}`, report)
  })
  const [code] = await gone
  return code === 0
}

async function main({ defer, isCleaningUp }: Cleanup): Promise<number> {
  await startOwnPostgres(defer, 'fuzz')
  const ticking = setInterval(progress, 1000)
  defer(() => clearInterval(ticking))
  say(`seed ${seed} (the same again: --seed ${seed} --requests ${requests})`)
  const workers = Math.min(MAX_WORKERS, availableParallelism(), Math.ceil(requests / 1000))
  const each = Math.ceil(requests / workers)
  const pages = Math.round(each * PAGES_SHARE)
  const share = (at: number): Share => ({ API: each - pages, pages, seed: seed + at * SEEDS_APART })
  const ended = await Promise.all(Array.from({ length: workers }, (_, at) => runWorker(defer, at, share(at))))
  if (isCleaningUp()) return 1 // an interrupted run proves nothing
  const planned = { API: workers * (each - pages), pages: workers * pages }
  const run = { planned, seed, seconds: elapsedS(), ended: ended.every(Boolean) }
  const { lines, sum } = summarise([...reports.values()], run)
  for (const line of lines) say(line)
  if (values.json) console.log(JSON.stringify(sum))
  return sum.faults > 0 ? 1 : 0
}

await runWithCleanup(values.cost ? (cleanup) => runCost(cleanup, { seed, json: values.json, only: values.only }) : main)
