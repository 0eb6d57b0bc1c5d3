import sql from 'sql-template-tag'
import { DAY_MS } from '../clock.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Db } from '../store/db.ts'

/** What the status page reports on: that requests are answered, and that events are delivered. */
export const PARTS = ['api', 'entregas'] as const
export type Part = (typeof PARTS)[number]

/** Twice a minute: with one a minute, a late timer would leave a minute out. */
const EVERY_MS = 30_000

/** Stored for what took longer than a day. */
export const SLOWER_MS = 2_147_483_647
/** The limits of the latency that is stored, in milliseconds. */
export const LATENCY_LIMITS = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 600_000, DAY_MS, SLOWER_MS]

interface HeartbeatOptions {
  db: Db
  log: Log
  /** What this process does. */
  parts: readonly Part[]
}

/** Stores, while this process runs, that it does, and how long its deliveries take. */
export function openHeartbeat({ db, log, parts }: HeartbeatOptions) {
  const slots = new Map<number, number>()
  let running: Promise<void> | undefined

  async function write(): Promise<void> {
    await db.query(sql`
      insert into heartbeats as h (part, hora, minutes)
      select part, date_trunc('hour', now(), 'UTC'), 1::bigint << extract(minute from now())::int
      from unnest(${parts}::text[]) as part
      on conflict (part, hora) do update set minutes = h.minutes | excluded.minutes, last_at = now()`)
    const counted = [...slots]
    if (counted.length === 0) return
    await db.query(sql`
      insert into delivery_latency as l (hora, up_to_ms, deliveries)
      select date_trunc('hour', now(), 'UTC'), up_to_ms, deliveries
      from unnest(${counted.map(([limit]) => limit)}::int[], ${counted.map(([, count]) => count)}::int[])
        as slot (up_to_ms, deliveries)
      on conflict (hora, up_to_ms) do update set deliveries = l.deliveries + excluded.deliveries`)
    for (const [limit, count] of counted) slots.set(limit, (slots.get(limit) ?? 0) - count)
    for (const [limit, count] of slots) if (count === 0) slots.delete(limit)
  }

  /** A minute that could not be stored is a minute in which the service was not available. */
  function beat(): Promise<void> {
    running ??= write()
      .catch((err) => log.warn({ err }, 'status: heartbeat not stored'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  let timer: NodeJS.Timeout | undefined
  return {
    beat,
    start(): void {
      timer = setInterval(() => void beat(), EVERY_MS)
      void beat()
    },
    /** Counts a delivery that succeeded at its first attempt. */
    delivered(ms: number): void {
      const limit = LATENCY_LIMITS.find((each) => ms <= each) ?? SLOWER_MS
      slots.set(limit, (slots.get(limit) ?? 0) + 1)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
      if (slots.size > 0) await beat()
    },
  }
}
