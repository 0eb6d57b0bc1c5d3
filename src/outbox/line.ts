import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log, Store } from '../store/db.ts'
import { attempt, type Cut } from './attempt.ts'
import type { Carrier } from './carrier.ts'
import { conclude } from './conclude.ts'
import { type Claimed, claim, release } from './outbox.ts'
import { openSettler } from './settler.ts'

/** The times of a worker. */
export interface Timing {
  leaseSeconds: number
  /** Shorter than the lease, so that nobody takes over what is still being carried. */
  carryMs: number
  /** How long a worker that ends waits for what is under way. */
  drainMs: number
}

export interface LineNeeds {
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
  /** Something may be due. */
  wake(): void
  stop(): Promise<void>
}

const LAST_TRIES = 3
const LAST_PAUSE_MS = 200

/** Takes rows as hands come free, has them carried and settled. */
export function openLine<Row extends Claimed>(carrier: Carrier<Row>, needs: LineNeeds): Line {
  const { store, log, random, nowMs, timing, observe } = needs
  const { table, columns, inFlight, schedule } = carrier
  const carrying = new Map<Promise<void>, AbortController>()
  const givenBack: Row[] = []
  const settler = openSettler(carrier, needs, () => mayBeMore && take())
  let taking: Promise<void> | undefined
  let mayBeMore = false
  let stopped = false

  function take(): void {
    mayBeMore = true
    if (stopped || taking) return
    taking = takeAll()
      .catch((err) => log.warn({ err, table }, 'outbox: could not take what is due'))
      .then(() => {
        taking = undefined
        if (mayBeMore && hands() > 0) take() // woken after the last look
      })
  }

  /** What is not settled counts too, so that without a database nothing piles up here. */
  const hands = () => inFlight - carrying.size - settler.waiting()

  async function takeAll(): Promise<void> {
    while (mayBeMore && !stopped) {
      const limit = hands()
      if (limit <= 0) return
      mayBeMore = false
      const { leaseSeconds } = timing
      const rows = await claim<Row>(store, table, columns, { lease: randomUUID(), limit, leaseSeconds })
      for (const row of rows) begin(row)
      mayBeMore ||= rows.length === limit
    }
  }

  function begin(row: Row): void {
    const abort = new AbortController()
    const work = carryOne(row, abort).finally(() => carrying.delete(work))
    carrying.set(work, abort)
  }

  async function carryOne(row: Row, abort: AbortController): Promise<void> {
    const began = nowMs()
    const result = await attempt(carrier, row, abort, timing.carryMs)
    if (result === 'stopped') return void givenBack.push(row)
    const ended = conclude(row, result, schedule, random())
    const ms = Math.round(nowMs() - began)
    const { kind: outcome, code } = { code: undefined, ...ended.outcome }
    log.info({ table, ...carrier.describe?.(row), id: row.id, attempt: row.attempts, outcome, ms, code }, 'outbox')
    observe?.(table, outcome, ms)
    settler.add(ended)
  }

  async function stop(): Promise<void> {
    stopped = true
    await taking
    const patience = setTimeout(() => {
      for (const abort of carrying.values()) abort.abort('stopped' satisfies Cut)
    }, timing.drainMs)
    await Promise.all(carrying.keys())
    clearTimeout(patience)
    for (let tries = 1; tries <= LAST_TRIES; tries++) {
      await settler.flush()
      if (settler.waiting() === 0) break
      await pause(LAST_PAUSE_MS)
    }
    // Without it they come free when their lease ends.
    if (givenBack.length > 0) await release(store, table, givenBack).catch(() => undefined)
    carrier.close?.()
  }

  return {
    wake() {
      if (settler.waiting() > 0) void settler.flush()
      take()
    },
    stop,
  }
}
