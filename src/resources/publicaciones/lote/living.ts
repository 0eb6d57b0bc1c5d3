import sql, { empty } from 'sql-template-tag'
import type { App } from '../../../apps/app.ts'
import type { Db } from '../../../store/db.ts'
import type { Details, Publicacion, Vehicle } from '../publicacion.ts'
import { keyOf } from '../store.ts'
import type { Visibility } from '../write.ts'

/** What a row of an upload is held against. */
export type Living = Pick<Publicacion, 'id' | 'externalId'> & Vehicle & Details & Visibility

/** Lists come as JSON, which is read in a tenth of the time that lists of PostgreSQL take. */
const LIVING = sql`
  p.id, p.external_id as "externalId", p.ref_stock as "refStock", p.estado, to_json(p.suspensiones) as suspensiones,
  p.exposicion_pedida as "exposicionPedida", p.exposicion, p.operador, p.marca_id as "marcaId", p.marca,
  p.modelo_id as "modeloId", p.modelo, p.version_id as "versionId", p.version, p.escrito,
  p.version_year as "versionYear", p.kilometraje, p.color_id as "colorId", p.color, p.carroceria_id as "carroceriaId",
  p.carroceria, p.propulsion, p.transmision, p.precio_moneda as "precioMoneda",
  p.precio_importe::float8 as "precioImporte", p.descripcion, p.region_id as "regionId", p.region,
  p.ciudad_id as "ciudadId", p.ciudad, to_json(p.fotos) as fotos, p.datos_tecnicos as "datosTecnicos"`

/**
 * The app's living listings at an agency under those ExternalIds, or all of them, held until the transaction ends. Whether
 * PostgreSQL goes through the agency's stock or looks each of them up is left to it: told to look them up, and not knowing
 * yet how much a new agency has, it went through the stock once for each.
 */
export const lockLiving = (
  tx: Db,
  app: App,
  agenciaId: number,
  externalIds: readonly string[] | 'all',
): Promise<Living[]> =>
  tx.query<Living>(sql`
    select ${LIVING} from publicaciones p
    where p.agencia_id = ${agenciaId} and p.app_id = ${app.id} and p.estado <> 'Archivada'
      ${externalIds === 'all' ? empty : sql`and lower(p.external_id) = any(${externalIds.map(keyOf)})`}
    order by p.id for update`)
