import sql, { type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import type { EstadoPublicacion, Exposicion, Publicacion, PublicacionData } from './publicacion.ts'

/** The columns of a listing, where its table is called `p`. */
export const PUBLICACION: Sql = sql`
  p.id, p.modo, p.agencia_id as "agenciaId", p.app_id as "appId", p.external_id as "externalId",
  p.ref_stock as "refStock", p.estado, p.exposicion, p.operador, p.marca_id as "marcaId", p.marca,
  p.modelo_id as "modeloId", p.modelo, p.version_id as "versionId", p.version, p.version_year as "versionYear",
  p.kilometraje, p.color_id as "colorId", p.color, p.carroceria_id as "carroceriaId", p.carroceria, p.propulsion,
  p.transmision, p.precio_moneda as "precioMoneda", p.precio_importe::float8 as "precioImporte", p.descripcion,
  p.region_id as "regionId", p.region, p.ciudad_id as "ciudadId", p.ciudad, p.fotos`

/** A listing by its public number, whatever its state, for the pages that anybody sees. */
export async function findAviso(db: Db, id: number): Promise<Publicacion | undefined> {
  const [found] = await db.query<Publicacion>(sql`select ${PUBLICACION} from publicaciones p where p.id = ${id}`)
  return found
}

export interface NewPublicacion extends PublicacionData {
  agenciaId: number
  app: Pick<App, 'id' | 'modo'>
  estado?: EstadoPublicacion
  exposicion?: Exposicion | null
}

/** Puts listings in, in one statement; a live ExternalId of the same app at the same agency is not put in twice. */
export async function insertPublicaciones(tx: Db, given: NewPublicacion[]): Promise<Publicacion[]> {
  const rows = given.map(({ app, estado = 'Activa', exposicion = null, ...data }) => ({
    ...data,
    modo: app.modo,
    appId: app.id,
    estado,
    exposicion,
  }))
  return tx.query<Publicacion>(sql`
    insert into publicaciones as p (
      modo, agencia_id, app_id, external_id, ref_stock, estado, exposicion, operador, marca_id, marca, modelo_id, modelo,
      version_id, version, version_year, kilometraje, color_id, color, carroceria_id, carroceria, propulsion, transmision,
      precio_moneda, precio_importe, descripcion, region_id, region, ciudad_id, ciudad, fotos)
    select modo, "agenciaId", "appId", "externalId", "refStock", estado, exposicion, operador, "marcaId", marca,
           "modeloId", modelo, "versionId", version, "versionYear", kilometraje, "colorId", color, "carroceriaId",
           carroceria, propulsion, transmision, "precioMoneda", "precioImporte", descripcion, "regionId", region,
           "ciudadId", ciudad, fotos
    from json_to_recordset(${JSON.stringify(rows)}) as row (
      modo text, "agenciaId" int, "appId" int, "externalId" text, "refStock" text, estado text, exposicion text,
      operador text, "marcaId" int, marca text, "modeloId" int, modelo text, "versionId" int, version text,
      "versionYear" int, kilometraje int, "colorId" int, color text, "carroceriaId" int, carroceria text,
      propulsion text, transmision text, "precioMoneda" text, "precioImporte" numeric, descripcion text, "regionId" int,
      region text, "ciudadId" int, ciudad text, fotos text[])
    on conflict (agencia_id, lower(external_id), app_id) where estado <> 'Archivada' do nothing
    returning ${PUBLICACION}`)
}

/** Puts one listing in; undefined where its ExternalId is taken. */
export const insertPublicacion = async (tx: Db, given: NewPublicacion): Promise<Publicacion | undefined> =>
  (await insertPublicaciones(tx, [given]))[0]
