import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import type { Publicacion } from './publicacion.ts'

/** The columns of a listing, where its table is called `p`. */
export const PUBLICACION: Sql = sql`
  p.id, p.modo, p.agencia_id as "agenciaId", p.app_id as "appId", p.external_id as "externalId",
  p.ref_stock as "refStock", p.estado, p.suspensiones, p.motivo, p.exposicion_pedida as "exposicionPedida",
  p.exposicion, p.operador, p.marca_id as "marcaId", p.marca, p.modelo_id as "modeloId", p.modelo,
  p.version_id as "versionId", p.version, p.escrito, p.version_year as "versionYear", p.kilometraje, p.color_id as "colorId",
  p.color, p.carroceria_id as "carroceriaId", p.carroceria, p.propulsion, p.transmision,
  p.precio_moneda as "precioMoneda", p.precio_importe::float8 as "precioImporte", p.descripcion,
  p.region_id as "regionId", p.region, p.ciudad_id as "ciudadId", p.ciudad, p.fotos,
  p.datos_tecnicos as "datosTecnicos", p.created_at as creada, p.updated_at as modificada`

/** A listing by its public number, whatever its state, for the pages that anybody sees. */
export async function findAviso(db: Db, id: number): Promise<Publicacion | undefined> {
  const [found] = await db.query<Publicacion>(sql`select ${PUBLICACION} from publicaciones p where p.id = ${id}`)
  return found
}

const ofApp = (app: App, agenciaId: number): Sql => sql`p.agencia_id = ${agenciaId} and p.app_id = ${app.id}`

/** The app's listing under that ExternalId: the one that lives, or else the last that was archived. */
export async function findPublicacion(
  db: Db,
  app: App,
  agenciaId: number,
  externalId: string,
): Promise<Publicacion | undefined> {
  const there = sql`${ofApp(app, agenciaId)} and lower(p.external_id) = ${keyOf(externalId)}`
  const [found] = await db.query<Publicacion>(sql`
    (select ${PUBLICACION} from publicaciones p where ${there} and p.estado <> 'Archivada')
    union all
    (select ${PUBLICACION} from publicaciones p where ${there} and p.estado = 'Archivada' order by p.id desc limit 1)
    limit 1`)
  return found
}

/** The app's living listing under that ExternalId, held until the transaction ends. */
export async function lockPublicacion(
  tx: Db,
  app: App,
  agenciaId: number,
  externalId: string,
): Promise<Publicacion | undefined> {
  const [found] = await tx.query<Publicacion>(sql`
    select ${PUBLICACION} from publicaciones p
    where ${ofApp(app, agenciaId)} and lower(p.external_id) = ${keyOf(externalId)} and p.estado <> 'Archivada'
    for update`)
  return found
}

/** ExternalIds are one without regard to case. */
export const keyOf = (externalId: string): string => externalId.toLowerCase()
