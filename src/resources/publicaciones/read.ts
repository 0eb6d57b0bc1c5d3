import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { App, Modo } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import { limitConcurrency } from '../../http/limit-concurrency.ts'
import { feedPage, PER_PAGE } from '../../http/links.ts'
import { fault, invalid } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import { type FeedPosition, isVisibleInFeed } from '../../store/feed.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { PUBLICACION, type Publicacion } from './publicacion.ts'
import type { PublicacionesQuery } from './schema.ts'

/** ExternalIds are compared without case. */
export const keyOf = (externalId: string): string => externalId.toLowerCase()

/** A listing by its public number, in any state, for public pages. */
export const findPublicacionById = (db: Db, id: number): Promise<Publicacion | undefined> =>
  db.first<Publicacion>(sql`select ${PUBLICACION} from publicaciones p where p.id = ${id}`)

const ofApp = (app: App, agenciaId: number): Sql => sql`p.agencia_id = ${agenciaId} and p.app_id = ${app.id}`

/** The app's listing with that ExternalId: the live one, or else the last archived one. */
export function findPublicacion(db: Db, app: App, agenciaId: number, externalId: string) {
  const matches = sql`${ofApp(app, agenciaId)} and lower(p.external_id) = ${keyOf(externalId)}`
  return db.first<Publicacion>(sql`
    (select ${PUBLICACION} from publicaciones p where ${matches} and p.estado <> 'Archivada')
    union all
    (select ${PUBLICACION} from publicaciones p where ${matches} and p.estado = 'Archivada' order by p.id desc limit 1)
    limit 1`)
}

/** The app's live listing with that ExternalId, locked until the transaction ends. */
export const lockPublicacion = (tx: Db, app: App, agenciaId: number, externalId: string) =>
  tx.first<Publicacion>(sql`
    select ${PUBLICACION} from publicaciones p
    where ${ofApp(app, agenciaId)} and lower(p.external_id) = ${keyOf(externalId)} and p.estado <> 'Archivada'
    for update`)

/** The app's live listings at an agency. */
const liveOf = (app: App, agenciaId: number): Sql => sql`${ofApp(app, agenciaId)} and p.estado <> 'Archivada'`

/** Those with these ExternalIds, locked until the transaction ends. */
export const lockPublicaciones = (tx: Db, app: App, agenciaId: number, externalIds: readonly string[]) =>
  tx.query<Publicacion>(sql`
    select ${PUBLICACION} from publicaciones p
    where ${liveOf(app, agenciaId)} and lower(p.external_id) = any(${externalIds.map(keyOf)})
    order by p.id for update`)

export const countLive = (db: Db, app: App, agenciaId: number): Promise<number> =>
  db.count(sql`select count(*) from publicaciones p where ${liveOf(app, agenciaId)}`)

/** A live listing that an upload does not name: there may be many, so only what archiving it needs. */
export type AbsentPublicacion = Pick<Publicacion, 'id' | 'externalId' | 'estado' | 'exposicion'>

/** Those without these ExternalIds, on request locked until the transaction ends. */
export const readAbsent = (
  db: Db,
  app: App,
  agenciaId: number,
  externalIds: readonly string[],
  { lock }: { lock: boolean },
) =>
  db.query<AbsentPublicacion>(sql`
    select p.id, p.external_id as "externalId", p.estado, p.exposicion from publicaciones p
    where ${liveOf(app, agenciaId)} and lower(p.external_id) <> all(${externalIds.map(keyOf)})
    order by p.id ${lock ? sql`for update` : empty}`)

interface Page<Row = Publicacion> {
  /** Of all pages. */
  total: number
  rows: Row[]
}

/** Searches for words: one at a time for each agency and app, or its own people; a few in a process, so that others find a connection. */
const limited = limitConcurrency({ most: 4, mostOfKey: 1, refusal: message('problema.searches') })

const searchInTurn = <Found>(searcher: string | number, text: string | undefined, search: () => Promise<Found>) =>
  text ? limited(searcher, search) : search()

/** A page of the listings that match, newest first, and their number, in one statement. */
async function readPage<Row extends Publicacion>(
  db: Db,
  { columns, tables, matches }: { columns: Sql; tables: Sql; matches: Sql },
  { page, limit }: { page: number; limit: number },
): Promise<Page<Row>> {
  const rows = await db.query<Row & { total: number }>(sql`
    select counted.total, p.*
    from (select count(*)::int as total from publicaciones p where ${matches}) counted
    left join lateral (
      select ${columns} from ${tables} where ${matches}
      order by p.id desc limit ${limit} offset ${(page - 1) * limit}
    ) p on true
    order by p.id desc`)
  // An empty page is one row that has only the total.
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

export const listPublicaciones = (
  db: Db,
  app: App,
  agencia: AgenciaOfApp,
  { operador, estado, q, pagina: page = 1 }: PublicacionesQuery,
): Promise<Page> => {
  const matches = sql`
    ${ofApp(app, agencia.id)} and ${estado === undefined ? sql`p.estado <> 'Archivada'` : sql`p.estado = ${estado}`}
    ${ofOperador(agencia, operador)} ${withWords(q)}`
  return searchInTurn(`${app.id} ${agencia.id}`, q, () =>
    readPage(db, { columns: PUBLICACION, tables: sql`publicaciones p`, matches }, { page, limit: PER_PAGE }),
  )
}

/** As in consultas: the administrator sees all, another operador their own; others are refused. */
function ofOperador({ operadores }: AgenciaOfApp, mail: string | undefined): Sql {
  if (mail === undefined) return empty
  const operador = operadores.find(({ email }) => email === mail.toLowerCase())
  if (!operador) throw invalid({ operador: [fault('no-colabora', 'No trabaja en la agencia.')] })
  return operador.rol === 'administrador' ? empty : sql`and p.operador = ${operador.email}`
}

/** Listings whose search text has every word of `q`. */
function withWords(q: string | undefined): Sql {
  const words = fold(q ?? '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) return empty
  return sql`and ${join(
    words.map((word) => sql`position(${word} in p.busqueda) > 0`),
    ' and ',
  )}`
}

/** A listing as the agency's people see it, with the name of the app that published it. */
export type OwnPublicacion = Publicacion & { app: string }

interface OwnPublicacionesQuery {
  agenciaId: number
  operador: string | undefined
  /** Leaves out the listings assigned to these people. */
  except?: readonly string[] | undefined
  estado?: 'Activa' | 'Suspendida' | undefined
  /** Words of make, model, version or the partner's numbers. */
  text?: string | undefined
  page: number
  limit?: number
}

/** What apps publish for an agency, without archived listings. */
export const listOwn = (
  db: Db,
  { agenciaId, operador, except, estado, text, page, limit = PER_PAGE }: OwnPublicacionesQuery,
) => {
  const matches = sql`
    p.agencia_id = ${agenciaId} and p.estado <> 'Archivada' ${operador ? sql`and p.operador = ${operador}` : empty}
    ${except ? sql`and p.operador <> all (${except}::text[])` : empty}
    ${estado ? sql`and p.estado = ${estado}` : empty} ${withWords(text)}`
  const columns = sql`${PUBLICACION}, a.nombre as app`
  const tables = sql`publicaciones p join apps a on a.id = p.app_id`
  return searchInTurn(agenciaId, text, () =>
    readPage<OwnPublicacion>(db, { columns, tables, matches }, { page, limit }),
  )
}

export interface PublicacionByExternalId {
  id: number
  adminMail: string
  app: string
}

/** The live listings of any app with that ExternalId, for operators of the server. */
export const findByExternalId = (db: Db, modo: Modo, externalId: string, adminMail?: string) =>
  db.query<PublicacionByExternalId>(sql`
    select p.id, g.admin_mail as "adminMail", a.nombre as app
    from publicaciones p join agencias g on g.id = p.agencia_id join apps a on a.id = p.app_id
    where p.modo = ${modo} and lower(p.external_id) = ${keyOf(externalId)} and p.estado <> 'Archivada'
      ${adminMail === undefined ? empty : sql`and g.admin_mail = ${adminMail.toLowerCase()}`}
    order by p.id`)

export type PublicacionOfAgencia = Publicacion & { adminMail: string; agencia: string }

export const PUBLICACION_OF_AGENCIA: Sql = sql`
  select ${PUBLICACION}, g.admin_mail as "adminMail", g.nombre as agencia, p.xid::text as xid
  from publicaciones p join agencias g on g.id = p.agencia_id`

/** The listings of a mode that changed after a position, as they are now, in the order of their last changes. */
export async function readChangedPublicaciones(db: Db, modo: Modo, after: FeedPosition, limit: number) {
  const rows = await db.query<PublicacionOfAgencia & { xid: string }>(sql`
    ${PUBLICACION_OF_AGENCIA}
    where p.modo = ${modo} and (p.xid, p.id) > (${after.xid}::xid8, ${after.position}::bigint)
      and ${isVisibleInFeed(sql`p.xid`)}
    order by p.xid, p.id limit ${limit}`)
  return feedPage(rows, after)
}
