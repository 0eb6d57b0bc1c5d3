import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import type { Sucursal, SucursalData } from './sucursal.ts'

const COLUMNS = sql`
  id, nombre, telefono, whatsapp, email, region_id as "regionId", region, ciudad_id as "ciudadId", ciudad, direccion,
  codigo_postal as "codigoPostal", horarios`

/** The places of an agency, in the order they were added. */
export const listSucursales = (db: Db, agenciaId: number): Promise<Sucursal[]> =>
  db.query<Sucursal>(sql`select ${COLUMNS} from sucursales where agencia_id = ${agenciaId} order by id`)

/** The places of several agencies, by agency. */
export async function sucursalesOf(db: Db, agenciaIds: number[]): Promise<Map<number, Sucursal[]>> {
  const rows = await db.query<Sucursal & { agenciaId: number }>(sql`
    select agencia_id as "agenciaId", ${COLUMNS} from sucursales where agencia_id = any(${agenciaIds}) order by id`)
  const places = new Map<number, Sucursal[]>()
  for (const { agenciaId, ...sucursal } of rows) places.set(agenciaId, [...(places.get(agenciaId) ?? []), sucursal])
  return places
}

export async function findSucursal(db: Db, agenciaId: number, id: number): Promise<Sucursal | undefined> {
  const [row] = await db.query<Sucursal>(sql`
    select ${COLUMNS} from sucursales where agencia_id = ${agenciaId} and id = ${id}`)
  return row
}

export async function insertSucursal(tx: Db, agenciaId: number, data: SucursalData): Promise<Sucursal> {
  const [row] = await tx.query<Sucursal>(sql`
    insert into sucursales (agencia_id, nombre, telefono, whatsapp, email, region_id, region, ciudad_id, ciudad,
                            direccion, codigo_postal, horarios)
    values (${agenciaId}, ${data.nombre}, ${data.telefono}, ${data.whatsapp}, ${data.email}, ${data.regionId},
            ${data.region}, ${data.ciudadId}, ${data.ciudad}, ${data.direccion}, ${data.codigoPostal},
            ${data.horarios && JSON.stringify(data.horarios)})
    returning ${COLUMNS}`)
  if (!row) throw new Error('The place was not kept.')
  return row
}

export async function updateSucursal(tx: Db, { id, ...data }: Sucursal): Promise<void> {
  await tx.query(sql`
    update sucursales
    set nombre = ${data.nombre}, telefono = ${data.telefono}, whatsapp = ${data.whatsapp}, email = ${data.email},
        region_id = ${data.regionId}, region = ${data.region}, ciudad_id = ${data.ciudadId}, ciudad = ${data.ciudad},
        direccion = ${data.direccion}, codigo_postal = ${data.codigoPostal},
        horarios = ${data.horarios && JSON.stringify(data.horarios)}, updated_at = now()
    where id = ${id}`)
}

export const deleteSucursal = (tx: Db, id: number): Promise<unknown> =>
  tx.query(sql`delete from sucursales where id = ${id}`)
