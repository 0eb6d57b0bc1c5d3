import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import { toTimestamp } from '../http/dates.ts'
import type { Lease } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import { type FeedPosition, isVisibleInFeed } from '../store/feed.ts'
import { inlineNumber, opaqueTexts } from '../store/prepared.ts'
import { ulid } from '../ulid.ts'
import { deliveryIdOf, deliveryIdsSql } from './delivery-ids.ts'
import { WEBHOOK_VERSION } from './destinations.ts'
import { knownTrace } from './headers.ts'
import { IS_ENABLED } from './store.ts'
import type { Topic } from './topics.ts'

export interface NewEvent {
  appId: number
  topic: Topic
  /** Its id is null in a test event, whose agency is invented. */
  agencia: { id: number | null; adminMail: string; href: string; title: string }
  moment: Date
  timeZone: string
  /** The inquiry it is about; the event can be found by it. */
  sid?: string
  /** What the topic adds to the payload: `Consulta`, `Por` … */
  body?: Record<string, unknown>
  /** What the topic adds, as JSON text that several events share: `"Consulta":{…}`. */
  serialized?: string
  /** The W3C trace of what happened; passed on with the delivery. */
  traceparent?: string | undefined
}

/** A row of `events`. Its payload changes only when a person is erased. */
export interface EventRow {
  id: string
  appId: number
  agenciaId: number | null
  topic: Topic
  sid: string | null
  payload: string
  traceparent: string | null
}

/** In the transaction of what happened, whether or not the app has a webhook for it (docs/decisions/webhooks.md). */
export async function publishEvent(tx: Db, about: NewEvent): Promise<string> {
  const event = buildEvent(about)
  await insertEvents(tx, [event])
  return event.id
}

/** Publishes an event that this webhook gets, whatever its topic. */
export async function publishTo(tx: Db, webhook: { id: number; destino: number }, about: NewEvent): Promise<string> {
  const { id, appId, agenciaId, topic, sid, payload, traceparent } = buildEvent(about)
  await tx.query(sql`
    with inserted as (
      insert into events (id, app_id, agencia_id, topic, sid, payload)
      values (${id}, ${appId}, ${agenciaId}, ${topic}, ${sid}, ${payload}))
    insert into deliveries (id, app_id, webhook_id, estado, due_at, traceparent)
    values (${deliveryIdOf(id, webhook.destino)}, ${appId}, ${webhook.id}, 'pendiente', now(), ${traceparent})`)
  tx.notify(`deliveries:${webhook.id}`)
  tx.notify(`app:${appId}`)
  return id
}

/** The topic in a payload, which begins with Id and Topic; a verification goes to webhooks of other topics. */
export const topicIn = (payload: string): string | undefined => /^\{"Id":"\w+","Topic":"([a-z.]+)"/.exec(payload)?.[1]

export function buildEvent(about: NewEvent, id = ulid(about.moment.getTime())): EventRow {
  const { appId, topic, agencia, moment, timeZone, sid = null, body = {}, serialized, traceparent } = about
  const members = JSON.stringify({
    Id: id,
    Topic: topic,
    Version: 1,
    Momento: toTimestamp(moment, timeZone),
    Agencia: { href: agencia.href, title: agencia.title },
    AdminMail: agencia.adminMail,
    ...body,
  })
  const payload = serialized === undefined ? members : `${members.slice(0, -1)},${serialized}}`
  return { id, appId, agenciaId: agencia.id, topic, sid, payload, traceparent: knownTrace(traceparent) }
}

/** A lease for new deliveries that this process makes itself (direct.ts). */
export interface Reservation extends Pick<Lease, 'lease' | 'leaseSeconds'> {
  /** For each event its webhooks that this process knows, as `|id version|`; null: leave the deliveries to the queue. */
  versions: (string | null)[]
  /** Starts to make the deliveries that were inserted with the lease, after the commit; it does not wait for them. */
  deliver(deliveryIds: string[]): Promise<void>
}

const UNRESERVED = { lease: '', leaseSeconds: 0, versions: [] }

export async function insertEvents(tx: Db, events: EventRow[]): Promise<void> {
  const queues = await tx.query<{ webhookId: number }>(
    sql`/* insert events */
    with ${insertEventsSql(events)} select distinct webhook_id as "webhookId" from new_deliveries where is_queued`,
    'keep-plan',
  )
  for (const { webhookId } of queues) tx.notify(`deliveries:${webhookId}`)
  // An app that reads after its webhook finds what the event says (store/replicas.ts).
  for (const { appId } of events) tx.notify(`app:${appId}`)
}

/**
 * The parts of a statement that insert events and, for apps with a webhook, their deliveries. A webhook that is off, or
 * whose topic was withdrawn, gets a discarded delivery, which can be resent once it is on again. `where` selects events.
 * Deliveries to a webhook whose version was reserved get the lease. Those of an ordered one wait (ordered.ts). The caller
 * notifies the queues of those that are `is_queued` in `new_deliveries`, and hands the ids of those that are `is_leased` to the
 * reservation.
 */
export const insertEventsSql = (
  events: EventRow[],
  { lease, leaseSeconds, versions }: Omit<Reservation, 'deliver'> = UNRESERVED,
  where: Sql = sql`true`,
): Sql => sql`
  new_events as materialized (
    select * from unnest(
      ${opaqueTexts(events.map(({ id }) => id))}, ${events.map(({ appId }) => appId)}::int[],
      ${events.map(({ agenciaId }) => agenciaId)}::int[], ${events.map(({ topic }) => topic)}::text[],
      ${events.map(({ sid }) => sid)}::text[], ${events.map(({ payload }) => payload)}::text[],
      ${events.map(({ traceparent }) => traceparent)}::text[], ${versions}::text[]
    ) as event (id, app_id, agencia_id, topic, sid, payload, traceparent, versions)
    where ${where}
  ), inserted_events as (
    insert into events (id, app_id, agencia_id, topic, sid, payload)
    select id, app_id, agencia_id, topic, sid, payload from new_events
  ), new_deliveries as (
    insert into deliveries (id, app_id, webhook_id, estado, due_at, traceparent, attempts, lease, leased_until)
    select webhook.delivery_id, new_events.app_id, webhook.id, webhook.estado, webhook.due_at, new_events.traceparent,
      case when is_direct then 1 else 0 end, case when is_direct then ${lease} end,
      case when is_direct then now() + make_interval(secs => ${leaseSeconds}) end
    from new_events
    cross join lateral (
      select w.id,
        case w.destino when 1 then new_events.id else new_events.id || '-' || w.destino end as delivery_id,
        case when ${IS_ENABLED} then 'pendiente' else 'descartada' end as estado,
        case when w.en_orden and ${IS_ENABLED} then 'infinity' else now() end as due_at,
        ${IS_ENABLED} and w.paused_until is null and not w.en_orden
          and strpos(new_events.versions, concat('|', w.id, ' ', ${WEBHOOK_VERSION}, '|')) > 0 as is_direct
      from webhooks w
      where w.app_id = new_events.app_id and w.topic = new_events.topic
        and (w.agencias is null or new_events.agencia_id = any (w.agencias))
      offset 0 -- makes PostgreSQL look up each webhook by index instead of reading all of them
    ) as webhook
    returning id, webhook_id, lease is not null as is_leased, estado = 'pendiente' and lease is null as is_queued
  )`

/** Deletes an agency's events, except the end of the association, from an app that no longer sees the agency. */
export async function withdrawEvents(tx: Db, appId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    with gone as (
      delete from events
      where app_id = ${appId} and agencia_id = ${agenciaId} and topic <> 'agencia.desasociada' returning id
    ), deleted_deliveries as (
      delete from deliveries using gone where deliveries.id = any (${deliveryIdsSql(sql`gone.id`)})
    )
    delete from delivery_attempts using gone where delivery_id = any (${deliveryIdsSql(sql`gone.id`)})`)
}

interface FeedPage {
  payloads: string[]
  /** After the last event of the page; the given position if there is none. */
  end: FeedPosition
}

/**
 * The app's events after a position, oldest first: the months are merged, each read from its index. The position is hidden
 * from the planner, which would take the newest rows for few, and read and sort all of them for each page.
 */
export const feedSql = (appId: number, after: FeedPosition, limit: number): Sql => sql`/* read feed */
  select payload, xid::text, position::text from events
  where app_id = ${appId} and (xid, position) > ((select ${after.xid}::xid8), (select ${after.position}::bigint))
    and ${isVisibleInFeed(sql`xid`)}
  order by events.xid, events.position limit ${inlineNumber(limit)}`

export async function readFeed(db: Db, app: App, after: FeedPosition, limit: number): Promise<FeedPage> {
  const rows = await db.query<{ payload: string } & FeedPosition>(feedSql(app.id, after, limit), 'keep-plan')
  const last = rows.at(-1)
  return {
    payloads: rows.map(({ payload }) => payload),
    end: last ? { xid: last.xid, position: last.position } : after,
  }
}
