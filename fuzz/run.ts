// Requests made from the contract, against servers of its own: `npm run fuzz`, `npm run fuzz -- --requests 500000 --seed 7 --json`,
// and what the costliest ones cost: `npm run fuzz -- --cost`.
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type Cleanup, type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { asNodeReads } from '../tests/support/our-program.ts'
import { startOwnServer } from '../tests/support/own-server.ts'
import { runCost } from './cost.ts'
import { type Report, summarise } from './report.ts'
import type { Share } from './worker.ts'

const MOST_WORKERS = 4
/** Seeds of one worker are consecutive, so those of the next begin where none comes to. */
const SEEDS_APART = 10_000_000
/** People come less often than programs, and each of their requests costs more. */
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

/** With --json standard output is for the last line alone. */
const say = values.json ? console.error : console.log
const reports = new Map<string, Report>()
/** When the first requests were answered: servers take a moment to begin. */
let begun = performance.now()
const elapsedS = () => (performance.now() - begun) / 1000

function progress(): void {
  const done = [...reports.values()].reduce((sum, { totals }) => sum + totals.requests, 0)
  const rate = done / elapsedS()
  const left = Math.max(0, Math.ceil((requests - done) / Math.max(rate, 1)))
  process.stderr.write(`\r${done} of ${requests} requests, ${Math.round(rate)} a second, ${left} s left   `)
}

/** Runs one worker to its end; whether it came to it. */
async function runWorker(defer: Defer, number: number, share: Share): Promise<boolean> {
  const { file, execArgv } = asNodeReads('fuzzWorker')
  const child = fork(file, [JSON.stringify(share)], { execArgv })
  const gone = once(child, 'exit')
  defer(async () => {
    child.kill() // it ends its own first
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
  await startOwnServer(defer, 'fuzz')
  const ticking = setInterval(progress, 1000)
  defer(() => clearInterval(ticking))
  say(`seed ${seed} (the same again: --seed ${seed} --requests ${requests})`)
  const workers = Math.min(MOST_WORKERS, availableParallelism(), Math.ceil(requests / 1000))
  const each = Math.ceil(requests / workers)
  const pages = Math.round(each * PAGES_SHARE)
  const share = (at: number): Share => ({ API: each - pages, pages, seed: seed + at * SEEDS_APART })
  const ended = await Promise.all(Array.from({ length: workers }, (_, at) => runWorker(defer, at, share(at))))
  if (isCleaningUp()) return 1 // it was interrupted, and shows nothing
  const asked = { API: workers * (each - pages), pages: workers * pages }
  const run = { asked, seed, seconds: elapsedS(), ended: ended.every(Boolean) }
  const { lines, sum } = summarise([...reports.values()], run)
  for (const line of lines) say(line)
  if (values.json) console.log(JSON.stringify(sum))
  return sum.faults > 0 ? 1 : 0
}

await runWithCleanup(values.cost ? (cleanup) => runCost(cleanup, { seed, json: values.json, only: values.only }) : main)
