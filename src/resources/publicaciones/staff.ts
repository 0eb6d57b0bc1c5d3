import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../../store/keyset.ts'
import { ESTADOS, type EstadoPublicacion, type Publicacion } from './publicacion.ts'
import { keyOf, PUBLICACION } from './store.ts'

/** A listing as staff sees it: with whose it is, and who published it. */
export interface ListedPublicacion extends Publicacion {
  agencia: { id: number; nombre: string; adminMail: string }
  app: { appKey: string; nombre: string }
}

/** Those that the marketplace itself suspended are looked for most. */
export const MODERADAS = 'moderadas'
export const ESTADO_FILTERS = [...ESTADOS, MODERADAS] as const

export interface PublicacionesFilters {
  aviso?: number | undefined
  agencias?: readonly number[] | undefined
  appId?: number | undefined
  externalId?: string | undefined
  estado?: EstadoPublicacion | typeof MODERADAS | undefined
}

/** So many are looked at for one page: an index by app or state would be written with every listing, for rare questions. */
const MAX_SCANNED = 5_000

/** Listings of all agencies, newest first. */
export async function listPublicacionesForStaff(
  db: Db,
  filters: PublicacionesFilters,
  turn: Cursor<number>,
): Promise<ResultPage<ListedPublicacion>> {
  const { within, order, limit } = keysetBy(sql`p.id`, turn)
  const end = isIndexed(filters) ? undefined : await endOfLook(db, turn)
  const inReach = end === undefined ? sql`true` : turn.after === undefined ? sql`p.id >= ${end}` : sql`p.id <= ${end}`
  const found = await db.query<ListedPublicacion>(sql`
    ${LISTED} where ${within} and ${inReach} and ${chosen(filters)} order by ${order} limit ${limit}`)
  const part = resultPage(found, turn)
  if (end === undefined || found.length === limit) return part
  if (turn.after === undefined) return { ...part, older: true, searchedTo: { before: end } }
  return { ...part, newer: true, searchedTo: { after: end } }
}

/** The first so many of them, for a file: look after look until there are enough, or no more. */
export async function listPublicacionesOn(
  db: Db,
  filters: PublicacionesFilters,
  most: number,
): Promise<ResultPage<ListedPublicacion>> {
  const rows: ListedPublicacion[] = []
  let before: number | undefined
  for (;;) {
    const part = await listPublicacionesForStaff(db, filters, { before, limit: most - rows.length })
    rows.push(...part.rows)
    before = part.searchedTo?.before
    if (rows.length === most || before === undefined) return { ...part, rows }
  }
}

/** Whether an index leads to them; by app or state alone none does. */
const isIndexed = ({ aviso, agencias, externalId, appId, estado }: PublicacionesFilters): boolean =>
  aviso !== undefined ||
  agencias !== undefined ||
  externalId !== undefined ||
  estado === MODERADAS ||
  (appId === undefined && estado === undefined)

/** The last one that is looked at; undefined where there are fewer. */
async function endOfLook(db: Db, turn: Cursor<number>): Promise<number | undefined> {
  const { within, order } = keysetBy(sql`p.id`, turn)
  const [end] = await db.query<{ id: number }>(sql`
    select p.id from publicaciones p where ${within} order by ${order} limit 1 offset ${MAX_SCANNED - 1}`)
  return end?.id
}

/** One of them, by its public number. */
export async function findPublicacionForStaff(db: Db, aviso: number): Promise<ListedPublicacion | undefined> {
  const [found] = await db.query<ListedPublicacion>(sql`${LISTED} where p.id = ${aviso}`)
  return found
}

const LISTED: Sql = sql`
  select ${PUBLICACION}, json_build_object('id', g.id, 'nombre', g.nombre, 'adminMail', g.admin_mail) as agencia,
    json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app
  from publicaciones p join agencias g on g.id = p.agencia_id join apps a on a.id = p.app_id`

function chosen({ aviso, agencias, appId, externalId, estado }: PublicacionesFilters): Sql {
  const conditions = [sql`true`]
  if (aviso !== undefined) conditions.push(sql`p.id = ${aviso}`)
  if (agencias !== undefined && externalId === undefined) conditions.push(sql`p.id = any (array(${at(agencias)}))`)
  if (appId !== undefined) conditions.push(sql`p.app_id = ${appId}`)
  if (estado === MODERADAS) conditions.push(sql`'mercado' = any (p.suspensiones)`)
  else if (estado) conditions.push(sql`p.estado = ${estado}`)
  if (externalId !== undefined) conditions.push(sql`p.id = any (array(${named(externalId, agencias)}))`)
  return join(conditions, ' and ')
}

/** At those agencies: what lives and what is archived have an index each. */
const at = (agencias: readonly number[]): Sql => sql`
  select id from publicaciones where agencia_id = any (${agencias}::int[]) and estado <> 'Archivada'
  union all
  select id from publicaciones where agencia_id = any (${agencias}::int[]) and estado = 'Archivada'`

/** Under an ExternalId, at those agencies or at any. */
const named = (externalId: string, agencias: readonly number[] | undefined): Sql => sql`
  select id from publicaciones where lower(external_id) = ${keyOf(externalId)}
  ${agencias === undefined ? empty : sql`and agencia_id = any (${agencias}::int[])`}`
