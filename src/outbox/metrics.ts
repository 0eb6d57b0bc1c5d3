import { Gauge, Histogram, type Registry } from 'prom-client'
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { AnyCarrier } from './carrier.ts'

/** What an operator watches: how attempts end and how long they take, and how far behind each queue is. */
export function measureOutbox(registry: Registry, db: Db, queues: Pick<AnyCarrier, 'table'>[]) {
  const attempts = new Histogram({
    name: 'rodado_outbox_attempt_duration_seconds',
    help: 'Attempts to deliver what leaves the house, by queue and outcome.',
    labelNames: ['table', 'outcome'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [registry],
  })
  new Gauge({
    name: 'rodado_outbox_behind_seconds',
    help: 'How long the oldest row that is due has been waiting; 0 when none is.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      for (const { table } of queues) {
        const behind = await secondsBehind(db, table).catch(() => undefined)
        if (behind === undefined) this.remove({ table })
        else this.set({ table }, behind)
      }
    },
  })
  return (table: string, outcome: string, ms: number): void => attempts.observe({ table, outcome }, ms / 1000)
}

async function secondsBehind(db: Db, table: string): Promise<number> {
  const [row] = await db.query<{ seconds: number | null }>(sql`
    select extract(epoch from now() - min(due_at))::float8 as seconds from ${raw(table)} where estado = 'pendiente'`)
  return Math.max(0, row?.seconds ?? 0)
}
