import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log, Store } from '../store/db.ts'
import type { Listener } from '../store/listener.ts'
import type { AnyCarrier, Carrier, Outcome } from './handler.ts'
import { type Claimed, claim, dueLanes } from './outbox.ts'
import { openLanes } from './queues.ts'
import { conclude, openSettler, wasTried } from './settlement.ts'

export interface Worker {
  /** How many are being carried, by queue. */
  inFlight(table: string): number
  /** Takes nothing more, finishes what is under way and settles it; what hangs is given back. */
  stop(): Promise<void>
}

export interface WorkerOptions extends Omit<LineDeps, 'timing' | 'nowMs'> {
  listener: Pick<Listener, 'on' | 'onReconnect'>
  carriers: AnyCarrier[]
  nowMs?: () => number
  timing?: Partial<Timing & { pollMs: number }>
}

/** A worker that dies is missed for at most 45 s and one look more: another has its rows within 60 s (decisions.md 8). */
const TIMING = { leaseSeconds: 45, carryMs: 30_000, drainMs: 8_000, pollMs: 1_000 }

/** Carries what the outbox holds. It is woken when something is put there, and looks by itself for what comes due. */
export function startWorker({ listener, carriers, timing, nowMs, ...deps }: WorkerOptions): Worker {
  const times = { ...TIMING, ...timing }
  const line = (carrier: AnyCarrier) => openLine(carrier, { ...deps, nowMs: nowMs ?? clockMs, timing: times })
  const lines = new Map(carriers.map((carrier) => [carrier.table, line(carrier)]))
  const wakeAll = () => {
    for (const line of lines.values()) line.wake()
  }
  listener.on('outbox', (rung) => {
    const [table = '', lane] = rung.split(':')
    lines.get(table)?.wake(lane === undefined ? undefined : Number(lane))
  })
  listener.onReconnect(wakeAll)
  const poll = setInterval(wakeAll, times.pollMs)
  wakeAll()

  return {
    inFlight: (table) => lines.get(table)?.inFlight() ?? 0,
    async stop() {
      clearInterval(poll)
      await Promise.all([...lines.values()].map((line) => line.stop()))
    },
  }
}

const clockMs = () => performance.now()

/** The times of a worker. */
export interface Timing {
  leaseSeconds: number
  /** Shorter than the lease, so that nobody takes over what is still being carried. */
  carryMs: number
  /** How long a worker that ends waits for what is under way. */
  drainMs: number
}

export interface LineDeps {
  store: Store
  log: Log
  /** From 0 to 1. */
  random: () => number
  nowMs: () => number
  timing: Timing
  observe?: ((table: string, outcome: string, ms: number) => void) | undefined
}

/** One carrier at work. */
export interface Line {
  /** Something may be due: in that lane, or in any. */
  wake(lane?: number): void
  /** How many are being carried. */
  inFlight(): number
  stop(): Promise<void>
}

const LEASE_BYTES = 9 // stands in every row that is taken
const LAST_TRIES = 3
const LAST_PAUSE_MS = 200
const TIMED_OUT: Outcome = { kind: 'postponed', reason: 'Tardó demasiado.', code: 'timeout' }

/** Takes rows as hands come free, has them carried and settled. */
export function openLine<Row extends Claimed>(carrier: Carrier<Row>, deps: LineDeps): Line {
  const { store, log, random, nowMs, timing, observe } = deps
  const { table, columns, schedule } = carrier
  const most = carrier.lanes?.ahead.all ?? carrier.inFlight
  const lanes = openLanes(carrier)
  const settler = openSettler(carrier, deps, () => take())
  const stopping = new AbortController()
  /** What ends each running attempt. */
  const running = new Set<(outcome: Outcome) => void>()
  /** The lanes that have to be looked at; those of which nothing is known are found first. */
  const asked = new Set<number>()
  let askedAll = false
  let taking: Promise<void> | undefined
  let stopped = false
  let idle: (() => void) | undefined

  function take(): void {
    if (stopped || taking || !(askedAll || wanted().length > 0)) return
    taking = takeAll()
      .catch((err) => log.warn({ err, table }, 'outbox: could not take what is due'))
      .then(() => {
        taking = undefined
        take() // woken after the last look
      })
  }

  /**
   * When one lane is low the others are filled with it, since a look costs much and a row little. What is not settled
   * counts too, so that without a database nothing piles up here.
   */
  function wanted(): [lane: number, room: number][] {
    let free = most - lanes.atHand() - settler.waiting()
    if (free <= 0 || !some(asked, (lane) => lanes.isLow(lane) && lanes.room(lane) > 0)) return []
    const share = Math.max(1, Math.floor(free / asked.size))
    const found: [number, number][] = []
    for (const lane of asked) {
      const room = Math.min(lanes.room(lane), share, free)
      if (room <= 0) continue
      found.push([lane, room])
      free -= room
    }
    return found
  }

  async function takeAll(): Promise<void> {
    while (!stopped) {
      if (askedAll) {
        askedAll = false
        for (const lane of await dueLanes(store, carrier)) asked.add(lane)
      }
      const wants = wanted()
      if (wants.length === 0) return
      for (const [lane] of wants) asked.delete(lane)
      await takeFrom(wants)
    }
  }

  async function takeFrom(wants: [lane: number, room: number][]): Promise<void> {
    const ids = wants.map(([lane]) => lane)
    const admitted = await carrier.lanes?.admit(store, ids)
    const limits = wants
      .map(([lane, room]) => [lane, admitted ? Math.min(room, admitted.get(lane) ?? 0) : room] as const)
      .filter(([, limit]) => limit > 0)
    if (limits.length === 0) return
    const { leaseSeconds } = timing
    const rows = await claim<Row>(store, carrier, columns, {
      lease: randomBytes(LEASE_BYTES).toString('base64url'),
      leaseSeconds,
      takenMs: nowMs(),
      limits,
    })
    const counts = new Map<number, number>()
    for (const { lane } of rows) counts.set(lane, (counts.get(lane) ?? 0) + 1)
    for (const [lane, limit] of limits) if (counts.get(lane) === limit) asked.add(lane) // there may be more
    lanes.put(rows)
    begin()
  }

  function begin(): void {
    for (let row = lanes.next(); row; row = lanes.next()) carryOne(row)
  }

  function carryOne(row: Row): void {
    const began = nowMs()
    if (isStale(row, began)) return end(row, { kind: 'returned' }, 0)
    const finish = (outcome: Outcome): void => {
      if (!running.delete(finish)) return
      clearTimeout(timer)
      end(row, outcome, Math.round(nowMs() - began))
      begin()
      take()
      if (running.size === 0) idle?.()
    }
    const timer = setTimeout(finish, timing.carryMs, TIMED_OUT)
    running.add(finish)
    void attempt(row).then(finish)
  }

  async function attempt(row: Row): Promise<Outcome> {
    // Claimed more often than it may be attempted: each time its worker died, and so would this one.
    if (row.attempts > schedule.length + 1)
      return { kind: 'failed', reason: 'Ningún intento llegó a su fin.', code: 'abandoned' }
    try {
      return await carrier.carry(row, stopping.signal, timing.carryMs)
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return { kind: 'postponed', reason: message, code: name }
    }
  }

  function end(row: Row, outcome: Outcome, ms: number): void {
    const ended = conclude(row, outcome, carrier.scheduleOf?.(row) ?? schedule, random())
    lanes.ended(row, wasTried(outcome) ? ms : undefined)
    settler.add(ended)
    if (outcome.kind === 'returned') return
    const { kind } = ended.outcome
    const code = 'code' in ended.outcome ? ended.outcome.code : undefined
    const attempt = { table, id: row.id, attempt: row.attempts, outcome: kind, ms, code }
    log.info({ ...attempt, ...carrier.describeLane?.(row.lane), ...carrier.describe?.(row) }, 'outbox')
    observe?.(table, kind, ms)
  }

  /** It waited here so long that its lease might end while it is carried. */
  const isStale = ({ takenMs }: Row, now: number) => now - takenMs > timing.leaseSeconds * 1000 - timing.carryMs

  /** Waits for what is under way, and then no longer. */
  async function drained(): Promise<void> {
    if (running.size === 0) return
    const timer = setTimeout(() => {
      stopping.abort()
      for (const finish of running) finish({ kind: 'returned' })
    }, timing.drainMs)
    await new Promise<void>((resolve) => {
      idle = resolve
    })
    clearTimeout(timer)
  }

  async function stop(): Promise<void> {
    stopped = true
    await taking
    for (const row of lanes.empty()) settler.add(conclude(row, { kind: 'returned' }, schedule, 0))
    await drained()
    // What cannot be written comes free when its lease ends.
    for (let tries = 1; tries <= LAST_TRIES; tries++) {
      await settler.flush()
      if (settler.waiting() === 0) break
      await pause(LAST_PAUSE_MS)
    }
    carrier.close?.()
  }

  return {
    wake(lane) {
      if (lane !== undefined) asked.add(lane)
      else {
        askedAll = true
        if (settler.waiting() > 0) void settler.flush() // what could not be written before
      }
      take()
    },
    inFlight: lanes.carrying,
    stop,
  }
}

function some<T>(values: Iterable<T>, is: (value: T) => boolean): boolean {
  for (const value of values) if (is(value)) return true
  return false
}
