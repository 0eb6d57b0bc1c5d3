import sql from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

/** Whether somebody works at an agency under that mail: then it cannot be invited. */
export async function isRegistered(db: Db, modo: Modo, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from operadores o join accounts c on c.id = o.account_id where c.modo = ${modo} and c.email = ${email} limit 1`)
  return rows.length > 0
}

/** Makes whoever acts on one address in one mode wait for the other, until the transaction ends. */
export const lockAddress = (tx: Db, modo: Modo, email: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${modo} ${email}`}, 0))`)
