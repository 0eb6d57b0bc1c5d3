import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import type { FeedPosition } from '../store/feed.ts'
import type { Attempt, EstadoEntrega } from './log.ts'

/** An event of an app in full: what it says, where it stands in the feed, and how its delivery went, if it had one. */
export interface AppEvent {
  id: string
  topic: string
  sid: string | null
  agencia: { href: string; title: string } | null
  /** As it was frozen, byte for byte. */
  payload: string
  /** Right before it in the feed: reading on from there begins with it. */
  place: FeedPosition
  delivery: AppDelivery | null
}

export interface AppDelivery {
  estado: EstadoEntrega
  /** How often it was tried, resends included. */
  tries: number
  dueAt: Date
  /** A worker has it in hand. */
  carried: boolean
  traceparent: string | null
  attempts: Attempt[]
}

type Row = Omit<AppEvent, 'delivery' | 'place'> &
  FeedPosition & { estado: EstadoEntrega | null } & Omit<AppDelivery, 'attempts' | 'estado'>

/** The event with that id, if it was told to this app. */
export async function findEvent(db: Db, app: App, id: string): Promise<AppEvent | undefined> {
  const [row] = await db.query<Row>(sql`
    select e.id, e.topic, e.sid, e.payload::json -> 'Agencia' as agencia, e.payload, e.xid::text,
           (e.position - 1)::text as position, d.estado, coalesce(d.attempts + d.carried, 0) as tries,
           d.due_at as "dueAt", coalesce(d.leased_until > now(), false) as carried, d.traceparent
    from events e left join deliveries d on d.id = e.id
    where e.app_id = ${app.id} and e.id = ${id}`)
  if (!row) return undefined
  const { xid, position, estado, tries, dueAt, carried, traceparent, ...event } = row
  const place = { xid, position }
  if (estado === null) return { ...event, place, delivery: null }
  const attempts = await db.query<Attempt>(sql`
    select at, ms, status, error, address, answer from delivery_attempts where delivery_id = ${id} order by at`)
  return { ...event, place, delivery: { estado, tries, dueAt, carried, traceparent, attempts } }
}
