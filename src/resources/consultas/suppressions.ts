import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../../store/keyset.ts'
import type { Receipt } from './suppress.ts'

/** A request to be forgotten that was carried out. Who asked is not known any more. */
export interface Suppression extends Omit<Receipt, 'before'> {
  /** Who carried it out; null where it was the command line. */
  by: { email: string; nombre: string; apellido: string } | null
}

const selected = (where: Sql): Sql => sql`
  select s.id, s.at, (s.reached ->> 'consultas')::int as consultas, (s.reached ->> 'eventos')::int as eventos,
         (s.reached ->> 'respuestas')::int as respuestas, (s.reached ->> 'correos')::int as correos,
         (s.reached ->> 'apps')::int as apps, coalesce((s.reached ->> 'relacionadas')::int, 0) as relacionadas,
         case when a.id is not null then
           json_build_object('email', a.email, 'nombre', a.nombre, 'apellido', a.apellido) end as by
  from suppressions s left join accounts a on a.id = s.by_account where ${where}`

/** Receipts, newest first. */
export async function listSuppressions(db: Db, turn: Cursor): Promise<ResultPage<Suppression>> {
  const { within, order, limit } = keysetBy(sql`s.id`, turn)
  return resultPage(await db.query<Suppression>(sql`${selected(within)} order by ${order} limit ${limit}`), turn)
}

export async function findSuppression(db: Db, id: string): Promise<Suppression | undefined> {
  const [found] = await db.query<Suppression>(selected(sql`s.id = ${id}`))
  return found
}
