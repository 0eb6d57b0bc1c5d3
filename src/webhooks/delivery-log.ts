import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Db } from '../store/db.ts'
import { type Cursor, collect, readsUpwards } from '../store/keyset.ts'
import { inlineNumber } from '../store/prepared.ts'
import {
  deliveryIdOf,
  deliveryIdSql,
  deliveryIdsSql,
  eventIdOf,
  eventIdSql,
  FIRST_DESTINO,
  isOfDestino,
  MAX_DESTINOS,
} from './delivery-ids.ts'
import { TOPICS } from './topics.ts'

export const ESTADOS_ENTREGA = ['pendiente', 'entregada', 'fallida', 'descartada'] as const
export type EstadoEntrega = (typeof ESTADOS_ENTREGA)[number]

/** A request to a receiver, and its response. */
export interface Attempt {
  at: Date
  ms: number
  status: number | null
  error: string | null
  address: string | null
  answer: string | null
}

/** A period of time, as a range of ids: they are ULIDs. */
export interface IdRange {
  from?: string | undefined
  /** The first id after it. */
  until?: string | undefined
}

/** The filters of the pages, over all topics. */
export interface LogFilter extends IdRange {
  topic?: string | undefined
  estados?: readonly EstadoEntrega[] | undefined
  agencias?: readonly number[] | undefined
  /** Instead of `agencias`, for an agency that has left the app: only `agencia.desasociada` is still stored. */
  formerMail?: string | undefined
  /** The id of an event or of its inquiry; both are ULIDs. */
  about?: string | undefined
  /** The number of the webhook within its topic; all of them if none is given. */
  destino?: number | undefined
}

/** An event as a list shows it; without a delivery if the app had no webhook for it. */
export interface LoggedEvent {
  id: string
  /** The id of the delivery; in a list of events, of that to the first webhook, even if there is none. */
  deliveryId: string
  topic: string
  sid: string | null
  agencia: { href: string; title: string } | null
  estado: EstadoEntrega | null
  attempts: number
  dueAt: Date | null
  last: Omit<Attempt, 'address' | 'answer'> | null
}

export interface StaffLoggedEvent extends LoggedEvent {
  app: { appKey: string; nombre: string }
}

export interface LogPage<Row = LoggedEvent> {
  rows: Row[]
  more: boolean
  /** Where the search stopped, if it had scanned as many rows as one page may cost. The next page goes on from there. */
  searchedTo?: string
}

/** How many rows are scanned for one page. Rare rows are found by going on, not by waiting. */
export const MAX_SCANNED = 20_000
/** How many are scanned at first: enough for a page of which most rows match. */
const SCANNED_PER_ROW = 4
/** How many rows of each app are scanned for one page of the log of all apps. */
const MAX_SCANNED_PER_APP = 5_000
const UNDELIVERED: readonly string[] = ['fallida', 'descartada']

/** Null while a delivery `d` waits for an earlier one (ordered.ts). */
export const DUE_AT = sql`nullif(d.due_at, 'infinity')`

export const EVENT_COLUMNS = sql`e.id, e.topic, e.sid, e.payload::json -> 'Agencia' as agencia`

/** A page of an app's deliveries, newest first; or of its events, each with its delivery to the first webhook, if any. */
export async function listAppLog(
  db: Db,
  app: App,
  filter: LogFilter,
  page: Cursor,
  of: 'events' | 'deliveries',
): Promise<LogPage> {
  const outer = of === 'events'
  const sought = outer ? { ...filter, destino: FIRST_DESTINO } : filter
  // Planning takes longer than reading. Only for the pages that refresh themselves, so that there are few statements.
  const { from, until, agencias, formerMail, about } = filter
  const varying = [from, until, agencias, formerMail, about, page.before, page.after]
  const plan = varying.every((each) => each === undefined) ? 'keep-plan' : undefined
  const find = async (maxScanned: number): Promise<LogPage> => {
    const scan = await scanIds(db, { app, filter: sought, page, maxScanned })
    return readPage(db, scan, sought, page, { where: sql`e.app_id = ${app.id}`, outer, plan })
  }
  const few = SCANNED_PER_ROW * (page.limit + 1)
  const found = await find(Math.min(few, MAX_SCANNED))
  return found.searchedTo === undefined || few >= MAX_SCANNED ? found : find(MAX_SCANNED)
}

export async function listStaffLog(
  db: Db,
  filter: Omit<LogFilter, 'formerMail'>,
  page: Cursor,
): Promise<LogPage<StaffLoggedEvent>> {
  const maxScanned = Math.max(MAX_SCANNED_PER_APP, page.limit + 1) // a CSV file holds more than a page
  const scan = await scanIds(db, { filter, page, maxScanned })
  return readPage<StaffLoggedEvent>(db, scan, filter, page, {
    columns: sql`, json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app`,
    joins: sql`join apps a on a.id = e.app_id`,
    plan: 'keep-plan',
  })
}

/** How many pages are searched for one file. */
const MAX_PAGES = 10

/** The first `limit` rows of a log, for a file; with `searchedTo` if the search ended before there were enough. */
export async function collectLog<Row>(
  { limit, ascending }: Pick<Cursor, 'limit' | 'ascending'>,
  find: (page: Cursor) => Promise<LogPage<Row>>,
): Promise<Pick<LogPage<Row>, 'rows' | 'searchedTo'>> {
  // Each page has the whole limit: a page of the log of all apps scans as many rows as its limit, or more.
  const onward = ascending ? 'after' : 'before'
  const found = await collect(
    (from: string | undefined) => find({ [onward]: from, limit, ascending }),
    limit,
    MAX_PAGES,
  )
  return found.rows.length < limit ? found : { rows: found.rows }
}

/** The ids that a page is searched among, in its order. */
interface Scan {
  ids: Sql
  of: 'events' | 'deliveries'
  maxScanned: number
}

/** Reads the rows of the scanned ids that match the filter; `outer` includes events without a delivery. */
async function readPage<Row extends LoggedEvent>(
  db: Db,
  scan: Scan,
  filter: LogFilter,
  page: Cursor,
  more: { columns?: Sql; joins?: Sql; outer?: boolean; where?: Sql; plan?: 'keep-plan' | undefined },
): Promise<LogPage<Row>> {
  const { columns = empty, joins = empty, outer = false, where = sql`true`, plan } = more
  const direction = directionOf(page)
  const eventBounds = (outer ? withinBounds : eventsWithin)(sql`e.id`, filter, page)
  const severalPerEvent = scan.of === 'events' && filter.destino === undefined
  // The bounds are repeated for each table, so that none is read from its beginning.
  const found = await db.query<Omit<Row, 'last'>>(
    sql`
    select ${EVENT_COLUMNS}, coalesce(d.id, e.id) as "deliveryId", d.estado,
           coalesce(d.attempts + d.carried, 0) as attempts, ${DUE_AT} as "dueAt" ${columns}
    from (${scan.ids}) w
    join events e on e.id = ${scan.of === 'events' ? sql`w.id` : eventIdSql(sql`w.id`)} and ${eventBounds}
    ${outer ? sql`left join` : sql`join`} deliveries d
      on ${isDeliveryOf(scan, filter)} and ${withinBounds(sql`d.id`, filter, page)}
    ${joins}
    where ${where} and ${matchesLog(filter)}
    order by w.id ${direction} ${severalPerEvent ? sql`, d.id ${direction}` : empty} limit ${inlineNumber(page.limit + 1)}`,
    plan,
  )
  const hasMore = found.length > page.limit
  const rows = found.slice(0, page.limit)
  if (readsUpwards(page) !== (page.ascending ?? false)) rows.reverse()
  const last = await lastAttempts(db, rows)
  const searchedTo = hasMore ? undefined : await endOfScan(db, scan, page)
  return {
    rows: rows.map((row) => ({ ...row, last: last.get(row.deliveryId) ?? null }) as Row),
    more: hasMore,
    ...(searchedTo !== undefined && { searchedTo }),
  }
}

/** True for the deliveries `d` of a scanned id `w.id`. */
function isDeliveryOf({ of }: Scan, { destino }: LogFilter): Sql {
  if (of === 'deliveries') return sql`d.id = w.id`
  if (destino === undefined) return sql`d.id = any (${deliveryIdsSql(sql`w.id`)})`
  return sql`d.id = ${deliveryIdSql(sql`w.id`, destino)}`
}

async function lastAttempts(
  db: Db,
  rows: readonly Pick<LoggedEvent, 'deliveryId'>[],
): Promise<Map<string, LoggedEvent['last']>> {
  if (rows.length === 0) return new Map()
  const attempts = await db.query<NonNullable<LoggedEvent['last']> & { id: string }>(
    sql`
    select distinct on (delivery_id) delivery_id as id, at, ms, status, error from delivery_attempts
    where delivery_id = any (${rows.map(({ deliveryId }) => deliveryId)}::text[]) order by delivery_id, at desc`,
    'keep-plan',
  )
  return new Map(attempts.map(({ id, ...attempt }) => [id, attempt]))
}

/** Where the next page goes on, if the scan reached its limit. All deliveries of the last event were scanned with it. */
async function endOfScan(db: Db, { ids, of, maxScanned }: Scan, page: Cursor): Promise<string | undefined> {
  const [last] = await db.query<{ id: string }>(sql`
    select id from (${ids}) w order by id ${directionOf(page)} limit 1 offset ${maxScanned - 1}`)
  return last && of === 'events' && readsUpwards(page) ? deliveryIdOf(last.id, MAX_DESTINOS) : last?.id
}

const directionOf = (page: Cursor): Sql => (readsUpwards(page) ? sql`asc` : sql`desc`)

interface Search {
  /** Of all apps if none is given. */
  app?: App
  filter: LogFilter
  page: Cursor
  maxScanned: number
}

/** Chooses the index that a page is searched by. */
async function scanIds(db: Db, search: Search): Promise<Scan> {
  const { app, filter, page, maxScanned } = search
  const { about, estados } = filter
  const cut = cutOf(search)
  const events = (ids: Sql): Scan => ({ ids, of: 'events', maxScanned })
  const deliveries = (ids: Sql): Scan => ({ ids, of: 'deliveries', maxScanned })
  const deliveriesOf = (where: Sql): Sql =>
    sql`select id from deliveries where ${where} and ${deliveriesWithin(filter, page)} ${cut}`

  if (about !== undefined) {
    const ofApp = app ? sql`app_id = ${app.id}` : sql`true`
    const bounds = eventsWithin(sql`id`, filter, page)
    return events(sql`
      select id from events where ${ofApp} and (id = ${about} or sid = ${about}) and ${bounds} ${cut}`)
  }
  if (estados?.every((estado) => UNDELIVERED.includes(estado))) {
    const undelivered = sql`estado in ('fallida', 'descartada') and estado = any (${estados})`
    return deliveries(
      app
        ? deliveriesOf(sql`app_id = ${app.id} and ${undelivered}`)
        : ofEachApp(ALL_APPS, deliveriesOf(sql`app_id = one.app_id and ${undelivered}`), cut),
    )
  }
  if (estados?.every((estado) => estado === 'pendiente')) {
    const ofWebhooks = app ? sql`webhook_id = any (array(select id from webhooks where app_id = ${app.id}))` : sql`true`
    if (await hasFewPending(db, ofWebhooks, app ? MAX_SCANNED : MAX_SCANNED_PER_APP))
      return deliveries(deliveriesOf(sql`${ofWebhooks} and estado = 'pendiente'`))
  }
  if (app) return events(eventsOfApp(app, search))
  const found = eventsOfAllApps(search)
  return found ? events(found) : deliveries(deliveriesOf(sql`true`))
}

const cutOf = ({ page, maxScanned }: Search): Sql =>
  sql`order by id ${directionOf(page)} limit ${inlineNumber(maxScanned)}`

/** The deliveries within a page to the webhook of the filter. */
const deliveriesWithin = ({ destino, ...filter }: LogFilter, page: Cursor): Sql =>
  sql`${destino === undefined ? sql`true` : isOfDestino(sql`id`, destino)} and ${withinBounds(sql`id`, filter, page)}`

const ALL_APPS = sql`select id as app_id from apps`

/** There are few apps, so `rows` of each (`one.app_id`) are read and the results are merged. */
const ofEachApp = (apps: Sql, rows: Sql, cut: Sql): Sql =>
  sql`select newest.id from (${apps}) one cross join lateral (${rows}) newest ${cut}`

/** An index by id alone would make every insert dearer; the few topics are merged instead. */
function eventsOfApp(app: App, search: Search): Sql {
  const { filter, page } = search
  const { agencias, formerMail, topic } = filter
  const cut = cutOf(search)
  const bounds = eventsWithin(sql`id`, filter, page)
  const topics = formerMail !== undefined ? ['agencia.desasociada'] : topic === undefined ? TOPICS : [topic]
  const branches =
    agencias?.map((id) => sql`app_id = ${app.id} and agencia_id = ${id}`) ??
    topics.map((each) => sql`app_id = ${app.id} and topic = ${each}`)
  if (branches.length === 0) return sql`select id from events where false`
  // Materialized, each is planned for all its rows. For the first row alone PostgreSQL may choose the primary key of a month,
  // and then reads the month's rows for a topic that has none.
  const name = (at: number) => raw(`branch_${at}`)
  const parts = branches.map(
    (branch, at) => sql`
    ${name(at)} as materialized (select id from events where ${branch} and ${bounds} ${cut})`,
  )
  const merged = join(
    branches.map((_, at) => sql`select id from ${name(at)}`),
    ' union all ',
  )
  return sql`with ${join(parts)} select id from (${merged}) merged ${cut}`
}

/** Undefined if the filter names neither agencies nor a topic: deliveries are then indexed better. */
function eventsOfAllApps(search: Search): Sql | undefined {
  const { filter, page } = search
  const { agencias, topic } = filter
  const cut = cutOf(search)
  const rows = (where: Sql) => sql`
    select id from events where app_id = one.app_id and ${where} and ${eventsWithin(sql`id`, filter, page)} ${cut}`
  if (agencias !== undefined) {
    const apps = sql`select distinct app_id, agencia_id from asociaciones where agencia_id = any (${agencias}::int[])`
    return ofEachApp(apps, rows(sql`agencia_id = one.agencia_id`), cut)
  }
  return topic === undefined ? undefined : ofEachApp(ALL_APPS, rows(sql`topic = ${topic}`), cut)
}

/** Pending deliveries are indexed by due time: sorting them by id is quick unless a receiver has been down for long. */
async function hasFewPending(db: Db, where: Sql, limit: number): Promise<boolean> {
  const [counted] = await db.query<{ count: number }>(sql`
    select count(*) from (
      select 1 from deliveries where ${where} and estado = 'pendiente' limit ${limit + 1}) pending`)
  return (counted?.count ?? 0) <= limit
}

export function withinBounds(id: Sql, { from, until }: IdRange, { before, after }: Cursor): Sql {
  const bounds = [sql`true`]
  if (from !== undefined) bounds.push(sql`${id} >= ${from}`)
  if (until !== undefined) bounds.push(sql`${id} < ${until}`)
  if (before !== undefined) bounds.push(sql`${id} < ${before}`)
  if (after !== undefined) bounds.push(sql`${id} > ${after}`)
  return join(bounds, ' and ')
}

/** Bounds for events where a page lists deliveries. Includes the cursor's own event: it may have more deliveries. */
function eventsWithin(id: Sql, { from, until }: IdRange, { after, ...page }: Cursor): Sql {
  if (after === undefined) return withinBounds(id, { from, until }, page)
  const first = eventIdOf(after)
  return withinBounds(id, { from: from !== undefined && from > first ? from : first, until }, page)
}

/** What the index of the ids does not filter. */
function matchesLog({ topic, estados, agencias, formerMail }: LogFilter): Sql {
  const conditions = [sql`true`]
  if (topic !== undefined) conditions.push(sql`e.topic = ${topic}`)
  if (estados !== undefined) conditions.push(sql`d.estado = any (${estados})`)
  if (agencias !== undefined) conditions.push(sql`e.agencia_id = any (${agencias}::int[])`)
  if (formerMail !== undefined)
    conditions.push(sql`e.topic = 'agencia.desasociada' and e.payload::json ->> 'AdminMail' = ${formerMail}`)
  return join(conditions, ' and ')
}
