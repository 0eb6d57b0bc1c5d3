import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** Whom an inquiry was told when it came, and how that went. */
export interface Told {
  app: string
  evento: string
  /** Of the delivery; null where the app had no webhook. */
  estado: string | null
  /** What the receiver last answered. */
  status: number | null
  error: string | null
  /** Until when its webhook is left alone, because it only failed: nothing is tried before. */
  pausada: Date | null
}

/** Every app that was told of an inquiry, for whoever runs the house. */
export const toldOf = (db: Db, sid: string): Promise<Told[]> =>
  db.query<Told>(sql`
    select a.nombre as app, e.id as evento, d.estado, last.status, d.last_error as error,
      w.paused_until as pausada
    from events e join apps a on a.id = e.app_id left join deliveries d on d.id = e.id
    left join webhooks w on w.id = d.webhook_id
    left join lateral (select t.status from delivery_attempts t where t.delivery_id = e.id order by t.at desc limit 1) last on true
    where e.sid = ${sid} and e.topic = 'consulta.recibida' order by e.position`)
