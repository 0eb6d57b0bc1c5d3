// Requests made from the contract, against servers of its own: `npm run fuzz`, `npm run fuzz -- --requests 500000 --seed 7 --json`.
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startTestServer } from '../tests/support/cluster.ts'
import { TEST_SERVER } from '../tests/support/database.ts'
import { type Report, summarise } from './report.ts'
import type { Share } from './worker.ts'

const MOST_WORKERS = 4
/** Seeds of one worker are consecutive, so those of the next begin where none comes to. */
const SEEDS_APART = 10_000_000
/** People come less often than programs, and each of their requests costs more. */
const PAGES_SHARE = 0.1

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
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
async function runWorker(number: number, share: Share): Promise<boolean> {
  const file = fileURLToPath(new URL('./worker.ts', import.meta.url))
  const child = fork(file, [JSON.stringify(share)], { execArgv: ['--import', 'tsx'] })
  child.on('message', (report: Report) => {
    if (reports.size === 0) begun = performance.now()
    reports.set(`${number} ${report.side}`, report)
  })
  const [code] = await once(child, 'exit')
  return code === 0
}

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-fuzz-'))
  await chmod(folder, 0o711)
  const cluster = await startTestServer(join(folder, 'data'))
  const ticking = setInterval(progress, 1000)
  try {
    process.env[TEST_SERVER] = JSON.stringify(cluster.server)
    say(`seed ${seed} (the same again: --seed ${seed} --requests ${requests})`)
    const workers = Math.min(MOST_WORKERS, availableParallelism(), Math.ceil(requests / 1000))
    const each = Math.ceil(requests / workers)
    const pages = Math.round(each * PAGES_SHARE)
    const share = (at: number): Share => ({ API: each - pages, pages, seed: seed + at * SEEDS_APART })
    const ended = await Promise.all(Array.from({ length: workers }, (_, at) => runWorker(at, share(at))))
    const asked = { API: workers * (each - pages), pages: workers * pages }
    const run = { asked, seed, seconds: elapsedS(), ended: ended.every(Boolean) }
    const { lines, sum } = summarise([...reports.values()], run)
    for (const line of lines) say(line)
    if (values.json) console.log(JSON.stringify(sum))
    return sum.faults > 0 ? 1 : 0
  } finally {
    clearInterval(ticking)
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
