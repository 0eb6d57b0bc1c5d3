import sql from 'sql-template-tag'
import type { Modo } from '../apps/app.ts'
import type { Db } from '../store/db.ts'

/** The agencies' ids by their administrators' addresses in lower case. */
export async function agenciaIds(db: Db, modo: Modo, mails: readonly string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(mails.map((mail) => mail.toLowerCase()))]
  const rows = await db.query<{ id: number; mail: string }>(sql`
    select id, admin_mail as mail from agencias where modo = ${modo} and admin_mail = any (${wanted})`)
  return new Map(rows.map(({ id, mail }) => [mail, id]))
}
