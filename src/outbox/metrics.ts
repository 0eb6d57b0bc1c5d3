import { Gauge, Histogram, type Registry } from 'prom-client'
import sql, { empty, raw } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { AnyHandler } from './handler.ts'

const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]

type Watched = Pick<AnyHandler, 'table' | 'held'>

/** The metrics of the outbox tables. Returns the function to call after each attempt. */
export function measureOutbox(registry: Registry, db: Db, tables: Watched[], inFlight: (table: string) => number) {
  const registers = [registry]
  const labelNames = ['table'] as const
  const attempts = new Histogram({
    name: 'rodado_outbox_attempt_duration_seconds',
    help: 'Delivery attempts by table and outcome.',
    labelNames: ['table', 'outcome'],
    buckets: BUCKETS,
    registers,
  })
  new Gauge({
    name: 'rodado_outbox_in_flight',
    help: 'Attempts that this process is making now.',
    labelNames,
    registers,
    collect() {
      for (const { table } of tables) this.set({ table }, inFlight(table))
    },
  })
  const gauge = (name: string, help: string, value: keyof Pending) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        for (const each of tables) {
          const { table } = each
          const pending = await countPending(db, each).catch(() => undefined)
          if (pending) this.set({ table }, pending[value])
          else this.remove({ table })
        }
      },
    })
  gauge('rodado_outbox_queued', 'Rows that are not delivered yet, including those that wait for a retry.', 'count')
  gauge(
    'rodado_outbox_behind_seconds',
    'How long the oldest due row has been waiting; 0 if none is due. Rows of paused receivers are not counted.',
    'seconds',
  )

  return (table: string, outcome: string, ms: number): void => attempts.observe({ table, outcome }, ms / 1000)
}

interface Pending {
  count: number
  seconds: number
}

async function countPending(db: Db, { table, held }: Watched): Promise<Pending> {
  const [row] = await db.query<{ count: number; seconds: number | null }>(sql`
    select count(*), extract(epoch from now() - min(due_at) ${held ? sql`filter (where not ${held})` : empty})::float8
      as seconds
    from ${raw(table)} row where estado = 'pendiente'`)
  return { count: row?.count ?? 0, seconds: Math.max(0, row?.seconds ?? 0) }
}
