import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { inSpanish } from '../i18n/stored.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import { endSpan, startSpan, traceIds, withSpans } from '../tracing.ts'
import { type AnyHandler, type Handler, type Outcome, wasAttempted } from './handler.ts'
import { type Claimed, claim, dueQueues, type Lease } from './outbox.ts'
import { openQueues } from './queues.ts'
import { conclude, openSettler } from './settlement.ts'

export interface Timing {
  leaseSeconds: number
  /** Shorter than the lease, so that no other worker claims a row that is still being delivered. */
  attemptMs: number
  /** How long a worker that stops waits for running attempts. */
  drainMs: number
  pollMs: number
}

interface WorkerDeps {
  store: Store
  log: Log
  /** From 0 to 1. */
  random: () => number
  observe?: ((table: string, outcome: string, ms: number) => void) | undefined
}

export interface WorkerOptions extends WorkerDeps {
  listener: Pick<Listener, 'on' | 'onGap'>
  handlers: AnyHandler[]
  nowMs?: () => number
  timing?: Partial<Timing>
}

export interface Worker {
  inFlight(table: string): number
  /** A lease for rows that are inserted with it and then `put`. */
  newLease(): Lease
  /** How many such rows of a queue it takes now; none if older ones may be waiting in the database. */
  directCapacity(table: string, queue: number): number
  /** Delivers rows that were inserted with a lease of this worker; one that is stopping gives them back, and waits for that. */
  put(table: string, rows: Claimed[]): Promise<void>
  /** Claims nothing more, finishes the running attempts and settles them; one that hangs is given back. */
  stop(): Promise<void>
}

/** The rows of a worker that died are free within 60 s (docs/decisions.md, "Webhooks and events"): lease and one poll. */
const TIMING: Timing = { leaseSeconds: 45, attemptMs: 30_000, drainMs: 8_000, pollMs: 1_000 }
const LEASE_BYTES = 9
const STOP_TRIES = 3
const LAST_PAUSE_MS = 200
const timedOut = (): Outcome => ({ kind: 'postponed', reason: inSpanish('entregas.error.tooSlow'), code: 'timeout' })

/** Delivers the rows of the outbox. NOTIFY wakes it for new rows; it polls for those that come due. */
export function startWorker({
  listener,
  handlers,
  timing,
  nowMs = () => performance.now(),
  ...deps
}: WorkerOptions): Worker {
  const times = { ...TIMING, ...timing }
  const run = (handler: AnyHandler) => runHandler(handler, { ...deps, nowMs, timing: times })
  const running = new Map(handlers.map((handler) => [handler.table, run(handler)]))
  const wakeAll = () => {
    for (const each of running.values()) each.wake()
  }
  listener.on('outbox', (payload) => {
    const [table = '', queue] = payload.split(':')
    running.get(table)?.wake(queue === undefined ? undefined : Number(queue))
  })
  listener.onGap(wakeAll)
  const poll = setInterval(wakeAll, times.pollMs)
  wakeAll()

  return {
    inFlight: (table) => running.get(table)?.inFlight() ?? 0,
    newLease: () => newLease(times, nowMs),
    directCapacity: (table, queue) => running.get(table)?.directCapacity(queue) ?? 0,
    put: async (table, rows) => running.get(table)?.put(rows),
    async stop() {
      clearInterval(poll)
      await Promise.all([...running.values()].map((each) => each.stop()))
    },
  }
}

interface RunningHandler {
  /** Rows may be due: in that queue, or in any. */
  wake(queue?: number): void
  inFlight(): number
  directCapacity(queue: number): number
  put(rows: Claimed[]): Promise<void> | undefined
  stop(): Promise<void>
}

const newLease = ({ leaseSeconds }: Timing, nowMs: () => number): Lease => ({
  lease: randomBytes(LEASE_BYTES).toString('base64url'),
  leaseSeconds,
  takenMs: nowMs(),
})

/** Claims rows as slots come free, has the handler deliver them, and settles the outcomes. */
function runHandler<Row extends Claimed>(
  handler: Handler<Row>,
  deps: WorkerDeps & { nowMs: () => number; timing: Timing },
): RunningHandler {
  const { store, log, random, nowMs, timing, observe } = deps
  const { table, columns, schedule } = handler
  const maxClaimed = handler.queues?.prefetch.all ?? handler.inFlight
  const queues = openQueues(handler)
  const settler = openSettler(handler, deps, () => claimDue())
  const stopping = new AbortController()
  /** Ends a running attempt with this outcome. */
  const running = new Set<(outcome: Outcome) => void>()
  /** The queues that may have due rows. */
  const due = new Set<number>()
  /** The queues whose last claim was full: they may have more rows. */
  const backlogged = new Set<number>()
  let mustFindDue = false
  let claiming: Promise<void> | undefined
  let stopped = false
  let onIdle: (() => void) | undefined

  function claimDue(): void {
    if (stopped || claiming || !(mustFindDue || claimLimits().length > 0)) return
    claiming = claimAll()
      .catch((err) => log.warn({ err, table }, 'outbox: due rows could not be claimed'))
      .then(() => {
        claiming = undefined
        claimDue() // it may have been woken meanwhile
      })
  }

  /** How many more rows it takes. Outcomes that are not stored count too, so that nothing piles up without a database. */
  const free = () => maxClaimed - queues.size() - settler.waiting()

  /** When one queue is low, all are filled, because a statement costs much and a row little. */
  function claimLimits(): [queue: number, limit: number][] {
    let left = free()
    if (left <= 0 || !shouldClaimAny()) return []
    const share = Math.max(1, Math.floor(left / due.size))
    const found: [number, number][] = []
    for (const queue of due) {
      const limit = Math.min(queues.capacity(queue), share, left)
      if (limit <= 0) continue
      found.push([queue, limit])
      left -= limit
    }
    return found
  }

  function shouldClaimAny(): boolean {
    for (const queue of due) if (queues.shouldClaim(queue) && queues.capacity(queue) > 0) return true
    return false
  }

  async function claimAll(): Promise<void> {
    while (!stopped) {
      if (mustFindDue) {
        mustFindDue = false
        await handler.queues?.release?.(store)
        const found = new Set(await dueQueues(store, handler))
        for (const queue of found) due.add(queue)
        for (const queue of backlogged) if (!found.has(queue)) backlogged.delete(queue)
      }
      const wants = claimLimits()
      if (wants.length === 0) return
      for (const [queue] of wants) due.delete(queue)
      await claimFrom(wants)
    }
  }

  async function claimFrom(wants: [queue: number, limit: number][]): Promise<void> {
    const admitted = await handler.queues?.admit?.(
      store,
      wants.map(([queue]) => queue),
    )
    const limits = wants
      .map(([queue, limit]) => [queue, admitted ? Math.min(limit, admitted.get(queue) ?? 0) : limit] as const)
      .filter(([, limit]) => limit > 0)
    if (limits.length === 0) return
    const lease = newLease(timing, nowMs)
    const rows = await claim<Row>(store, handler, columns, { ...lease, limits })
    for (const row of rows) spanOf(row, `claim ${table}`, lease.takenMs)?.end()
    const counts = new Map<number, number>()
    for (const { queue } of rows) counts.set(queue, (counts.get(queue) ?? 0) + 1)
    for (const [queue, limit] of limits) {
      if (counts.get(queue) === limit) {
        backlogged.add(queue)
        due.add(queue)
      } else backlogged.delete(queue)
    }
    queues.put(rows)
    fillSlots()
  }

  function fillSlots(): void {
    for (let row = queues.next(); row; row = queues.next()) start(row)
  }

  function start(row: Row): void {
    const startedMs = nowMs()
    // It waited here so long that its lease might end during the attempt.
    if (startedMs - row.takenMs > timing.leaseSeconds * 1000 - timing.attemptMs)
      return end(row, { kind: 'returned' }, 0)
    const finish = (outcome: Outcome): void => {
      if (!running.delete(finish)) return
      clearTimeout(timer)
      end(row, outcome, Math.round(nowMs() - startedMs))
      fillSlots()
      claimDue()
      if (running.size === 0) onIdle?.()
    }
    const timer = setTimeout(() => finish(timedOut()), timing.attemptMs)
    running.add(finish)
    row.span = spanOf(row, `deliver ${table}`)
    void withSpans(spansOf(row), () => attempt(row)).then(finish)
  }

  const spanOf = (row: Row, name: string, startedMs?: number) =>
    startSpan(name, {
      kind: 'PRODUCER',
      parent: handler.traceparentOf?.(row),
      attributes: { 'rodado.attempt': row.attempts },
      ...(startedMs !== undefined && { startedMs }),
    })

  async function attempt(row: Row): Promise<Outcome> {
    // Claimed more often than it may be attempted: its worker died each time, and this one would too.
    if (row.attempts > schedule.length + 1)
      return { kind: 'failed', reason: inSpanish('entregas.error.abandoned'), code: 'abandoned' }
    try {
      return await handler.deliver(row, stopping.signal, timing.attemptMs)
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return { kind: 'postponed', reason: message, code: name }
    }
  }

  function end(row: Row, outcome: Outcome, ms: number): void {
    const ended = conclude(row, outcome, handler.scheduleOf?.(row) ?? schedule, random())
    queues.ended(row, wasAttempted(outcome) ? ms : undefined)
    settler.add(ended)
    if (outcome.kind === 'returned') return
    const { kind } = ended.outcome
    const code = 'code' in ended.outcome ? ended.outcome.code : undefined
    const { id, attempts: attempt, span } = row
    const about = handler.describe?.(row) ?? {}
    const line = { table, id, attempt, outcome: kind, ms, code, ...about, ...(span && traceIds(span)) }
    log.info(line, 'delivery attempt')
    observe?.(table, kind, ms)
    if (span)
      endSpan(span, kind === 'postponed' || kind === 'failed' ? (code ?? kind) : undefined, attributesOf(about, kind))
  }

  function returnRows(rows: Row[]): void {
    for (const row of rows) settler.add(conclude(row, { kind: 'returned' }, schedule, 0))
  }

  /** Waits for the running attempts, then ends those that are left. */
  async function drain(): Promise<void> {
    if (running.size === 0) return
    const timer = setTimeout(() => {
      stopping.abort()
      for (const finish of running) finish({ kind: 'returned' })
    }, timing.drainMs)
    await new Promise<void>((resolve) => {
      onIdle = resolve
    })
    clearTimeout(timer)
  }

  async function stop(): Promise<void> {
    stopped = true
    await claiming
    returnRows(queues.empty())
    await drain()
    // A row whose outcome cannot be stored is free again when its lease ends.
    for (let tries = 1; tries <= STOP_TRIES; tries++) {
      await settler.flush()
      if (settler.waiting() === 0) break
      await pause(LAST_PAUSE_MS)
    }
    handler.close?.()
  }

  return {
    wake(queue) {
      if (queue !== undefined) due.add(queue)
      else {
        mustFindDue = true
        if (settler.waiting() > 0) void settler.flush() // what could not be stored before
      }
      claimDue()
    },
    inFlight: queues.inFlight,
    directCapacity: (queue) =>
      stopped || due.has(queue) || backlogged.has(queue) ? 0 : Math.min(queues.directCapacity(queue), free()),
    put(rows) {
      if (stopped) {
        returnRows(rows as Row[])
        return settler.flush()
      }
      queues.put(rows as Row[])
      withSpans([], fillSlots) // what follows belongs to each delivery, not to the request that hands them over
      return undefined
    },
    stop,
  }
}

const spansOf = ({ span }: Claimed) => (span ? [span] : [])

/** What the log says about a row, as attributes of its span. */
function attributesOf(about: Record<string, string | number | null | undefined>, outcome: string) {
  const named = Object.entries(about).flatMap(([name, value]) => (value == null ? [] : [[`rodado.${name}`, value]]))
  return { ...Object.fromEntries(named), 'rodado.outcome': outcome }
}
