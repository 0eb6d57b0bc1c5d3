import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { inlineNumber } from '../store/prepared.ts'
import {
  type AppFilter,
  type AppPage,
  directionOf,
  type Logged,
  type LoggedPage,
  residual,
  withinBounds,
  withLastAttempt,
} from './app-log.ts'

/** A delivery in the log of all apps. */
export interface LoggedAnywhere extends Logged {
  app: { appKey: string; nombre: string }
}

export type AnywherePage = Omit<LoggedPage, 'rows'> & { rows: LoggedAnywhere[] }

/** So many are looked at for one page, of each app where that is where they stand: going on finds what is rare. */
const MAX_SCANNED = 5_000
/** A file holds more than a page. */
const reachOf = ({ limit }: AppPage): number => Math.max(MAX_SCANNED, limit + 1)
const UNSENT: readonly string[] = ['fallida', 'descartada']

type Filter = Omit<AppFilter, 'formerMail'>

/** A page of what all apps were sent, newest first. */
export async function listLoggedAnywhere(db: Db, filter: Filter, page: AppPage): Promise<AnywherePage> {
  const ids = await walk(db, filter, page)
  const direction = directionOf(page)
  const found = await db.query<Omit<LoggedAnywhere, 'last'>>(
    sql`
    select e.id, e.topic, e.sid, e.payload::json -> 'Agencia' as agencia, d.estado,
           coalesce(d.attempts + d.carried, 0) as attempts, d.due_at as "dueAt",
           json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app
    from (${ids}) w
    join events e on e.id = w.id and ${withinBounds(sql`e.id`, filter, page)}
    join deliveries d on d.id = w.id and ${withinBounds(sql`d.id`, filter, page)}
    join apps a on a.id = e.app_id
    where ${residual(filter)}
    order by w.id ${direction} limit ${inlineNumber(page.limit + 1)}`,
    'keep-plan',
  )
  const more = found.length > page.limit
  const rows = found.slice(0, page.limit)
  if (page.after !== undefined) rows.reverse()
  const searchedTo = more ? undefined : await endOfSearch(db, ids, page)
  return { rows: await withLastAttempt(db, rows), more, ...(searchedTo !== undefined && { searchedTo }) }
}

/** The last id that was looked at, if there may be more behind it. */
async function endOfSearch(db: Db, ids: Sql, page: AppPage): Promise<string | undefined> {
  const [last] = await db.query<{ id: string }>(sql`
    select id from (${ids}) w order by id ${directionOf(page)} limit 1 offset ${reachOf(page) - 1}`)
  return last?.id
}

/** The ids to look at, in order, from the index that knows best; there are few apps, so that each is asked and they are merged. */
async function walk(db: Db, filter: Filter, page: AppPage): Promise<Sql> {
  const [bounds, direction] = [withinBounds(sql`id`, filter, page), directionOf(page)]
  const cut = sql`order by id ${direction} limit ${inlineNumber(reachOf(page))}`
  const { about, estados, agencias, topic } = filter
  const ofEachApp = (apps: Sql, rows: Sql): Sql => sql`
    select newest.id from (${apps}) one cross join lateral (select id from ${rows} and ${bounds} ${cut}) newest ${cut}`

  if (about !== undefined)
    return sql`select id from events where (id = ${about} or sid = ${about}) and ${bounds} ${cut}`
  if (estados?.every((estado) => UNSENT.includes(estado)))
    return ofEachApp(
      sql`select id as app_id from apps`,
      sql`deliveries where app_id = one.app_id and estado in ('fallida', 'descartada') and estado = any (${estados})`,
    )
  if (estados?.every((estado) => estado === 'pendiente') && (await hasFewPending(db)))
    return sql`select id from deliveries where estado = 'pendiente' and ${bounds} ${cut}`
  if (agencias !== undefined)
    return ofEachApp(
      sql`select distinct app_id, agencia_id from asociaciones where agencia_id = any (${agencias}::int[])`,
      sql`events where app_id = one.app_id and agencia_id = one.agencia_id`,
    )
  if (topic !== undefined)
    return ofEachApp(sql`select id as app_id from apps`, sql`events where app_id = one.app_id and topic = ${topic}`)
  return sql`select id from deliveries where ${bounds} ${cut}`
}

/** What waits is indexed by when it is due: sorting it is quick unless receivers have been down for long. */
async function hasFewPending(db: Db): Promise<boolean> {
  const [counted] = await db.query<{ count: number }>(sql`
    select count(*) from (select 1 from deliveries where estado = 'pendiente' limit ${MAX_SCANNED + 1}) waiting`)
  return (counted?.count ?? 0) <= MAX_SCANNED
}

/** Whom an event was told, for whoever knows only its id. */
export async function appIdOfEvent(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db.query<{ appId: number }>(sql`select app_id as "appId" from events where id = ${id}`)
  return row?.appId
}
