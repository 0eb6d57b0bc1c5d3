import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { type Cursor, collect, keysetBy, type ResultPage, readsUpwards, resultPage } from '../../store/keyset.ts'
import { ESTADOS, type EstadoPublicacion, PUBLICACION, type Publicacion } from './publicacion.ts'
import { keyOf } from './read.ts'

export interface ListedPublicacion extends Publicacion {
  agencia: { id: number; nombre: string; adminMail: string }
  app: { appKey: string; nombre: string }
}

/** Suspended by the marketplace. */
const MODERADAS = 'moderadas'
export const ESTADO_FILTERS = [...ESTADOS, MODERADAS] as const

interface PublicacionesFilters {
  aviso?: number | undefined
  agencias?: readonly number[] | undefined
  appId?: number | undefined
  externalId?: string | undefined
  estado?: EstadoPublicacion | typeof MODERADAS | undefined
}

type ListedPage = ResultPage<ListedPublicacion, number>

/** Rows scanned for one page. An index by app or state would cost every write, for rare searches. */
const MAX_SCANNED = 5_000

export async function listPublicacionesForStaff(
  db: Db,
  filters: PublicacionesFilters,
  cursor: Cursor<number>,
): Promise<ListedPage> {
  const { within, order, limit } = keysetBy(sql`p.id`, cursor)
  const end = isIndexed(filters) ? undefined : await endOfScan(db, cursor)
  const inScan = end === undefined ? sql`true` : readsUpwards(cursor) ? sql`p.id <= ${end}` : sql`p.id >= ${end}`
  const found = await db.query<ListedPublicacion>(sql`
    ${LISTED} where ${within} and ${inScan} and ${chosen(filters)} order by ${order} limit ${limit}`)
  const part = resultPage(found, cursor)
  if (end === undefined || found.length === limit) return part
  if (readsUpwards(cursor)) return { ...part, newer: true, searchedTo: { after: end } }
  return { ...part, older: true, searchedTo: { before: end } }
}

/** The first `limit` rows, scanning further until there are enough. */
export const exportPublicaciones = (
  db: Db,
  filters: PublicacionesFilters,
  { limit, ascending }: Pick<Cursor<number>, 'limit' | 'ascending'>,
): Promise<ListedPage> =>
  collect(
    (from: ListedPage['searchedTo'], left) =>
      listPublicacionesForStaff(db, filters, { ...from, ascending, limit: left }),
    limit,
  )

/** Whether an index finds them; for app or state alone there is none. */
const isIndexed = ({ aviso, agencias, externalId, appId, estado }: PublicacionesFilters): boolean =>
  aviso !== undefined ||
  agencias !== undefined ||
  externalId !== undefined ||
  estado === MODERADAS ||
  (appId === undefined && estado === undefined)

/** The last row to scan; undefined if there are fewer. */
async function endOfScan(db: Db, cursor: Cursor<number>): Promise<number | undefined> {
  const { within, order } = keysetBy(sql`p.id`, cursor)
  const [end] = await db.query<{ id: number }>(sql`
    select p.id from publicaciones p where ${within} order by ${order} limit 1 offset ${MAX_SCANNED - 1}`)
  return end?.id
}

export const findPublicacionForStaff = (db: Db, aviso: number): Promise<ListedPublicacion | undefined> =>
  db.first<ListedPublicacion>(sql`${LISTED} where p.id = ${aviso}`)

/** The next older listing that is shown, of the same mode. */
export async function nextToModerate(
  db: Db,
  { id, modo }: Pick<Publicacion, 'id' | 'modo'>,
): Promise<number | undefined> {
  const [next] = await db.query<{ id: number }>(sql`
    select id from publicaciones where id < ${id} and modo = ${modo} and estado = 'Activa' order by id desc limit 1`)
  return next?.id
}

const LISTED: Sql = sql`
  select ${PUBLICACION}, json_build_object('id', g.id, 'nombre', g.nombre, 'adminMail', g.admin_mail) as agencia,
    json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app
  from publicaciones p join agencias g on g.id = p.agencia_id join apps a on a.id = p.app_id`

function chosen({ aviso, agencias, appId, externalId, estado }: PublicacionesFilters): Sql {
  const conditions = [sql`true`]
  if (aviso !== undefined) conditions.push(sql`p.id = ${aviso}`)
  if (agencias !== undefined && externalId === undefined)
    conditions.push(sql`p.id = any (array(${atAgencias(agencias)}))`)
  if (appId !== undefined) conditions.push(sql`p.app_id = ${appId}`)
  if (estado === MODERADAS) conditions.push(sql`'mercado' = any (p.suspensiones)`)
  else if (estado) conditions.push(sql`p.estado = ${estado}`)
  if (externalId !== undefined) conditions.push(sql`p.id = any (array(${withExternalId(externalId, agencias)}))`)
  return join(conditions, ' and ')
}

/** Live and archived listings have an index each. */
const atAgencias = (agencias: readonly number[]): Sql => sql`
  select id from publicaciones where agencia_id = any (${agencias}::int[]) and estado <> 'Archivada'
  union all
  select id from publicaciones where agencia_id = any (${agencias}::int[]) and estado = 'Archivada'`

const withExternalId = (externalId: string, agencias: readonly number[] | undefined): Sql => sql`
  select id from publicaciones where lower(external_id) = ${keyOf(externalId)}
  ${agencias === undefined ? empty : sql`and agencia_id = any (${agencias}::int[])`}`
