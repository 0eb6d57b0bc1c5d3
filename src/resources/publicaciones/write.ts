import sql, { empty, type Sql } from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import type { Db } from '../../store/db.ts'
import type { DatoTecnico, Details, Publicacion, PublicacionData } from './publicacion.ts'
import { PUBLICACION } from './store.ts'

/** Where a listing stands. */
export type Standing = Pick<Publicacion, 'estado' | 'suspensiones' | 'exposicionPedida' | 'exposicion'>

export interface NewPublicacion extends Omit<PublicacionData, 'datosTecnicos' | 'escrito'>, Partial<Standing> {
  agenciaId: number
  app: Pick<App, 'id' | 'modo'>
  datosTecnicos?: DatoTecnico[]
  escrito?: string
}

/** How a row travels: as JSON, whose members are these columns. */
const ROW: Sql = sql`
  "externalId" text, "refStock" text, estado text, suspensiones text[], "exposicionPedida" text, exposicion text,
  operador text, "marcaId" int, marca text, "modeloId" int, modelo text, "versionId" int, version text, escrito text,
  "versionYear" int, kilometraje int, "colorId" int, color text, "carroceriaId" int, carroceria text, propulsion text,
  transmision text, "precioMoneda" text, "precioImporte" numeric, descripcion text, "regionId" int, region text,
  "ciudadId" int, ciudad text, fotos text[], "datosTecnicos" json, busqueda text`

/** What `q` looks through: a listing's car and the partner's own numbers, without case and accents. */
export const searchText = (
  row: Pick<Publicacion, 'marca' | 'modelo' | 'version' | 'externalId' | 'refStock'>,
): string => fold([row.marca, row.modelo, row.version, row.externalId, row.refStock].filter(Boolean).join(' '))

/**
 * A row as it travels, from parts that have no member in common. They are joined as text: copying objects of thirty
 * members into one cost as much as writing them into the table.
 */
export const rowText = (...parts: object[]): string =>
  `{${parts.map((part) => JSON.stringify(part).slice(1, -1)).join(',')}}`

const inFull = sql`returning ${PUBLICACION}`

/** Puts listings in, in one statement; a live ExternalId of the same app at the same agency is not put in twice. */
export const insertRows = (tx: Db, rows: string[], returning: Sql = empty): Promise<Publicacion[]> =>
  tx.query<Publicacion>(sql`
    insert into publicaciones as p (
      modo, agencia_id, app_id, external_id, ref_stock, estado, suspensiones, exposicion_pedida, exposicion, operador,
      marca_id, marca, modelo_id, modelo, version_id, version, escrito, version_year, kilometraje, color_id, color,
      carroceria_id, carroceria, propulsion, transmision, precio_moneda, precio_importe, descripcion, region_id, region,
      ciudad_id, ciudad, fotos, datos_tecnicos, busqueda)
    select modo, "agenciaId", "appId", "externalId", "refStock", estado, suspensiones, "exposicionPedida", exposicion,
           operador, "marcaId", marca, "modeloId", modelo, "versionId", version, escrito, "versionYear", kilometraje,
           "colorId", color, "carroceriaId", carroceria, propulsion, transmision, "precioMoneda", "precioImporte",
           descripcion, "regionId", region, "ciudadId", ciudad, fotos, "datosTecnicos", busqueda
    from json_to_recordset(${`[${rows.join(',')}]`}) as row (modo text, "agenciaId" int, "appId" int, ${ROW})
    on conflict (agencia_id, lower(external_id), app_id) where estado <> 'Archivada' do nothing
    ${returning}`)

/** The same for listings that are given whole, and shown as they were kept. */
export const insertPublicaciones = (tx: Db, given: NewPublicacion[]): Promise<Publicacion[]> =>
  insertRows(
    tx,
    given.map(({ app, agenciaId, estado = 'Activa', datosTecnicos = [], escrito = '', suspensiones, ...data }) => {
      const standing = { estado, suspensiones: suspensiones ?? (estado === 'Suspendida' ? ['app'] : []) }
      const whose = { modo: app.modo, agenciaId, appId: app.id }
      return rowText(whose, standing, { datosTecnicos, escrito, busqueda: searchText(data) }, data)
    }),
    inFull,
  )

/** Puts one listing in; undefined where its ExternalId is taken. */
export const insertPublicacion = async (tx: Db, given: NewPublicacion): Promise<Publicacion | undefined> =>
  (await insertPublicaciones(tx, [given]))[0]

/** Writes what listings say from now on, by their `id`, in one statement; which cars they are stays. */
export const updateRows = (tx: Db, rows: string[], returning: Sql = empty): Promise<Publicacion[]> =>
  tx.query<Publicacion>(sql`
    update publicaciones p
    set ref_stock = row."refStock", estado = row.estado, suspensiones = row.suspensiones,
        motivo = case when row.suspensiones && '{mercado,agencia}' then p.motivo end,
        exposicion_pedida = row."exposicionPedida", exposicion = row.exposicion, operador = row.operador,
        version_year = row."versionYear", kilometraje = row.kilometraje, color_id = row."colorId", color = row.color,
        carroceria_id = row."carroceriaId", carroceria = row.carroceria, propulsion = row.propulsion,
        transmision = row.transmision, precio_moneda = row."precioMoneda", precio_importe = row."precioImporte",
        descripcion = row.descripcion, region_id = row."regionId", region = row.region, ciudad_id = row."ciudadId",
        ciudad = row.ciudad, fotos = row.fotos, datos_tecnicos = row."datosTecnicos", busqueda = row.busqueda,
        updated_at = now()
    from json_to_recordset(${`[${rows.join(',')}]`}) as row (id int, ${ROW})
    where p.id = row.id
    ${returning}`)

/** A changed listing as it travels. */
export const changedText = (current: Publicacion, details: Details, standing: Standing): string => {
  const { id, marca, modelo, version, externalId } = current
  return rowText(
    { id, busqueda: searchText({ marca, modelo, version, externalId, refStock: details.refStock }) },
    details,
    standing,
  )
}

/** Writes one of them, and gives it as it then is. */
export const updatePublicacion = async (tx: Db, current: Publicacion, details: Details, standing: Standing) =>
  (await updateRows(tx, [changedText(current, details, standing)], inFull))[0] ?? current

/** Ends listings for good: their ExternalIds are free again. */
export const archivePublicaciones = (tx: Db, ids: number[]): Promise<Publicacion[]> =>
  tx.query<Publicacion>(sql`
    update publicaciones p set estado = 'Archivada', archived_at = now(), updated_at = now()
    where p.id = any(${ids}) and p.estado <> 'Archivada'
    returning ${PUBLICACION}`)
