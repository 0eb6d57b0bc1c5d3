import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/** What somebody did with personal data. */
export interface Audited {
  /** Who; null where the command line was used, which knows no names. */
  accountId: number | null
  via: 'consola' | 'portal' | 'agencia' | 'comando'
  /** What: `consulta.leer`, `consultas.listar`, `suprimir` … */
  act: string
  /** Of what: a sid, an agency, a receipt; never the person's own data. */
  subject: string
  detail?: Record<string, unknown>
}

/** Notes it for good (decisions, 11): every read of personal data by a person is here, before it is shown. */
export async function audit(db: Db, { accountId, via, act, subject, detail }: Audited): Promise<void> {
  await db.query(sql`
    insert into audit_log (account_id, via, act, subject, detail)
    values (${accountId}, ${via}, ${act}, ${subject}, ${detail ? JSON.stringify(detail) : null})`)
}
