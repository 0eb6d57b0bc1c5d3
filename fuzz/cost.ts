import type { Cleanup } from '../drills/cleanup.ts'
import { aligned } from '../drills/table.ts'
import { startOwnPostgres } from '../tests/support/own-postgres.ts'
import type { Answer } from './connection.ts'
import { type Case, setSeed, type Target, targetsIn } from './cost-cases.ts'
import { budgetMs, type Cost, costFaults, growsTooFast, growthPair, isLimited, noiseMs } from './cost-judge.ts'
import { Server } from './cost-process.ts'
import type { Sent } from './encode.ts'

/** Measures so many times and takes the lowest, unless the first is well within the budget. */
const REPETITIONS = 5
const WELL_WITHIN = 0.6
/** Node's limit for the head is 16 KiB; ours contains a few headers of its own. */
const HEAD_BYTES = 14_000
const BODY_LIMITS = Array.from({ length: 15 }, (_, at) => 1024 * 2 ** at)
const MAX_RENEWALS = 3
/** Kinds that overwrite the credential or the target. */
const CREDENTIALS = /segment|session|Basic|bearer|signature/
/** Even quadratic growth takes less than a minute with this size. */
const SAFE_BYTES = 65_536
/** Below this cost, sixteen times the size takes seconds at worst. */
const CHEAP_MS = 8
const RETRIES = 5
const RETRY_MS = 600
const SHOWN = 25
/** Two measurements this far above the budget need no third. */
const FAR_ABOVE = 4

/** How often a route may hash a password. Hashing is expensive on purpose and does not depend on the request's size. */
const HASHING: Record<string, [times: number, why: string]> = {
  'POST /entrar': [2, 'a password is tried against the accounts of both modes'],
  'POST /conectar/:appKey': [2, 'signs in on the same page'],
  'POST /clave/:token': [1, 'a new password'],
  'POST /registro/:token': [1, 'the password of a new account'],
  'POST /colaborar/:token': [1, 'the password of a new account'],
  'POST /equipo/:token': [1, 'the password of a new account'],
  'POST /personal/:token': [1, 'the password of a new account'],
  'POST /cuenta/clave': [2, 'the present password and the new one'],
  'POST /cuenta/administrador': [1, 'asks for the password again'],
}

interface Row {
  route: string
  kind: string
  bytes: number
  ms: number
  budget: number
  growth: string
}

interface Found {
  message: string
  example: string
}

/** Sends every route its costliest requests in growing sizes, and fails if the CPU time exceeds what the size explains. */
export async function runCost(cleanup: Cleanup, options: Options): Promise<number> {
  const began = performance.now()
  await startOwnPostgres(cleanup.defer, 'cost')
  setSeed(options.seed)
  const server = new Server()
  await server.start(cleanup.defer)
  const run = new Run(server, cleanup, options)
  const isWanted = ({ route, kind }: Case) => `${route} ${kind}`.includes(options.only)
  const targets = targetsIn(server.scene).filter(({ cases }) => cases(0).some(isWanted))
  run.say(
    `seed ${options.seed}; ${targets.length} routes; a password hash costs ${server.scene.hashingMs.toFixed(0)} ms`,
  )
  const elapsedS = () => Math.round((performance.now() - began) / 1000)
  let done = 0
  const ticking = setInterval(() => {
    const { totals, found } = run
    const counts = `${totals.requests} requests of ${totals.cases} kinds, ${found.length} faults, ${elapsedS()} s`
    process.stderr.write(`\r${done} of ${targets.length} routes, ${counts}; ${targets[done]?.route ?? ''}\u001b[K`)
  }, 1000)
  cleanup.defer(() => clearInterval(ticking))
  for (const target of targets) {
    await run.measureRoute(target, isWanted)
    if (cleanup.isCleaningUp()) return 1
    done++
  }
  if (run.totals.refused > 0)
    run.fault(`${run.totals.refused} requests were refused by a limit (429 or 503) before the work under test`)
  return report(run, targets.length, elapsedS())
}

interface Options {
  seed: number
  json: boolean
  only: string
}

/** What was sent and found so far. */
class Run {
  readonly rows: Row[] = []
  readonly found: Found[] = []
  readonly totals = { requests: 0, serverErrors: 0, refused: 0, cases: 0 }
  readonly statuses: Record<string, number> = {}
  /** The routes that refused a valid credential, and how often. */
  readonly refusals: string[] = []
  readonly say: (line: string) => void
  readonly server: Server
  readonly options: Options
  readonly #cleanup: Cleanup

  constructor(server: Server, cleanup: Cleanup, options: Options) {
    this.server = server
    this.options = options
    this.#cleanup = cleanup
    this.say = options.json ? console.error : console.log
  }

  async measureRoute(target: Target, isWanted: (each: Case) => boolean): Promise<void> {
    const { server } = this
    if (target.ends) await server.renew()
    const limit = target.takesBody ? await this.#bodyLimit(target) : 0
    const access = { reached: 0, missed: 0, renewals: 0 }
    for (const each of target.cases(await this.#choose(target)).filter(isWanted)) {
      if (this.#cleanup.isCleaningUp()) return
      this.totals.cases++
      const series = new Series(this, { each, target, limit, access })
      try {
        await series.measure()
        if (!(await server.isAlive())) throw new Error('no answer to a simple request afterwards')
      } catch (error) {
        if (this.#cleanup.isCleaningUp()) return
        series.fault(`${(error as Error).message}, after one of ${series.last?.bytes.length ?? 0} bytes`)
        server.kill()
        await server.start(this.#cleanup.defer)
      }
      if (series.costs.length > 0) this.rows.push(rowOf(each, series.costs, series.hashingMs))
    }
    if (access.reached === 0 && !this.options.only) this.fault(`${target.route}: every request was refused`)
    if (access.missed > 0) this.refusals.push(`${target.route} ${access.missed} of ${access.reached + access.missed}`)
  }

  /** Sends a request, and again after a while if a rate limit refused it. */
  async send(make: () => Sent): Promise<{ answer: Answer | undefined; ms: number; sent: Sent }> {
    for (let tries = 0; ; tries++) {
      const sent = make()
      const before = await this.server.cpuMs()
      const answer = await this.server.send(sent)
      const ms = (await this.server.cpuMs()) - before
      this.totals.requests++
      const status = answer?.status ?? 0
      this.statuses[status] = (this.statuses[status] ?? 0) + 1
      if (!isLimited(status) || tries >= RETRIES) {
        if (isLimited(status)) this.totals.refused++
        return { answer, ms, sent }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  fault(message: string, example = ''): void {
    this.found.push({ message, example })
    this.say(`\rFAULT: ${message}`)
  }

  /** The largest accepted body. */
  async #bodyLimit(target: Target): Promise<number> {
    let least = 0
    let most = BODY_LIMITS.length - 1
    while (least < most) {
      const middle = (least + most + 1) >> 1
      const { answer } = await this.send(() => target.filler(BODY_LIMITS[middle] ?? 0, this.server.scene))
      if (answer && answer.status !== 413) least = middle
      else most = middle - 1
    }
    return BODY_LIMITS[least] ?? 0
  }

  /** The first accepted example, from which the cases are made. */
  async #choose(target: Target): Promise<number> {
    if (target.ends || target.examples.length === 0) return 0
    for (const renewed of [false, true]) {
      for (const [at, example] of target.examples.entries()) {
        const { answer } = await this.send(() => example(this.server.scene))
        if (answer && (answer.status < 400 || answer.status === 409)) return at // a conflict is found last
      }
      if (!renewed) await this.server.renew()
    }
    this.fault(`${target.route}: no example was accepted, so its work was not reached`)
    return 0
  }
}

interface Subject {
  each: Case
  target: Target
  /** The largest body that the route accepts. */
  limit: number
  /** How the route's requests were admitted so far. */
  access: { reached: number; missed: number; renewals: number }
}

/** The requests of one case in growing sizes. */
class Series {
  readonly costs: Cost[] = []
  readonly hashingMs: number
  last: Sent | undefined
  readonly #sizes: number[] = []
  readonly #run: Run
  readonly #subject: Subject

  constructor(run: Run, subject: Subject) {
    this.#run = run
    this.#subject = subject
    this.hashingMs = (HASHING[subject.each.route]?.[0] ?? 0) * run.server.scene.hashingMs
  }

  async measure(): Promise<void> {
    const { each, limit } = this.#subject
    const { hashingMs, costs } = this
    const overhead = each.within === 'body' ? (each.make(1, this.#run.server.scene).body?.length ?? 0) : 0
    const most = each.within === 'head' ? HEAD_BYTES : Math.min(limit - overhead - 16, each.most ?? limit)
    const isWithin = () => costFaults(costs, hashingMs).length === 0
    for (let size = firstSize(each, most); size > 0 && size <= most && isWithin(); ) {
      const { ms } = await this.#count(size)
      if (size === most || each.fixed) break
      // Small steps for costly requests, so that growth is found before a request takes minutes.
      const step = ms - hashingMs < CHEAP_MS ? 16 : 4
      size = Math.min(most, size < SAFE_BYTES ? Math.min(SAFE_BYTES, most) : size * step)
    }
    const largest = this.#sizes.at(-1) ?? 0
    if ((costs.at(-1)?.ms ?? 0) - hashingMs > noiseMs(costs.at(-1)?.bytes ?? 0) && isWithin() && !each.fixed)
      for (const part of [2, 4]) await this.#count(Math.floor(largest / part))
    const pair = growthPair(costs)
    // Apparent growth may be a garbage collection: measure both sizes again.
    if (pair && growsTooFast(...pair, hashingMs))
      for (const cost of pair) {
        const at = costs.indexOf(cost)
        costs[at] = await this.#least(this.#sizes[at] ?? 0, cost, () => true)
      }
    for (const message of costFaults(costs, hashingMs)) this.fault(message)
  }

  fault(message: string): void {
    const { route, kind } = this.#subject.each
    const { last: sent } = this
    const shown = sent
      ? `${sent.method} ${sent.target.slice(0, 160)} ${sent.body?.subarray(0, 160).toString('utf8') ?? ''}`
      : ''
    const again = `npm run fuzz -- --cost --seed ${this.#run.options.seed} --only '${route} ${kind}'`
    this.#run.fault(`${route}, ${kind}: ${message}`, `${shown}\n  again: ${again}`)
  }

  async #count(size: number): Promise<Cost> {
    const cost = await this.#least(size, await this.#once(size), (share) => share > WELL_WITHIN)
    this.#sizes.push(size)
    this.costs.push(cost)
    return cost
  }

  /** The lowest of up to five measurements, since one may include a garbage collection. */
  async #least(size: number, first: Cost, continues: (share: number) => boolean): Promise<Cost> {
    let best = first
    const share = () => best.ms / budgetMs(best.bytes, this.hashingMs)
    for (let again = 1; again < REPETITIONS && continues(share()); again++) {
      best = { ...best, ms: Math.min(best.ms, (await this.#once(size)).ms) }
      if (share() > FAR_ABOVE) break
    }
    return best
  }

  async #once(size: number): Promise<Cost> {
    const { each, target, access } = this.#subject
    const run = this.#run
    let { answer, ms, sent } = await run.send(() => this.#make(size))
    if (target.isForm && answer && hasLostAccess(answer) && !CREDENTIALS.test(each.kind)) {
      if (access.renewals++ < MAX_RENEWALS) await run.server.renew()
      ;({ answer, ms, sent } = await run.send(() => this.#make(size)))
    }
    this.last = sent
    if (answer && !hasLostAccess(answer)) access.reached++
    else if (!CREDENTIALS.test(each.kind)) access.missed++
    if (!answer) throw new Error('no answer')
    if (answer.status >= 500 && !isLimited(answer.status)) {
      run.totals.serverErrors++
      this.fault(`${answer.status} ${answer.body.toString('utf8').slice(0, 200)}`)
    }
    return { bytes: sent.bytes.length, ms }
  }

  /** At most the limit: a larger body is refused unread. */
  #make(size: number): Sent {
    const { each, limit } = this.#subject
    const { scene } = this.#run.server
    const sent = each.make(size, scene)
    const over = each.within === 'body' ? (sent.body?.length ?? 0) - limit : 0
    return over > 0 && !each.fixed ? each.make(Math.floor(size - 2 * over), scene) : sent
  }
}

const hasLostAccess = ({ status, headers }: Answer) =>
  [401, 403, 404, 410].includes(status) || (status === 303 && headers.get('location')?.startsWith('/entrar'))

function report(
  { rows, found, totals, statuses, refusals, server, say, options }: Run,
  routes: number,
  seconds: number,
) {
  const costliest = rows.sort((a, b) => b.ms / b.budget - a.ms / a.budget).slice(0, SHOWN)
  const cells = costliest.map((row) => [
    row.route,
    row.ms.toFixed(1),
    row.budget.toFixed(0),
    row.bytes,
    row.growth,
    row.kind,
  ])
  say(`\n\n${aligned([['route', 'ms', 'at most', 'bytes', 'growth', 'kind'], ...cells])}\n`)
  for (const [route, [times, why]] of Object.entries(HASHING)) say(`${route} may hash ${times} times besides: ${why}`)
  const byStatus = Object.entries(statuses).map(([status, count]) => `${status} ${count}`)
  say(`\nby status: ${byStatus.join(', ')}; the server was started ${server.starts} times`)
  // After a destructive form was accepted, later requests find nothing: those were not measured.
  if (refusals.length > 0) say(`\n401, 403, 404 or 410 with a valid credential: ${refusals.join('; ')}`)
  for (const { message, example } of found) say(`\nFAULT: ${message}\n  ${example}`)
  say(
    `\n${totals.requests} requests of ${totals.cases} kinds to ${routes} routes in ${seconds} s; ${found.length} faults`,
  )
  const { seed } = options
  const sum = { ...totals, announced: statuses[503] ?? 0, faults: found.length, routes, seed, seconds }
  if (options.json) console.log(JSON.stringify(sum))
  return found.length > 0 ? 1 : 0
}

/** The request of a series that comes closest to its budget. */
function rowOf({ route, kind }: Case, series: Cost[], hashingMs: number): Row {
  const shares = series.map(({ bytes, ms }) => ({ bytes, ms, budget: budgetMs(bytes, hashingMs) }))
  const worst = shares.sort((a, b) => b.ms / b.budget - a.ms / a.budget)[0] as (typeof shares)[number]
  const pair = growthPair(series)
  const ratio = (name: keyof Cost) => (pair ? (pair[1][name] / Math.max(pair[0][name], 0.1)).toFixed(1) : '')
  return { route, kind, ...worst, growth: pair ? `${ratio('ms')} for ${ratio('bytes')}` : '' }
}

/** A length that is likely to be accepted, or a safe one to begin with. */
function firstSize({ usual, fixed }: Case, most: number): number {
  if (fixed !== undefined) return fixed <= most ? fixed : 0
  return Math.min(most, Math.floor(usual ?? SAFE_BYTES))
}
