import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import { toTimestamp } from '../http/dates.ts'
import type { Db } from '../store/db.ts'
import { type FeedPosition, isSettled } from '../store/feed.ts'
import { hiddenTexts } from '../store/prepared.ts'
import type { Topic } from './topics.ts'
import { knownTrace } from './trace.ts'
import { ulid } from './ulid.ts'

export interface NewEvent {
  appId: number
  topic: Topic
  /** Its id is null in a test, which tells of an agency that there is not. */
  agencia: { id: number | null; adminMail: string; href: string; title: string }
  moment: Date
  timeZone: string
  /** The inquiry it tells of, by which the event is found again. */
  sid?: string
  /** What the topic adds to the payload: `Consulta`, `Por` … */
  body?: Record<string, unknown>
  /** The same, where it is printed already: `"Consulta":{…}`. */
  printed?: string
  /** The W3C trace that the fact belongs to; passed on with the delivery. */
  traceparent?: string | undefined
}

/** What an app is told, frozen byte for byte. */
export interface EventRow {
  id: string
  appId: number
  agenciaId: number | null
  topic: Topic
  sid: string | null
  payload: string
  traceparent: string | null
}

/**
 * Writes what happened for the app it concerns, in the transaction of the fact, whether or not anyone listens. The
 * payload is frozen here, byte for byte (decisions, "Events and their delivery"); its id is returned.
 */
export async function publishEvent(tx: Db, about: NewEvent): Promise<string> {
  const event = buildEvent(about)
  await insertEvents(tx, [event])
  return event.id
}

/** The event that an announcement becomes. */
export function buildEvent(about: NewEvent, id = ulid(about.moment.getTime())): EventRow {
  const { appId, topic, agencia, moment, timeZone, sid = null, body = {}, printed, traceparent } = about
  const members = JSON.stringify({
    Id: id,
    Topic: topic,
    Version: 1,
    Momento: toTimestamp(moment, timeZone),
    Agencia: { href: agencia.href, title: agencia.title },
    AdminMail: agencia.adminMail,
    ...body,
  })
  const payload = printed === undefined ? members : `${members.slice(0, -1)},${printed}}`
  return { id, appId, agenciaId: agencia.id, topic, sid, payload, traceparent: knownTrace(traceparent) }
}

/** Writes events, and puts each in the outbox of its app. */
export async function insertEvents(tx: Db, events: EventRow[]): Promise<void> {
  const lanes = await tx.query<{ webhookId: number }>(
    sql`
    with ${insertEventsSql(events)} select distinct webhook_id as "webhookId" from put where estado = 'pendiente'`,
    'keep-plan',
  )
  for (const { webhookId } of lanes) tx.notify(`deliveries:${webhookId}`)
}

/**
 * The parts `telling`, `told` and `put` of a statement that writes events: each is in the outbox where its app has a webhook
 * for it. One that is off, or whose topic was withdrawn, gets a delivery that was discarded, so that it can be sent once
 * the webhook is on again. `where` may leave some out. Whoever writes rings the lanes of what is `pendiente` in `put`.
 */
export const insertEventsSql = (events: EventRow[], where: Sql = sql`true`): Sql => sql`
  telling as materialized (
    select * from unnest(
      ${hiddenTexts(events.map(({ id }) => id))}, ${events.map(({ appId }) => appId)}::int[],
      ${events.map(({ agenciaId }) => agenciaId)}::int[], ${events.map(({ topic }) => topic)}::text[],
      ${events.map(({ sid }) => sid)}::text[], ${events.map(({ payload }) => payload)}::text[],
      ${events.map(({ traceparent }) => traceparent)}::text[]
    ) as event (id, app_id, agencia_id, topic, sid, payload, traceparent)
    where ${where}
  ), told as (
    insert into events (id, app_id, agencia_id, topic, sid, payload)
    select id, app_id, agencia_id, topic, sid, payload from telling
  ), put as (
    insert into deliveries (id, app_id, webhook_id, estado, due_at, traceparent)
    select telling.id, telling.app_id, heard.id, heard.estado, now(), telling.traceparent
    from telling
    cross join lateral (
      select w.id,
        case when w.activo and w.disabled_at is null and (a.topics is null or w.topic = any (a.topics))
          then 'pendiente' else 'descartada' end as estado
      from webhooks w join apps a on a.id = w.app_id
      where w.app_id = telling.app_id and w.topic = telling.topic
      offset 0 -- looked up for each: a plan that goes through all webhooks may seem cheap, and grows with them
    ) as heard
    returning webhook_id, estado
  )`

/** Takes an agency's events from an app that no longer sees it, with their deliveries; that the association ended stays told. */
export async function withdrawEvents(tx: Db, appId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    with gone as (
      delete from events
      where app_id = ${appId} and agencia_id = ${agenciaId} and topic <> 'agencia.desasociada' returning id
    ), undelivered as (
      delete from deliveries using gone where deliveries.id = gone.id
    )
    delete from delivery_attempts using gone where delivery_id = gone.id`)
}

export interface FeedPage {
  payloads: string[]
  /** After the last event of the page; where it was asked from when there is none. */
  end: FeedPosition
}

/** The app's events after a place, oldest first. */
export async function readFeed(db: Db, app: App, after: FeedPosition, limit: number): Promise<FeedPage> {
  const rows = await db.query<{ payload: string } & FeedPosition>(sql`
    select payload, xid::text, position::text from events
    where app_id = ${app.id} and (xid, position) > (${after.xid}::xid8, ${after.position}::bigint)
      and ${isSettled(sql`xid`)}
    order by events.xid, events.position limit ${limit}`)
  const last = rows.at(-1)
  return {
    payloads: rows.map(({ payload }) => payload),
    end: last ? { xid: last.xid, position: last.position } : after,
  }
}
