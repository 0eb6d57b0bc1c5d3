import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

export const MAX_SAVED_CALLS = 50

/** A call that a developer saved by name in the portal. */
export interface SavedCall {
  id: number
  nombre: string
  metodo: string
  ruta: string
  cuerpo: string
  accept: string
  etag: string
}

export const listSavedCalls = (db: Db, appId: number): Promise<SavedCall[]> =>
  db.query<SavedCall>(sql`
    select id, nombre, metodo, ruta, cuerpo, accept, etag from app_saved_calls where app_id = ${appId} order by lower(nombre)`)

/** Saves it in place of the one with that name. False if the app has as many as it may have. */
export async function saveCall(db: Db, appId: number, call: Omit<SavedCall, 'id'>): Promise<boolean> {
  const { nombre, metodo, ruta, cuerpo, accept, etag } = call
  const rows = await db.query(sql`
    insert into app_saved_calls (app_id, nombre, metodo, ruta, cuerpo, accept, etag)
    select ${appId}, ${nombre}, ${metodo}, ${ruta}, ${cuerpo}, ${accept}, ${etag}
    where (select count(*) from app_saved_calls where app_id = ${appId} and nombre <> ${nombre}) < ${MAX_SAVED_CALLS}
    on conflict (app_id, nombre) do update
    set metodo = excluded.metodo, ruta = excluded.ruta, cuerpo = excluded.cuerpo, accept = excluded.accept, etag = excluded.etag
    returning id`)
  return rows.length === 1
}

export const deleteSavedCall = (db: Db, appId: number, id: number) =>
  db.query(sql`delete from app_saved_calls where app_id = ${appId} and id = ${id}`)
