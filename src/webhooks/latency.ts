import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import { deliveryIdsSql } from './delivery-ids.ts'

/** How long a receiver takes to answer, over its latest deliveries. */
export interface ReceiverLatency {
  topic: string
  destino: number
  attempts: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
}

/** The latest events of a topic that are read, so that the cost of a page is bounded. */
export const MAX_MEASURED = 500

/** The response times of an app's receivers; without those that have not answered yet. */
export const receiverLatencies = (db: Db, app: App): Promise<ReceiverLatency[]> =>
  db.query<ReceiverLatency>(sql`
    select w.topic, w.destino, measured.attempts, measured.ms[1] as p50, measured.ms[2] as p95, measured.ms[3] as p99
    from webhooks w cross join lateral (
      select count(*)::int as attempts, percentile_disc(array[0.5, 0.95, 0.99]) within group (order by t.ms) as ms
      from (
        select (${deliveryIdsSql(sql`e.id`)})[w.destino] as id from events e
        where e.app_id = w.app_id and e.topic = w.topic order by e.id desc limit ${MAX_MEASURED}
      ) recent
      join delivery_attempts t on t.delivery_id = recent.id and t.status is not null
    ) measured
    where w.app_id = ${app.id} and measured.attempts > 0 order by w.topic, w.destino`)
