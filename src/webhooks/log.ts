import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'

export const ESTADOS_ENTREGA = ['pendiente', 'entregada', 'fallida', 'descartada'] as const
export type EstadoEntrega = (typeof ESTADOS_ENTREGA)[number]

/** What to look for; a period is a range of ids, since they are ULIDs. */
export interface LogFilter {
  estados?: EstadoEntrega[] | undefined
  /** The agency told of; by its mail in the payload where it is no longer the app's. Null: one there is not. */
  agencia?: { id: number } | { adminMail: string } | null | undefined
  evento?: string | undefined
  sid?: string | undefined
  /** The first id, and the first one after the last. */
  from?: string | undefined
  until?: string | undefined
  /** Those after that one. */
  after?: string | undefined
}

/** A delivery with what was tried, oldest first. */
export interface Delivery {
  id: string
  topic: string
  agencia: { href: string; title: string } | null
  estado: EstadoEntrega
  dueAt: Date
  attempts: Attempt[]
}

export interface Attempt {
  at: Date
  ms: number
  status: number | null
  error: string | null
  address: string | null
  answer: string | null
}

/** One page of an app's deliveries of a topic, newest first: those before the one with that id. */
export async function listDeliveries(
  db: Db,
  app: App,
  topic: string,
  filter: LogFilter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Delivery[]> {
  const rows = await db.query<Omit<Delivery, 'attempts'>>(sql`
    select ${COLUMNS} from events e join deliveries d on d.id = e.id
    where e.app_id = ${app.id} and d.app_id = ${app.id} and e.topic = ${topic} and ${matching(filter)}
      ${before === undefined ? empty : sql`and e.id < ${before}`}
    order by e.id desc limit ${limit}`)
  return withAttempts(db, rows, sql`null as address, null as answer`)
}

/** One delivery, with where each attempt led and what was answered there. */
export async function findDelivery(
  db: Db,
  app: App,
  topic: string,
  id: string,
): Promise<(Delivery & { payload: string }) | undefined> {
  const rows = await db.query<Omit<Delivery, 'attempts'> & { payload: string }>(sql`
    select ${COLUMNS}, e.payload from events e join deliveries d on d.id = e.id
    where e.app_id = ${app.id} and e.topic = ${topic} and e.id = ${id}`)
  return (await withAttempts(db, rows, sql`address, answer`))[0]
}

const COLUMNS = sql`e.id, e.topic, e.payload::json -> 'Agencia' as agencia, d.estado, d.due_at as "dueAt"`

async function withAttempts<Row extends { id: string }>(
  db: Db,
  rows: Row[],
  more: Sql,
): Promise<(Row & { attempts: Attempt[] })[]> {
  if (rows.length === 0) return []
  const attempts = await db.query<Attempt & { id: string }>(sql`
    select delivery_id as id, at, ms, status, error, ${more} from delivery_attempts
    where delivery_id = any (${rows.map(({ id }) => id)}::text[]) order by delivery_id, at`)
  const byId = new Map(rows.map((row) => [row.id, { ...row, attempts: [] as Attempt[] }]))
  for (const { id, ...attempt } of attempts) byId.get(id)?.attempts.push(attempt)
  return [...byId.values()]
}

/** How many events a resend of the same would reach, those without a delivery included. */
export async function countResendable(db: Db, app: App, topic: string, filter: LogFilter): Promise<number> {
  const [counted] = await db.query<{ count: number }>(sql`
    select count(*) from events e left join deliveries d on d.id = e.id
    where e.app_id = ${app.id} and e.topic = ${topic} and ${resendable(filter)}`)
  return counted?.count ?? 0
}

/** So many are looked at for a figure that only helps to decide. */
const MOST_COUNTED = 20_000

/** The same among the newest ones, and whether there may be more: what a page can wait for. */
export async function estimateResendable(
  db: Db,
  app: App,
  topic: string,
  filter: LogFilter,
): Promise<{ count: number; more: boolean }> {
  const { estados: _, ...rest } = filter
  const [counted] = await db.query<{ count: number; scanned: number }>(sql`
    select count(*) filter (where ${resendable({ estados: filter.estados })}) as count, count(*) as scanned
    from (select e.id from events e where e.app_id = ${app.id} and e.topic = ${topic} and ${matching(rest)}
          order by e.id desc limit ${MOST_COUNTED}) e
    left join deliveries d on d.id = e.id`)
  const { count = 0, scanned = 0 } = counted ?? {}
  return { count, more: scanned === MOST_COUNTED }
}

/** The events that a filter means, for sending them again: one that never had a delivery counts as discarded. */
export function resendable({ estados, ...rest }: LogFilter): Sql {
  if (!estados?.includes('descartada')) return matching({ estados, ...rest })
  return sql`(d.estado = any (${estados}) or d.id is null) and ${matching(rest)}`
}

function matching({ estados, agencia, evento, sid, from, until, after }: LogFilter): Sql {
  const conditions = [sql`true`]
  if (estados) conditions.push(sql`d.estado = any (${estados})`)
  if (agencia !== undefined) conditions.push(toldOf(agencia))
  if (evento !== undefined) conditions.push(sql`e.id = ${evento}`)
  if (sid !== undefined) conditions.push(sql`e.sid = ${sid}`)
  if (from !== undefined) conditions.push(sql`e.id >= ${from}`)
  if (until !== undefined) conditions.push(sql`e.id < ${until}`)
  if (after !== undefined) conditions.push(sql`e.id > ${after}`)
  return join(conditions, ' and ')
}

function toldOf(agencia: Exclude<LogFilter['agencia'], undefined>): Sql {
  if (agencia === null) return sql`false`
  if ('id' in agencia) return sql`e.agencia_id = ${agencia.id}`
  return sql`e.payload::json ->> 'AdminMail' = ${agencia.adminMail}`
}
