import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'

/** The same note again within this time is a double click. */
const REPEATED_SECONDS = 60

/** Adds a note to an inquiry, which the transaction has locked: of two equal ones at once it stores one. */
export async function addNote(tx: Db, sid: string, accountId: number, text: string): Promise<void> {
  await tx.query(sql`
    insert into consulta_history (sid, account_id, act, detail)
    select ${sid}, ${accountId}::int, 'nota', ${text}
    where not exists (
      select from consulta_history h
      where h.sid = ${sid} and h.account_id = ${accountId} and h.act = 'nota' and h.detail = ${text}
        and h.at > now() - make_interval(secs => ${REPEATED_SECONDS}))`)
}
