import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import {
  type Attempt,
  attemptsOf,
  type EstadoEntrega,
  EVENT_COLUMNS,
  findEvent,
  type IdRange,
  type LoggedEvent,
  MAX_SCANNED,
  withinBounds,
} from './delivery-log.ts'

/** The filters of the API, within one topic. */
export interface TopicFilter extends IdRange {
  estados?: EstadoEntrega[] | undefined
  /** By the address in the payload if the agency has left the app; null matches nothing. */
  agencia?: { id: number } | { adminMail: string } | null | undefined
  evento?: string | undefined
  sid?: string | undefined
  after?: string | undefined
}

/** A delivery with its attempts, oldest first. */
export interface LoggedDelivery extends Pick<LoggedEvent, 'id' | 'topic' | 'agencia'> {
  estado: EstadoEntrega
  dueAt: Date
  attempts: Attempt[]
}

/** A page of an app's deliveries of a topic, newest first; without addresses and answers. */
export async function listDeliveries(
  db: Db,
  app: App,
  topic: string,
  filter: TopicFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<LoggedDelivery[]> {
  const rows = await db.query<Omit<LoggedDelivery, 'attempts'>>(sql`
    select ${EVENT_COLUMNS}, d.estado, d.due_at as "dueAt" from events e join deliveries d on d.id = e.id
    where e.app_id = ${app.id} and d.app_id = ${app.id} and e.topic = ${topic} and ${matchesTopic(filter)}
      ${before === undefined ? empty : sql`and e.id < ${before}`}
    order by e.id desc limit ${limit}`)
  const ids = rows.map(({ id }) => id)
  const attempts = await attemptsOf(db, ids, 'short')
  return rows.map((row) => ({ ...row, attempts: attempts.get(row.id) ?? [] }))
}

/** One delivery, with the address and answer of each attempt. */
export async function findDelivery(
  db: Db,
  app: App,
  topic: string,
  id: string,
): Promise<(LoggedDelivery & { payload: string }) | undefined> {
  const event = await findEvent(db, app, id)
  if (event?.topic !== topic || !event.delivery) return undefined
  const { estado, dueAt, attempts } = event.delivery
  return { id, topic, agencia: event.agencia, payload: event.payload, estado, dueAt, attempts }
}

/** How many events a resend with this filter would send. */
export async function countResendable(db: Db, app: App, topic: string, filter: TopicFilter): Promise<number> {
  const [counted] = await db.query<{ count: number }>(sql`
    select count(*) from events e left join deliveries d on d.id = e.id
    where e.app_id = ${app.id} and e.topic = ${topic} and ${resendable(filter)}`)
  return counted?.count ?? 0
}

/** The same among the newest events, and whether there may be more; quick enough for a page. */
export async function estimateResendable(
  db: Db,
  app: App,
  topic: string,
  { estados, ...rest }: TopicFilter,
): Promise<{ count: number; more: boolean }> {
  const [counted] = await db.query<{ count: number; scanned: number }>(sql`
    select count(*) filter (where ${resendable({ estados })}) as count, count(*) as scanned
    from (select e.id from events e where e.app_id = ${app.id} and e.topic = ${topic} and ${matchesTopic(rest)}
          order by e.id desc limit ${MAX_SCANNED}) e
    left join deliveries d on d.id = e.id`)
  const { count = 0, scanned = 0 } = counted ?? {}
  return { count, more: scanned === MAX_SCANNED }
}

/** Selects events `e` to resend; one that never had a delivery `d` counts as discarded. */
export function resendable({ estados, ...rest }: TopicFilter): Sql {
  if (!estados?.includes('descartada')) return matchesTopic({ estados, ...rest })
  return sql`(d.estado = any (${estados}) or d.id is null) and ${matchesTopic(rest)}`
}

function matchesTopic({ estados, agencia, evento, sid, after, ...period }: TopicFilter): Sql {
  const conditions = [withinBounds(sql`e.id`, period, { after, limit: 0 })]
  if (estados) conditions.push(sql`d.estado = any (${estados})`)
  if (agencia === null) conditions.push(sql`false`)
  else if (agencia && 'id' in agencia) conditions.push(sql`e.agencia_id = ${agencia.id}`)
  else if (agencia) conditions.push(sql`e.payload::json ->> 'AdminMail' = ${agencia.adminMail}`)
  if (evento !== undefined) conditions.push(sql`e.id = ${evento}`)
  if (sid !== undefined) conditions.push(sql`e.sid = ${sid}`)
  return join(conditions, ' and ')
}
