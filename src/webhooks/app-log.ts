import sql, { join, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import type { Attempt, EstadoEntrega } from './log.ts'
import { TOPICS } from './topics.ts'

/** What people look for among all that an app was told, whatever the topic. */
export interface AppFilter {
  topic?: string | undefined
  estados?: readonly EstadoEntrega[] | undefined
  /** Told of one of these agencies. */
  agencias?: readonly number[] | undefined
  /** The same, instead: of one that is no longer the app's only the end of the association is left, under the address it had then. */
  formerMail?: string | undefined
  /** The event itself, or the inquiry it tells of: both are ULIDs, and whoever looks for one may not know which. */
  about?: string | undefined
  /** The first id, and the first one after the last. */
  from?: string | undefined
  until?: string | undefined
}

/** Which part of it: those before an id, newest first, or the ones right after it. */
export interface AppPage {
  before?: string | undefined
  after?: string | undefined
  limit: number
}

/** An event as a list shows it; without a delivery where the app had no webhook for it. */
export interface Logged {
  id: string
  topic: string
  sid: string | null
  agencia: { href: string; title: string } | null
  estado: EstadoEntrega | null
  attempts: number
  dueAt: Date | null
  last: Omit<Attempt, 'address' | 'answer'> | null
}

export interface LoggedPage {
  rows: Logged[]
  /** There are more in that direction. */
  more: boolean
  /** Where the search stopped, when it had looked at as many as one page may cost and had not filled it. */
  searchedTo?: string
}

/** So many are looked at for one page: what is rare among a million is found by going on, not by waiting. */
const MAX_SCANNED = 20_000
const UNSENT: readonly string[] = ['fallida', 'descartada']

/** A page of what an app was told, newest first. `deliveries` leaves out what no webhook was there for. */
export async function listLogged(
  db: Db,
  app: App,
  filter: AppFilter,
  page: AppPage,
  of: 'events' | 'deliveries',
): Promise<LoggedPage> {
  const ids = await walk(db, app, filter, page)
  const direction = directionOf(page)
  const found = await db.query<Omit<Logged, 'last'>>(sql`
    select e.id, e.topic, e.sid, e.payload::json -> 'Agencia' as agencia, d.estado,
           coalesce(d.attempts + d.carried, 0) as attempts, d.due_at as "dueAt"
    from (${ids}) w
    join events e on e.id = w.id and ${withinBounds(sql`e.id`, filter, page)}
    ${of === 'events' ? sql`left join` : sql`join`} deliveries d
      on d.id = w.id and ${withinBounds(sql`d.id`, filter, page)} -- said of each, so that none is read from its beginning
    where e.app_id = ${app.id} and ${residual(filter)}
    order by w.id ${direction} limit ${page.limit + 1}`)
  const more = found.length > page.limit
  const rows = found.slice(0, page.limit)
  if (page.after !== undefined) rows.reverse()
  const searchedTo = more ? undefined : await endOfSearch(db, ids, direction)
  return { rows: await withLastAttempt(db, rows), more, ...(searchedTo !== undefined && { searchedTo }) }
}

/** As many as a file holds, newest first: the search goes on where a page's would stop. */
export async function gatherLogged<Row>(
  most: number,
  find: (page: AppPage) => Promise<Omit<LoggedPage, 'rows'> & { rows: Row[] }>,
): Promise<Row[]> {
  const rows: Row[] = []
  let before: string | undefined
  do {
    const found = await find({ before, limit: most })
    rows.push(...found.rows)
    before = found.searchedTo
  } while (before !== undefined && rows.length < most)
  return rows.slice(0, most)
}

/** Newest first, or from a row on towards the newest. */
export const directionOf = ({ after }: AppPage): Sql => (after === undefined ? sql`desc` : sql`asc`)

/** The last id that was looked at, if there may be more behind it. */
async function endOfSearch(db: Db, ids: Sql, direction: Sql): Promise<string | undefined> {
  const [last] = await db.query<{ id: string }>(sql`
    select id from (${ids}) w order by id ${direction} limit 1 offset ${MAX_SCANNED - 1}`)
  return last?.id
}

/**
 * The ids to look at, in order, from the index that knows best. There is none of an app's events by id alone, which
 * every event would have to be written into: the topics', which are few, are merged instead.
 */
async function walk(db: Db, app: App, filter: AppFilter, page: AppPage): Promise<Sql> {
  const [bounds, direction] = [withinBounds(sql`id`, filter, page), directionOf(page)]
  const cut = sql`order by id ${direction} limit ${MAX_SCANNED}`
  const { about, estados, agencias, formerMail, topic } = filter
  if (about !== undefined)
    return sql`select id from events where app_id = ${app.id} and (id = ${about} or sid = ${about}) and ${bounds} ${cut}`
  if (estados?.every((estado) => UNSENT.includes(estado)))
    return sql`
      select id from deliveries
      where app_id = ${app.id} and estado in ('fallida', 'descartada') and estado = any (${estados}) and ${bounds} ${cut}`
  if (estados?.every((estado) => estado === 'pendiente') && (await hasFewPending(db, app)))
    return sql`
      select id from deliveries
      where webhook_id = any (array(${webhooksOf(app)})) and estado = 'pendiente' and ${bounds} ${cut}`
  const topics = formerMail !== undefined ? ['agencia.desasociada'] : topic === undefined ? TOPICS : [topic]
  const branches =
    agencias?.map((id) => sql`app_id = ${app.id} and agencia_id = ${id}`) ??
    topics.map((each) => sql`app_id = ${app.id} and topic = ${each}`)
  if (branches.length === 0) return sql`select id from events where false`
  const merged = join(
    branches.map((branch) => sql`(select id from events where ${branch} and ${bounds} ${cut})`),
    ' union all ',
  )
  return sql`select id from (${merged}) merged ${cut}`
}

const webhooksOf = (app: App): Sql => sql`select id from webhooks where app_id = ${app.id}`

/** What waits is indexed by when it is due: sorting it is quick unless a receiver has been down for long. */
async function hasFewPending(db: Db, app: App): Promise<boolean> {
  const [counted] = await db.query<{ count: number }>(sql`
    select count(*) from (
      select 1 from deliveries where webhook_id = any (array(${webhooksOf(app)})) and estado = 'pendiente'
      limit ${MAX_SCANNED + 1}) waiting`)
  return (counted?.count ?? 0) <= MAX_SCANNED
}

/** The period that was asked for, and the part of it that this page has, said of that column. */
export function withinBounds(id: Sql, { from, until }: AppFilter, { before, after }: AppPage): Sql {
  const bounds = [sql`true`]
  if (from !== undefined) bounds.push(sql`${id} >= ${from}`)
  if (until !== undefined) bounds.push(sql`${id} < ${until}`)
  if (before !== undefined) bounds.push(sql`${id} < ${before}`)
  if (after !== undefined) bounds.push(sql`${id} > ${after}`)
  return join(bounds, ' and ')
}

/** What the index that was walked did not know; asked again of what it did. */
export function residual({ topic, estados, agencias, formerMail }: AppFilter): Sql {
  const conditions = [sql`true`]
  if (topic !== undefined) conditions.push(sql`e.topic = ${topic}`)
  if (estados !== undefined) conditions.push(sql`d.estado = any (${estados})`)
  if (agencias !== undefined) conditions.push(sql`e.agencia_id = any (${agencias}::int[])`)
  if (formerMail !== undefined)
    conditions.push(sql`e.topic = 'agencia.desasociada' and e.payload::json ->> 'AdminMail' = ${formerMail}`)
  return join(conditions, ' and ')
}

/** The same rows, with how the last attempt at each went. */
export async function withLastAttempt<Row extends Omit<Logged, 'last'>>(
  db: Db,
  rows: Row[],
): Promise<(Row & Pick<Logged, 'last'>)[]> {
  if (rows.length === 0) return []
  const attempts = await db.query<NonNullable<Logged['last']> & { id: string }>(
    sql`
    select distinct on (delivery_id) delivery_id as id, at, ms, status, error from delivery_attempts
    where delivery_id = any (${rows.map(({ id }) => id)}::text[]) order by delivery_id, at desc`,
    'keep-plan',
  )
  const byId = new Map(attempts.map(({ id, ...attempt }) => [id, attempt]))
  return rows.map((row) => ({ ...row, last: byId.get(row.id) ?? null }))
}
