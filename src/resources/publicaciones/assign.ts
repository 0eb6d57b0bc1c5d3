import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** Gives listings of an agency to somebody who works there: they get the new inquiries about them. Returns how many changed. */
export async function assignPublicaciones(
  tx: Db,
  agenciaId: number,
  ids: readonly number[],
  operador: string,
): Promise<number> {
  const changed = await tx.query(sql`
    update publicaciones set operador = ${operador}, updated_at = now()
    where id in (
      select id from publicaciones
      where id = any (${ids}::int[]) and agencia_id = ${agenciaId} and estado <> 'Archivada' and operador <> ${operador}
      order by id for no key update)
    returning 1`)
  return changed.length
}
