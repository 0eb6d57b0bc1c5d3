import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { type Part, partOf, type Turn, turnBy } from '../../store/turn.ts'
import { ESTADOS, type EstadoPublicacion, type Publicacion } from './publicacion.ts'
import { keyOf, PUBLICACION } from './store.ts'

/** A listing as staff sees it: with whose it is, and who published it. */
export interface ListedPublicacion extends Publicacion {
  agencia: { id: number; nombre: string; adminMail: string }
  app: { appKey: string; nombre: string }
}

/** Those that the marketplace itself suspended are looked for most. */
export const MODERADAS = 'moderadas'
export const ESTADOS_LOOKED = [...ESTADOS, MODERADAS] as const

export interface PublicacionesLooked {
  aviso?: number | undefined
  agencias?: readonly number[] | undefined
  appId?: number | undefined
  externalId?: string | undefined
  estado?: EstadoPublicacion | typeof MODERADAS | undefined
}

/** Listings of all agencies, newest first. */
export async function listPublicacionesForStaff(
  db: Db,
  looked: PublicacionesLooked,
  turn: Turn<number>,
): Promise<Part<ListedPublicacion>> {
  const { within, order, limit } = turnBy(sql`p.id`, turn)
  const rows = await db.query<ListedPublicacion>(sql`
    ${LISTED} where ${within} and ${chosen(looked)} order by ${order} limit ${limit}`)
  return partOf(rows, turn)
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

function chosen({ aviso, agencias, appId, externalId, estado }: PublicacionesLooked): Sql {
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

/** Under an ExternalId: its index begins with the agency, so each is asked, which costs a few microseconds. */
const named = (externalId: string, agencias: readonly number[] | undefined): Sql => sql`
  select one.id
  from agencias g
  cross join lateral (
    (select p.id from publicaciones p
     where p.agencia_id = g.id and lower(p.external_id) = ${keyOf(externalId)} and p.estado <> 'Archivada')
    union all
    (select p.id from publicaciones p
     where p.agencia_id = g.id and lower(p.external_id) = ${keyOf(externalId)} and p.estado = 'Archivada')
  ) one
  ${agencias === undefined ? empty : sql`where g.id = any (${agencias}::int[])`}`
