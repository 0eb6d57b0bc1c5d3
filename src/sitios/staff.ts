import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../store/keyset.ts'
import type { Sitio } from './sitio.ts'
import { LISTED, type ListedSitio } from './store.ts'

export interface SitiosFilters {
  /** Part of its name. */
  q?: string | undefined
  modo?: Sitio['modo'] | undefined
  /** Of its key. */
  estado?: 'vigentes' | 'revocadas' | undefined
}

/** Sites, newest first, page by page. */
export async function listSitiosForStaff(
  db: Db,
  { q, modo, estado }: SitiosFilters,
  turn: Cursor<number>,
): Promise<ResultPage<ListedSitio>> {
  const { within, order, limit } = keysetBy(sql`id`, turn)
  const conditions: Sql[] = [within]
  if (q) conditions.push(sql`position(lower(${q}) in lower(nombre)) > 0`)
  if (modo) conditions.push(sql`modo = ${modo}`)
  if (estado) conditions.push(estado === 'vigentes' ? sql`revoked_at is null` : sql`revoked_at is not null`)
  const found = await db.query<ListedSitio>(sql`
    select ${LISTED} from sitios where ${join(conditions, ' and ')} order by ${order} limit ${limit}`)
  return resultPage(found, turn)
}

/** The number of the site that was made last; 0 while there is none. */
export async function newestSitio(db: Db): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0) as id from sitios`)
  return row?.id ?? 0
}
