import { Histogram, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { forScrape, gauge } from '../store/metrics.ts'

const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60, 600, 3_600, 86_400]
const STATES = ['bien', 'fallando', 'pausado', 'deshabilitado'] as const

/** Returns the function to call with the latency of a delivery. */
export function measureDeliveries(registry: Registry) {
  const latency = new Histogram({
    name: 'rodado_delivery_latency_seconds',
    help: 'Time from an event to its delivery, including retries; with EnOrden, from its turn. Resent deliveries are not counted.',
    buckets: BUCKETS,
    registers: [registry],
  })
  return (seconds: number): void => latency.observe(seconds)
}

/** The health of webhooks, the same from every node and role. */
export function measureWebhooks(registry: Registry, db: Db): void {
  const help = 'Active webhooks by health: bien, fallando, pausado (the breaker is open), deshabilitado.'
  gauge(registry, 'rodado_webhooks', help, ['estado'], async () => {
    const counts = await forScrape(countStates(db))
    return counts && STATES.map((estado) => [{ estado }, counts.get(estado) ?? 0])
  })
}

async function countStates(db: Db): Promise<Map<string, number>> {
  const rows = await db.query<{ estado: string; count: number }>(sql`
    select case when disabled_at is not null then 'deshabilitado' when paused_until is not null then 'pausado'
      when failing_since is not null then 'fallando' else 'bien' end as estado, count(*)
    from webhooks where activo group by 1`)
  return new Map(rows.map(({ estado, count }) => [estado, count]))
}
