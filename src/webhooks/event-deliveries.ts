import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import type { FeedPosition } from '../store/feed.ts'
import { deliveryIdOf, deliveryIdSql, deliveryIdsOf, destinoOf, eventIdOf, FIRST_DESTINO } from './delivery-ids.ts'
import { type Attempt, DUE_AT, type EstadoEntrega, EVENT_COLUMNS, type LoggedEvent } from './delivery-log.ts'

/** An event in full, with its position in the feed and its delivery. */
export interface AppEvent extends Pick<LoggedEvent, 'id' | 'topic' | 'sid' | 'agencia'> {
  /** Byte for byte as it was published. */
  payload: string
  /** Just before it in the feed: reading from there begins with it. */
  position: FeedPosition
  /** Of the delivery, if there is one. */
  destino: number
  delivery: AppDelivery | null
}

export interface AppDelivery {
  estado: EstadoEntrega
  /** Including those before a resend. */
  attemptCount: number
  /** Null while it waits for an earlier one (ordered.ts). */
  dueAt: Date | null
  /** True while a worker delivers it. */
  isLeased: boolean
  traceparent: string | null
  attempts: Attempt[]
}

/** An event with its delivery to one of the topic's webhooks. */
export async function findEvent(db: Db, app: App, id: string, destino = FIRST_DESTINO): Promise<AppEvent | undefined> {
  const [row] = await db.query<
    Omit<AppEvent, 'delivery' | 'position' | 'destino'> &
      FeedPosition &
      Omit<AppDelivery, 'attempts' | 'estado'> & { estado: EstadoEntrega | null }
  >(sql`
    select ${EVENT_COLUMNS}, e.payload, e.xid::text, (e.position - 1)::text as position, d.estado,
           coalesce(d.attempts + d.carried, 0) as "attemptCount", ${DUE_AT} as "dueAt",
           coalesce(d.leased_until > now(), false) as "isLeased", d.traceparent
    from events e left join deliveries d on d.id = ${deliveryIdSql(sql`e.id`, destino)}
    where e.app_id = ${app.id} and e.id = ${id}`)
  if (!row) return undefined
  const { xid, position, estado, attemptCount, dueAt, isLeased, traceparent, ...event } = row
  const found = { ...event, position: { xid, position }, destino }
  if (estado === null) return { ...found, delivery: null }
  const deliveryId = deliveryIdOf(id, destino)
  const attempts = (await attemptsOf(db, [deliveryId], 'full')).get(deliveryId) ?? []
  return { ...found, delivery: { estado, attemptCount, dueAt, isLeased, traceparent, attempts } }
}

export async function appIdOfEvent(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db.query<{ appId: number }>(sql`select app_id as "appId" from events where id = ${id}`)
  return row?.appId
}

/** A delivery as a list of events shows it. */
export interface EventDelivery {
  id: string
  estado: EstadoEntrega
  failing: boolean
}

/** The deliveries of each event, by its id, to all webhooks of its topic. */
export async function deliveriesOf(db: Db, eventIds: readonly string[]): Promise<Map<string, EventDelivery[]>> {
  const rows = await db.query<EventDelivery>(sql`
    select id, estado, attempts + carried > 0 and last_error is not null as failing
    from deliveries where id = any (${deliveryIdsOf(eventIds)}::text[]) order by id`)
  const byEvent = new Map<string, EventDelivery[]>(eventIds.map((id) => [id, []]))
  for (const row of rows) byEvent.get(eventIdOf(row.id))?.push(row)
  return byEvent
}

/** The numbers of the webhooks that an event has or had a delivery to. */
export async function destinosOf(db: Db, eventId: string): Promise<number[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from deliveries where id = any (${deliveryIdsOf([eventId])}::text[]) order by id`)
  return rows.map(({ id }) => destinoOf(id))
}

/** The attempts at each delivery, oldest first; the short form leaves out addresses and answers. */
export async function attemptsOf(db: Db, ids: string[], form: 'full' | 'short'): Promise<Map<string, Attempt[]>> {
  if (ids.length === 0) return new Map()
  const rest = form === 'full' ? sql`address, answer` : sql`null as address, null as answer`
  const rows = await db.query<Attempt & { id: string }>(sql`
    select delivery_id as id, at, ms, status, error, ${rest} from delivery_attempts
    where delivery_id = any (${ids}::text[]) order by delivery_id, at`)
  const byId = new Map<string, Attempt[]>(ids.map((id) => [id, []]))
  for (const { id, ...attempt } of rows) byId.get(id)?.push(attempt)
  return byId
}

/**
 * Erases what receivers answered to these events, because an answer may repeat the request. A lease is ended first,
 * so that its worker cannot store an answer afterwards; the delivery is then sent again with its current payload.
 */
export async function eraseAnswers(tx: Db, eventIds: string[]): Promise<number> {
  const deliveryIds = deliveryIdsOf(eventIds)
  await tx.query(sql`
    update deliveries set lease = null, leased_until = null, due_at = now()
    where id in (select id from deliveries
                 where id = any (${deliveryIds}::text[]) and lease is not null order by id for no key update)`)
  const erased = await tx.query(sql`
    update delivery_attempts set answer = null
    where delivery_id = any (${deliveryIds}::text[]) and answer is not null returning 1`)
  return erased.length
}
