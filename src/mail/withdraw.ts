import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/** Holds back an invitation's letters that have not left: its link is about to be renewed or revoked. */
export async function withdrawLetters(tx: Db, invitacionId: number): Promise<void> {
  await tx.query(sql`
    update mails set estado = 'fallida', last_error = 'withdrawn', settled_at = now(), lease = null, leased_until = null
    where invitacion_id = ${invitacionId} and estado = 'pendiente' and (leased_until is null or leased_until <= now())`)
}
