import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** The listing that an inquiry is about. */
export interface ListingOfConsulta {
  id: number
  isShown: boolean
  operador: string
}

/** Undefined for a car of the catalogue, and after the listing was deleted. */
export async function listingOf(db: Db, sid: string): Promise<ListingOfConsulta | undefined> {
  const [found] = await db.query<ListingOfConsulta>(sql`
    select p.id, p.estado = 'Activa' as "isShown", p.operador
    from consultas c join publicaciones p on p.id = c.publicacion_id where c.sid = ${sid}`)
  return found
}
