import sql, { empty } from 'sql-template-tag'
import { PER_PAGE } from '../../http/paging.ts'
import type { Db } from '../../store/db.ts'
import { holding } from './list.ts'
import type { Publicacion } from './publicacion.ts'
import { PUBLICACION } from './store.ts'

/** A listing as the agency's own people see it, with the app that published it. */
export type OwnListing = Publicacion & { app: string }

export interface Wanted {
  agenciaId: number
  /** Only those that this person answers for. */
  operador: string | undefined
  /** Only those that are shown, or are not. */
  estado?: 'Activa' | 'Suspendida' | undefined
  /** Words that all stand in make, model, version or the partner's numbers. */
  text?: string | undefined
  page: number
  /** How many a page has; what fits a screen unless said otherwise. */
  most?: number
}

/** What apps offer in an agency's name, newest first, and how many there are; archived ones are history. */
export async function listOwn(
  db: Db,
  { agenciaId, operador, estado, text, page, most = PER_PAGE }: Wanted,
): Promise<{ total: number; rows: OwnListing[] }> {
  const chosen = sql`
    p.agencia_id = ${agenciaId} and p.estado <> 'Archivada' ${operador ? sql`and p.operador = ${operador}` : empty}
    ${estado ? sql`and p.estado = ${estado}` : empty} ${holding(text)}`
  const rows = await db.query<OwnListing & { total: number }>(sql`
    select counted.total, p.*
    from (select count(*)::int as total from publicaciones p where ${chosen}) counted
    left join lateral (
      select ${PUBLICACION}, a.nombre as app from publicaciones p join apps a on a.id = p.app_id where ${chosen}
      order by p.id desc limit ${most} offset ${(page - 1) * most}
    ) p on true
    order by p.id desc`)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}
