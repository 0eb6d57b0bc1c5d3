import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { inSpanish } from '../i18n/stored.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import { endSpan, startSpan, traceIds, withSpans } from '../tracing.ts'
import { openClaims } from './claims.ts'
import { type AnyHandler, type Ended, type Handler, type Outcome, wasAttempted } from './handler.ts'
import type { Claimed, Lease } from './outbox.ts'
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

export type Worker = ReturnType<typeof startWorker>

/** The rows of a worker that died are free within 60 s (docs/decisions/outbox.md): lease and one poll. */
const TIMING: Timing = { leaseSeconds: 45, attemptMs: 30_000, drainMs: 8_000, pollMs: 1_000 }
const LEASE_BYTES = 9
const STOP_TRIES = 3
const LAST_PAUSE_MS = 200

/** Delivers the rows of the outbox. NOTIFY wakes it for new rows; it polls for those that come due. */
export function startWorker({ listener, handlers, timing, nowMs = () => performance.now(), ...deps }: WorkerOptions) {
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
    inFlight: (table: string): number => running.get(table)?.inFlight() ?? 0,
    /** A lease for rows that are inserted with it and then `put`. */
    newLease: (): Lease => newLease(times, nowMs),
    /** How many such rows of a queue it takes now; none if older ones may be waiting in the database. */
    directCapacity: (table: string, queue: number): number => running.get(table)?.directCapacity(queue) ?? 0,
    /** Delivers rows that were inserted with a lease of this worker; one that is stopping gives them back, and waits for that. */
    put: async (table: string, rows: Claimed[]): Promise<void> => running.get(table)?.put(rows),
    /** Claims nothing more, finishes the running attempts and settles them; one that hangs is given back. */
    async stop(): Promise<void> {
      clearInterval(poll)
      await Promise.all([...running.values()].map((each) => each.stop()))
    },
  }
}

const newLease = ({ leaseSeconds }: Timing, nowMs: () => number): Lease => ({
  lease: randomBytes(LEASE_BYTES).toString('base64url'),
  leaseSeconds,
  takenMs: nowMs(),
})

interface HandlerDeps extends WorkerDeps {
  nowMs: () => number
  timing: Timing
}

/** Claims rows as slots come free, has the handler deliver them, and settles the outcomes. */
function runHandler<Row extends Claimed>(handler: Handler<Row>, deps: HandlerDeps) {
  const { random, nowMs, timing } = deps
  const { table, schedule } = handler
  const maxClaimed = handler.queues?.prefetch.all ?? handler.inFlight
  const queues = openQueues(handler)
  const settler = openSettler(handler, deps, () => claims.proceed())
  const claims = openClaims<Row>({ ...deps, handler, queues, room, newLease: () => newLease(timing, nowMs), onClaimed })
  const attempts = openAttempts<Row>({ ...timing, handler, nowMs, onEnded })
  let isStopped = false

  /** How many more rows it takes. Outcomes that are not stored count too, so that nothing piles up without a database. */
  function room(): number {
    return maxClaimed - queues.size() - settler.waiting()
  }

  function onClaimed(rows: Row[], { takenMs }: Lease): void {
    for (const row of rows) startRowSpan(handler, row, `claim ${table}`, takenMs)?.end()
    queues.put(rows)
    fillSlots()
  }

  function fillSlots(): void {
    for (let row = queues.next(); row; row = queues.next()) start(row)
  }

  function start(row: Row): void {
    // It waited here so long that its lease might end during the attempt.
    if (nowMs() - row.takenMs > timing.leaseSeconds * 1000 - timing.attemptMs) return end(row, { kind: 'returned' }, 0)
    row.span = startRowSpan(handler, row, `deliver ${table}`)
    attempts.start(row)
  }

  function onEnded(row: Row, outcome: Outcome, ms: number): void {
    end(row, outcome, ms)
    fillSlots()
    claims.proceed()
  }

  function end(row: Row, outcome: Outcome, ms: number): void {
    const ended = conclude(row, outcome, handler.scheduleOf?.(row) ?? schedule, random())
    queues.ended(row, wasAttempted(outcome) ? ms : undefined)
    settler.add(ended)
    if (outcome.kind !== 'returned') report(handler, deps, ended, ms)
  }

  function returnRows(rows: Row[]): void {
    for (const row of rows) settler.add(conclude(row, { kind: 'returned' }, schedule, 0))
  }

  return {
    /** Rows may be due: in that queue, or in any. */
    wake(queue?: number): void {
      if (queue === undefined && settler.waiting() > 0) void settler.flush() // what could not be stored before
      claims.wake(queue)
    },
    inFlight: queues.inFlight,
    directCapacity: (queue: number): number =>
      isStopped || claims.mayHaveMore(queue) ? 0 : Math.min(queues.directCapacity(queue), room()),
    put(rows: Row[]): Promise<void> | undefined {
      if (isStopped) {
        returnRows(rows)
        return settler.flush()
      }
      queues.put(rows)
      withSpans([], fillSlots) // what follows belongs to each delivery, not to the request that hands them over
      return undefined
    },
    async stop(): Promise<void> {
      isStopped = true
      await claims.stop()
      returnRows(queues.empty())
      await attempts.drain()
      // A row whose outcome cannot be stored is free again when its lease ends.
      for (let tries = 1; tries <= STOP_TRIES; tries++) {
        await settler.flush()
        if (settler.waiting() === 0) break
        await pause(LAST_PAUSE_MS)
      }
      handler.close?.()
    },
  }
}

interface AttemptsOptions<Row extends Claimed> extends Pick<Timing, 'attemptMs' | 'drainMs'> {
  handler: Handler<Row>
  nowMs: () => number
  onEnded(row: Row, outcome: Outcome, ms: number): void
}

/** Runs attempts, each until it has an outcome or its time is over. */
function openAttempts<Row extends Claimed>(options: AttemptsOptions<Row>) {
  const { handler, attemptMs, drainMs, nowMs, onEnded } = options
  const stopping = new AbortController()
  /** Each ends a running attempt with an outcome. */
  const running = new Set<(outcome: Outcome) => void>()
  let onIdle: (() => void) | undefined

  async function deliver(row: Row): Promise<Outcome> {
    // Claimed more often than it may be attempted: its worker died each time, and this one would too.
    if (row.attempts > handler.schedule.length + 1)
      return { kind: 'failed', reason: inSpanish('entregas.error.abandoned'), code: 'abandoned' }
    try {
      return await handler.deliver(row, stopping.signal, attemptMs)
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return { kind: 'postponed', reason: message, code: name }
    }
  }

  return {
    start(row: Row): void {
      const startedMs = nowMs()
      const finish = (outcome: Outcome): void => {
        if (!running.delete(finish)) return
        clearTimeout(timer)
        onEnded(row, outcome, Math.round(nowMs() - startedMs))
        if (running.size === 0) onIdle?.()
      }
      const timer = setTimeout(() => finish(timedOut()), attemptMs)
      running.add(finish)
      void withSpans(row.span ? [row.span] : [], () => deliver(row)).then(finish)
    },
    /** Waits for the running attempts, then ends those that are left. */
    async drain(): Promise<void> {
      if (running.size === 0) return
      const timer = setTimeout(() => {
        stopping.abort()
        for (const finish of running) finish({ kind: 'returned' })
      }, drainMs)
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
      clearTimeout(timer)
    },
  }
}

const timedOut = (): Outcome => ({ kind: 'postponed', reason: inSpanish('entregas.error.tooSlow'), code: 'timeout' })

const startRowSpan = <Row extends Claimed>(handler: Handler<Row>, row: Row, name: string, startedMs?: number) =>
  startSpan(name, {
    kind: 'PRODUCER',
    parent: handler.traceparentOf?.(row),
    attributes: { 'rodado.attempt': row.attempts },
    ...(startedMs !== undefined && { startedMs }),
  })

/** Writes an attempt to the log, the metrics and its trace. */
function report<Row extends Claimed>(
  handler: Handler<Row>,
  { log, observe }: WorkerDeps,
  { row, outcome }: Ended<Row>,
  ms: number,
): void {
  const { table } = handler
  const { kind } = outcome
  const code = 'code' in outcome ? outcome.code : undefined
  const { id, attempts: attempt, span } = row
  const about = handler.describe?.(row) ?? {}
  log.info({ table, id, attempt, outcome: kind, ms, code, ...about, ...(span && traceIds(span)) }, 'delivery attempt')
  observe?.(table, kind, ms)
  if (span)
    endSpan(span, kind === 'postponed' || kind === 'failed' ? (code ?? kind) : undefined, attributesOf(about, kind))
}

/** What the log says about a row, as attributes of its span. */
function attributesOf(about: Record<string, string | number | null | undefined>, outcome: string) {
  const named = Object.entries(about).flatMap(([name, value]) => (value == null ? [] : [[`rodado.${name}`, value]]))
  return { ...Object.fromEntries(named), 'rodado.outcome': outcome }
}
