import sql from 'sql-template-tag'
import type { StoredPhoto } from '../../photos/photo.ts'
import type { Db } from '../../store/db.ts'
import type { Consulta } from './consulta.ts'

/** The listing that an inquiry is about. */
export interface PublicacionOfConsulta {
  id: number
  isShown: boolean
  operador: string
}

/** Undefined for a car of the catalogue, and after the listing was deleted. */
export const publicacionOf = (db: Db, sid: string): Promise<PublicacionOfConsulta | undefined> =>
  db.first<PublicacionOfConsulta>(sql`
    select p.id, p.estado = 'Activa' as "isShown", p.operador
    from consultas c join publicaciones p on p.id = c.publicacion_id where c.sid = ${sid}`)

/** The first copied photo of the listing of each inquiry, by sid, for lists. Cars of the catalogue have none. */
export async function photosOfConsultas(
  db: Db,
  consultas: readonly Pick<Consulta, 'sid'>[],
): Promise<Map<string, StoredPhoto>> {
  if (consultas.length === 0) return new Map()
  const rows = await db.query<StoredPhoto & { sid: string }>(sql`
    select distinct on (c.sid) c.sid, f.hash, f.width, f.height
    from consultas c join publicaciones p on p.id = c.publicacion_id
    join photos h on h.publicacion_id = p.id and h.url = any (p.fotos) join photo_files f on f.hash = h.hash
    where c.sid = any (${consultas.map(({ sid }) => sid)}::text[])
    order by c.sid, array_position(p.fotos, h.url)`)
  return new Map(rows.map(({ sid, ...photo }) => [sid, photo]))
}
