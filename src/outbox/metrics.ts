import { Gauge, Histogram, type Registry } from 'prom-client'
import sql, { empty, raw } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { AnyCarrier } from './handler.ts'

const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]

type Watched = Pick<AnyCarrier, 'table' | 'held'>

/**
 * What an operator watches: how attempts end and how long they take, how much each queue holds, and how far behind it is.
 * Returns what a worker calls after each attempt.
 */
export function measureOutbox(registry: Registry, db: Db, queues: Watched[], inFlight: (table: string) => number) {
  const registers = [registry]
  const labelNames = ['table'] as const
  const attempts = new Histogram({
    name: 'rodado_outbox_attempt_duration_seconds',
    help: 'Delivery attempts by queue and outcome.',
    labelNames: ['table', 'outcome'],
    buckets: BUCKETS,
    registers,
  })
  new Gauge({
    name: 'rodado_outbox_in_flight',
    help: 'How many are being carried now by this process.',
    labelNames,
    registers,
    collect() {
      for (const { table } of queues) this.set({ table }, inFlight(table))
    },
  })
  const watch = (name: string, help: string, seen: keyof Waiting) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        for (const queue of queues) {
          const { table } = queue
          const waiting = await whatWaits(db, queue).catch(() => undefined)
          if (waiting) this.set({ table }, waiting[seen])
          else this.remove({ table })
        }
      },
    })
  watch(
    'rodado_outbox_queued',
    'How many rows are not delivered yet, those that wait for their next attempt included.',
    'count',
  )
  watch(
    'rodado_outbox_behind_seconds',
    'How long the oldest row that is due has been waiting; 0 when none is. What waits for its receiver is not counted.',
    'seconds',
  )

  return (table: string, outcome: string, ms: number): void => attempts.observe({ table, outcome }, ms / 1000)
}

interface Waiting {
  count: number
  seconds: number
}

async function whatWaits(db: Db, { table, held }: Watched): Promise<Waiting> {
  const [row] = await db.query<{ count: number; seconds: number | null }>(sql`
    select count(*), extract(epoch from now() - min(due_at) ${held ? sql`filter (where not ${held})` : empty})::float8
      as seconds
    from ${raw(table)} row where estado = 'pendiente'`)
  return { count: row?.count ?? 0, seconds: Math.max(0, row?.seconds ?? 0) }
}
