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
export async function runCost(
  { defer, isCleaningUp }: Cleanup,
  { seed, json, only }: { seed: number; json: boolean; only: string },
): Promise<number> {
  const say = json ? console.error : console.log
  const began = performance.now()
  await startOwnPostgres(defer, 'cost')
  setSeed(seed)
  const server = new Server()
  await server.start(defer)
  const [rows, found]: [Row[], Found[]] = [[], []]
  const totals = { requests: 0, serverErrors: 0, refused: 0, cases: 0 }
  const statuses: Record<string, number> = {}
  let [reached, missed, renewals] = [0, 0, 0]
  const refusals: string[] = []

  /** Sends a request, and again after a while if a rate limit refused it. */
  async function send(make: () => Sent): Promise<{ answer: Answer | undefined; ms: number; sent: Sent }> {
    for (let tries = 0; ; tries++) {
      const sent = make()
      const before = await server.cpuMs()
      const answer = await server.send(sent)
      const ms = (await server.cpuMs()) - before
      totals.requests++
      const status = answer?.status ?? 0
      statuses[status] = (statuses[status] ?? 0) + 1
      if (!isLimited(status) || tries >= RETRIES) {
        if (isLimited(status)) totals.refused++
        return { answer, ms, sent }
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  const hasLostAccess = ({ status, headers }: Answer) =>
    [401, 403, 404, 410].includes(status) || (status === 303 && headers.get('location')?.startsWith('/entrar'))

  /** The largest accepted body. */
  async function bodyLimit(target: Target): Promise<number> {
    let [least, most] = [0, BODY_LIMITS.length - 1]
    while (least < most) {
      const middle = (least + most + 1) >> 1
      const { answer } = await send(() => target.filler(BODY_LIMITS[middle] ?? 0, server.scene))
      if (answer && answer.status !== 413) least = middle
      else most = middle - 1
    }
    return BODY_LIMITS[least] ?? 0
  }

  /** The first accepted example, from which the cases are made. */
  async function choose(target: Target): Promise<number> {
    if (target.ends || target.examples.length === 0) return 0
    for (const renewed of [false, true]) {
      for (const [at, example] of target.examples.entries()) {
        const { answer } = await send(() => example(server.scene))
        if (answer && (answer.status < 400 || answer.status === 409)) return at // a conflict is found last
      }
      if (!renewed) await server.renew()
    }
    fault(`${target.route}: no example was accepted, so its work was not reached`)
    return 0
  }

  async function measure(each: Case, target: Target, limit: number): Promise<void> {
    totals.cases++
    const hashingMs = (HASHING[each.route]?.[0] ?? 0) * server.scene.hashingMs
    const overhead = each.within === 'body' ? (each.make(1, server.scene).body?.length ?? 0) : 0
    const most = each.within === 'head' ? HEAD_BYTES : Math.min(limit - overhead - 16, each.most ?? limit)
    const series: Cost[] = []
    const sizes: number[] = []
    let last: Sent | undefined
    /** At most the limit: a larger body is refused unread. */
    function make(size: number): Sent {
      const sent = each.make(size, server.scene)
      const over = each.within === 'body' ? (sent.body?.length ?? 0) - limit : 0
      return over > 0 && !each.fixed ? each.make(Math.floor(size - 2 * over), server.scene) : sent
    }
    async function once(size: number): Promise<Cost> {
      let { answer, ms, sent } = await send(() => make(size))
      if (target.isForm && answer && hasLostAccess(answer) && !CREDENTIALS.test(each.kind)) {
        if (renewals++ < MAX_RENEWALS) await server.renew()
        ;({ answer, ms, sent } = await send(() => make(size)))
      }
      last = sent
      if (answer && !hasLostAccess(answer)) reached++
      else if (!CREDENTIALS.test(each.kind)) missed++
      if (!answer) throw new Error('no answer')
      if (answer.status >= 500 && !isLimited(answer.status)) {
        totals.serverErrors++
        record(each, `${answer.status} ${answer.body.toString('utf8').slice(0, 200)}`, sent)
      }
      return { bytes: sent.bytes.length, ms }
    }
    /** The lowest of up to five measurements, since one may include a garbage collection. */
    async function least(size: number, first: Cost, continues: (share: number) => boolean): Promise<Cost> {
      let best = first
      const share = () => best.ms / budgetMs(best.bytes, hashingMs)
      for (let again = 1; again < REPETITIONS && continues(share()); again++) {
        best = { ...best, ms: Math.min(best.ms, (await once(size)).ms) }
        if (share() > FAR_ABOVE) break
      }
      return best
    }
    async function count(size: number): Promise<Cost> {
      const cost = await least(size, await once(size), (share) => share > WELL_WITHIN)
      sizes.push(size)
      series.push(cost)
      return cost
    }
    const isWithin = () => costFaults(series, hashingMs).length === 0
    try {
      for (let size = firstSize(each, most); size > 0 && size <= most && isWithin(); ) {
        const { ms } = await count(size)
        if (size === most || each.fixed) break
        // Small steps for costly requests, so that growth is found before a request takes minutes.
        const step = ms - hashingMs < CHEAP_MS ? 16 : 4
        size = Math.min(most, size < SAFE_BYTES ? Math.min(SAFE_BYTES, most) : size * step)
      }
      const largest = sizes.at(-1) ?? 0
      if ((series.at(-1)?.ms ?? 0) - hashingMs > noiseMs(series.at(-1)?.bytes ?? 0) && isWithin() && !each.fixed)
        for (const part of [2, 4]) await count(Math.floor(largest / part))
      const pair = growthPair(series)
      // Apparent growth may be a garbage collection: measure both sizes again.
      if (pair && growsTooFast(...pair, hashingMs))
        for (const cost of pair) {
          const at = series.indexOf(cost)
          series[at] = await least(sizes[at] ?? 0, cost, () => true)
        }
      for (const message of costFaults(series, hashingMs)) record(each, message, last)
      if (!(await server.isAlive())) throw new Error('no answer to a simple request afterwards')
    } catch (error) {
      if (isCleaningUp()) return
      record(each, `${(error as Error).message}, after one of ${last?.bytes.length ?? 0} bytes`, last)
      server.kill()
      await server.start(defer)
    }
    if (series.length > 0) rows.push(rowOf(each, series, hashingMs))
  }

  function record({ route, kind }: Case, message: string, sent: Sent | undefined): void {
    const shown = sent
      ? `${sent.method} ${sent.target.slice(0, 160)} ${sent.body?.subarray(0, 160).toString('utf8') ?? ''}`
      : ''
    const again = `npm run fuzz -- --cost --seed ${seed} --only '${route} ${kind}'`
    fault(`${route}, ${kind}: ${message}`, `${shown}\n  again: ${again}`)
  }

  function fault(message: string, example = ''): void {
    found.push({ message, example })
    say(`\rFAULT: ${message}`)
  }

  const isWanted = ({ route, kind }: Case) => `${route} ${kind}`.includes(only)
  const targets = targetsIn(server.scene).filter(({ cases }) => cases(0).some(isWanted))
  say(`seed ${seed}; ${targets.length} routes; a password hash costs ${server.scene.hashingMs.toFixed(0)} ms`)
  const elapsedS = () => Math.round((performance.now() - began) / 1000)
  let done = 0
  const ticking = setInterval(() => {
    const counts = `${totals.requests} requests of ${totals.cases} kinds, ${found.length} faults, ${elapsedS()} s`
    process.stderr.write(`\r${done} of ${targets.length} routes, ${counts}; ${targets[done]?.route ?? ''}\u001b[K`)
  }, 1000)
  defer(() => clearInterval(ticking))
  for (const target of targets) {
    if (target.ends) await server.renew()
    const limit = target.takesBody ? await bodyLimit(target) : 0
    ;[reached, missed, renewals] = [0, 0, 0]
    for (const each of target.cases(await choose(target)).filter(isWanted)) {
      if (isCleaningUp()) return 1
      await measure(each, target, limit)
    }
    if (reached === 0 && !only) fault(`${target.route}: every request was refused`)
    if (missed > 0) refusals.push(`${target.route} ${missed} of ${reached + missed}`)
    done++
  }
  if (totals.refused > 0)
    fault(`${totals.refused} requests were refused by a limit (429 or 503) before the work under test`)
  const seconds = elapsedS()
  const costliest = rows.sort((a, b) => b.ms / b.budget - a.ms / a.budget).slice(0, SHOWN)
  say(
    `\n\n${aligned([['route', 'ms', 'at most', 'bytes', 'growth', 'kind'], ...costliest.map((row) => [row.route, row.ms.toFixed(1), row.budget.toFixed(0), row.bytes, row.growth, row.kind])])}\n`,
  )
  for (const [route, [times, why]] of Object.entries(HASHING)) say(`${route} may hash ${times} times besides: ${why}`)
  say(
    `\nby status: ${Object.entries(statuses)
      .map(([status, count]) => `${status} ${count}`)
      .join(', ')}; the server was started ${server.starts} times`,
  )
  // After a destructive form was accepted, later requests find nothing: those were not measured.
  if (refusals.length > 0) say(`\n401, 403, 404 or 410 with a valid credential: ${refusals.join('; ')}`)
  for (const { message, example } of found) say(`\nFAULT: ${message}\n  ${example}`)
  say(
    `\n${totals.requests} requests of ${totals.cases} kinds to ${targets.length} routes in ${seconds} s; ${found.length} faults`,
  )
  const sum = { ...totals, announced: statuses[503] ?? 0, faults: found.length, routes: targets.length, seed, seconds }
  if (json) console.log(JSON.stringify(sum))
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
