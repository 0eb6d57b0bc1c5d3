import sql from 'sql-template-tag'
import { getOrInsert } from '../../memoize.ts'
import { assignValues, columnNames, columnValues, selectList } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import { COLUMNS, type Sucursal, type SucursalData } from './sucursal.ts'

const SUCURSAL = sql`s.id, ${selectList('s', COLUMNS)}`

export const listSucursales = (db: Db, agenciaId: number): Promise<Sucursal[]> =>
  db.query<Sucursal>(sql`select ${SUCURSAL} from sucursales s where agencia_id = ${agenciaId} order by id`)

export async function sucursalesOf(db: Db, agenciaIds: number[]): Promise<Map<number, Sucursal[]>> {
  const rows = await db.query<Sucursal & { agenciaId: number }>(sql`
    select agencia_id as "agenciaId", ${SUCURSAL} from sucursales s where agencia_id = any(${agenciaIds}) order by id`)
  const byAgencia = new Map<number, Sucursal[]>()
  for (const { agenciaId, ...sucursal } of rows) getOrInsert(byAgencia, agenciaId, () => []).push(sucursal)
  return byAgencia
}

export const findSucursal = (db: Db, agenciaId: number, id: number): Promise<Sucursal | undefined> =>
  db.first<Sucursal>(sql`
    select ${SUCURSAL} from sucursales s where agencia_id = ${agenciaId} and id = ${id}`)

export async function insertSucursal(tx: Db, agenciaId: number, data: SucursalData): Promise<Sucursal> {
  const [row] = await tx.query<Sucursal>(sql`
    insert into sucursales as s (agencia_id, ${columnNames(COLUMNS)})
    values (${agenciaId}, ${columnValues(COLUMNS, data)})
    returning ${SUCURSAL}`)
  if (!row) throw new Error('The branch was not stored.')
  return row
}

export async function updateSucursal(tx: Db, { id, ...data }: Sucursal): Promise<void> {
  await tx.query(sql`update sucursales set ${assignValues(COLUMNS, data)}, updated_at = now() where id = ${id}`)
}

export const deleteSucursal = (tx: Db, id: number) => tx.query(sql`delete from sucursales where id = ${id}`)
