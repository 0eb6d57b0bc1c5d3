// Requests made from the contract, against servers of its own: `npm run fuzz`, `npm run fuzz -- --requests 500000 --seed 7 --json`.
import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { aligned } from '../drills/table.ts'
import { startTestServer } from '../tests/support/cluster.ts'
import { TEST_SERVER } from '../tests/support/database.ts'
import type { Found, Totals } from './campaign.ts'
import { OPERATIONS } from './contract.ts'
import type { Report, Share } from './worker.ts'

const MOST_WORKERS = 4
/** Seeds of one worker are consecutive, so those of the next begin where none comes to. */
const SEEDS_APART = 10_000_000
const LONGEST_CURL = 4_000
/** Of so many requests each operation must have taken (2xx) one at least: what is only ever refused shows no fault. */
const REQUESTS_FOR_ONE_TAKEN = 5_000

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

const sum = (count: (totals: Totals) => number): number =>
  [...reports.values()].reduce((all, { totals }) => all + count(totals), 0)

function progress(): void {
  const done = sum((totals) => totals.requests)
  const rate = done / ((performance.now() - begun) / 1000)
  const left = Math.max(0, Math.ceil((requests - done) / Math.max(rate, 1)))
  process.stderr.write(`\r${done} of ${requests} requests, ${Math.round(rate)} a second, ${left} s left   `)
}

/** Runs one worker to its end; whether it came to it. */
async function runWorker(number: number, share: Share): Promise<boolean> {
  const file = fileURLToPath(new URL('./worker.ts', import.meta.url))
  const child = fork(file, [JSON.stringify(share)], { execArgv: ['--import', 'tsx'] })
  child.on('message', (report: Report) => {
    if (reports.size === 0) begun = performance.now()
    reports.set(`${number} ${report.surface}`, report)
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
    const ended = await Promise.all(
      Array.from({ length: workers }, (_, at) => runWorker(at, { requests: each, seed: seed + at * SEEDS_APART })),
    )
    return report(ended.every(Boolean))
  } finally {
    clearInterval(ticking)
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function report(ended: boolean): number {
  const seconds = (performance.now() - begun) / 1000
  const found = [...reports.values()].flatMap(({ totals }) => totals.found)
  const sides = [...new Set([...reports.values()].map(({ surface }) => surface))]
  const by = (side: string, count: (totals: Totals) => number) =>
    [...reports.values()].filter(({ surface }) => surface === side).reduce((all, { totals }) => all + count(totals), 0)
  const statuses = [...new Set([...reports.values()].flatMap(({ totals }) => Object.keys(totals.byStatus)))].sort()
  say('')
  say(
    aligned([
      ['', ...sides],
      ['requests', ...sides.map((side) => by(side, (totals) => totals.requests))],
      ['refused, nothing written', ...sides.map((side) => by(side, (totals) => totals.refusals))],
      ...statuses.map((status) => [
        status === '0' ? 'cut off, no answer due' : status,
        ...sides.map((side) => by(side, (totals) => totals.byStatus[status] ?? 0)),
      ]),
      ['faults', ...sides.map((side) => by(side, (totals) => totals.found.length))],
    ]),
  )
  for (const each of found) say(describe(each))
  if (!ended) say('A worker did not come to its end: see above.')
  const least = Math.floor(requests / REQUESTS_FOR_ONE_TAKEN)
  const takenBy = OPERATIONS.map(({ operationId: name }) => ({ name, count: sum(({ taken }) => taken[name] ?? 0) }))
  const seldom = takenBy.filter(({ count }) => count < least)
  const fewest = takenBy.toSorted((a, b) => a.count - b.count).slice(0, 3)
  say(`taken (2xx) least often: ${fewest.map(({ name, count }) => `${name} ${count}`).join(', ')}`)
  for (const { name, count } of seldom) say(`FAULT: ${name} took ${count} requests (2xx), at least ${least} are needed`)
  const count = (kind: string) => found.filter((each) => each.kind === kind).length
  const totals = {
    requests: sum((each) => each.requests),
    faults: found.length + seldom.length + (ended ? 0 : 1),
    foreign: count('foreign'),
    serverErrors: count('server error'),
    seed,
    seconds: Math.round(seconds),
    perSecond: Math.round(sum((each) => each.requests) / seconds),
  }
  say(`${totals.requests} requests in ${totals.seconds} s, ${totals.perSecond} a second; ${totals.faults} faults`)
  if (values.json) console.log(JSON.stringify(totals))
  return totals.faults > 0 ? 1 : 0
}

const describe = ({ kind, says, curl, seed: at }: Found): string =>
  `\n${kind}: ${says}\n  found under seed ${at}${curl ? `; the smallest that shows it:\n  ${curl.slice(0, LONGEST_CURL)}` : ''}`

process.exitCode = await main()
