import sql, { join, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import { limitConcurrency } from '../http/limit-concurrency.ts'
import { message } from '../i18n/messages.tsx'
import type { Db } from '../store/db.ts'
import { deliveryIdOf, deliveryIdSql, destinoOf, eventIdOf } from './delivery-ids.ts'
import {
  type Attempt,
  DUE_AT,
  type EstadoEntrega,
  EVENT_COLUMNS,
  type IdRange,
  type LoggedEvent,
  MAX_SCANNED,
  withinBounds,
} from './delivery-log.ts'
import { attemptsOf, findEvent } from './event-deliveries.ts'
import { isWanted, type WebhookRef } from './resend.ts'

/** The filters of the API, within one topic and one of its webhooks. */
export interface TopicFilter extends IdRange {
  destino: number
  estados?: EstadoEntrega[] | undefined
  /** By the address in the payload if the agency has left the app; null matches nothing. */
  agencia?: { id: number } | { adminMail: string } | null | undefined
  evento?: string | undefined
  sid?: string | undefined
  after?: string | undefined
  /** Only events that have a delivery to the webhook. */
  queuedOnly?: boolean | undefined
}

/** A delivery with its attempts, oldest first. */
export interface LoggedDelivery extends Pick<LoggedEvent, 'topic' | 'agencia'> {
  id: string
  evento: string
  destino: number
  estado: EstadoEntrega
  /** Null while it waits for an earlier one (ordered.ts). */
  dueAt: Date | null
  attempts: Attempt[]
}

/** Events scanned at first: enough for a page of which most match. */
const FIRST_SCANNED = 200

/** Scans in this process: one at a time for each app, a few in all, so that others find a connection. */
const limited = limitConcurrency({
  most: 4,
  mostOfKey: 1,
  refusal: message('problema.inProgress'),
})

/** A page of an app's deliveries of a topic, newest first; without addresses and answers. */
export async function listDeliveries(
  db: Db,
  app: App,
  topic: string,
  filter: TopicFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<LoggedDelivery[]> {
  const { destino } = filter
  type Row = Pick<LoggedEvent, 'id' | 'topic' | 'agencia'> & Pick<LoggedDelivery, 'estado' | 'dueAt'>
  const rows: Row[] = []
  await scan(db, app, topic, { ...filter, before, scanned: FIRST_SCANNED }, async (part) => {
    rows.push(
      ...(await db.query<Row>(sql`
        select ${EVENT_COLUMNS}, d.estado, ${DUE_AT} as "dueAt"
        from events e join deliveries d on d.id = ${deliveryIdSql(sql`e.id`, destino)}
        where e.app_id = ${app.id} and d.app_id = ${app.id} and e.topic = ${topic} and ${matchesTopic(filter)} and ${part}
        order by e.id desc limit ${limit - rows.length}`)),
    )
    return rows.length < limit
  })
  const found = rows.map(({ id: evento, ...row }) => ({ ...row, id: deliveryIdOf(evento, destino), evento, destino }))
  const attempts = await attemptsOf(
    db,
    found.map(({ id }) => id),
    'short',
  )
  return found.map((row) => ({ ...row, attempts: attempts.get(row.id) ?? [] }))
}

/** One delivery, with the address and answer of each attempt. */
export async function findDelivery(
  db: Db,
  app: App,
  topic: string,
  id: string,
): Promise<(LoggedDelivery & { payload: string }) | undefined> {
  const evento = eventIdOf(id)
  const destino = destinoOf(id)
  const event = await findEvent(db, app, evento, destino)
  if (event?.topic !== topic || !event.delivery) return undefined
  const { estado, dueAt, attempts } = event.delivery
  return { id, evento, destino, topic, agencia: event.agencia, payload: event.payload, estado, dueAt, attempts }
}

/** How many events a resend with this filter would send. */
export async function countResendable(
  db: Db,
  app: App,
  topic: string,
  filter: TopicFilter,
  webhook: Pick<WebhookRef, 'agencias'> | undefined,
): Promise<number> {
  let count = 0
  await scan(db, app, topic, filter, async (part) => {
    const [counted] = await db.query<{ count: number }>(sql`
      select count(*) from events e left join deliveries d on d.id = ${deliveryIdSql(sql`e.id`, filter.destino)}
      where e.app_id = ${app.id} and e.topic = ${topic} and ${resendable(filter)} and ${isWanted(webhook)} and ${part}`)
    count += counted?.count ?? 0
    return true
  })
  return count
}

interface ScanBounds extends Pick<TopicFilter, 'from' | 'until' | 'after' | 'agencia' | 'evento' | 'sid'> {
  before?: string | undefined
  /** How many events the first part has. */
  scanned?: number
}

/**
 * Reads the events `e` of a topic in parts, newest first, while `read` answers true: few or none of a million may match, and
 * one statement over all would hold its connection until its time limit. `evento` and `sid` have an index of their own.
 */
async function scan(
  db: Db,
  app: App,
  topic: string,
  { evento, sid, agencia, before: start, after, scanned = MAX_SCANNED, ...period }: ScanBounds,
  read: (part: Sql) => Promise<boolean>,
): Promise<void> {
  if (agencia === null) return
  const isIndexed = evento !== undefined || sid !== undefined
  let before = start
  let size = scanned
  for (;;) {
    const upTo = before === undefined ? sql`true` : sql`e.id < ${before}`
    const readPart = async (): Promise<string | undefined> => {
      const [last] = isIndexed
        ? []
        : await db.query<{ id: string }>(sql`
            select e.id from events e
            where e.app_id = ${app.id} and e.topic = ${topic} and ${withinBounds(sql`e.id`, period, { after, limit: 0 })} and ${upTo}
            order by e.id desc limit 1 offset ${size - 1}`)
      const part = last === undefined ? upTo : sql`${upTo} and e.id >= ${last.id}`
      return (await read(part)) ? last?.id : undefined
    }
    before = evento === undefined ? await limited(app.id, readPart) : await readPart()
    if (before === undefined) return
    size = MAX_SCANNED
  }
}

/** `countResendable` among the newest events, and whether there may be more; quick enough for a page. */
export async function estimateResendable(
  db: Db,
  app: App,
  { topic, agencias }: Pick<WebhookRef, 'topic' | 'agencias'>,
  { estados, queuedOnly, ...rest }: TopicFilter,
): Promise<{ count: number; more: boolean }> {
  const { destino } = rest
  const [counted] = await db.query<{ count: number; scanned: number }>(sql`
    select count(*) filter (where ${resendable({ destino, estados, queuedOnly })}) as count, count(*) as scanned
    from (select e.id from events e
          where e.app_id = ${app.id} and e.topic = ${topic} and ${matchesTopic(rest)} and ${isWanted({ agencias })}
          order by e.id desc limit ${MAX_SCANNED}) e
    left join deliveries d on d.id = ${deliveryIdSql(sql`e.id`, destino)}`)
  const { count = 0, scanned = 0 } = counted ?? {}
  return { count, more: scanned === MAX_SCANNED }
}

/** Selects events `e` to resend; one that never had a delivery `d` counts as discarded. */
export function resendable({ estados, queuedOnly, ...rest }: TopicFilter): Sql {
  if (queuedOnly) return sql`d.id is not null and ${matchesTopic({ estados, ...rest })}`
  if (!estados?.includes('descartada')) return matchesTopic({ estados, ...rest })
  return sql`(d.estado = any (${estados}) or d.id is null) and ${matchesTopic(rest)}`
}

function matchesTopic({
  estados,
  agencia,
  evento,
  sid,
  after,
  ...period
}: Omit<TopicFilter, 'destino' | 'queuedOnly'>): Sql {
  const conditions = [withinBounds(sql`e.id`, period, { after, limit: 0 })]
  if (estados) conditions.push(sql`d.estado = any (${estados})`)
  if (agencia === null) conditions.push(sql`false`)
  else if (agencia && 'id' in agencia) conditions.push(sql`e.agencia_id = ${agencia.id}`)
  else if (agencia) conditions.push(sql`e.payload::json ->> 'AdminMail' = ${agencia.adminMail}`)
  if (evento !== undefined) conditions.push(sql`e.id = ${evento}`)
  if (sid !== undefined) conditions.push(sql`e.sid = ${sid}`)
  return join(conditions, ' and ')
}
