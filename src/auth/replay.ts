import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

const KEPT_SECONDS = 660 // a signature may be dated 300 s ahead and is good 300 s after that; one minute to spare

/** Whether this is the first time, on any node, that the signature is seen: the primary key decides. */
export async function isFirstUse(db: Db, signature: Buffer): Promise<boolean> {
  const rows = await db.query(sql`
    insert into used_signatures (signature, expires_at)
    values (${signature}, now() + make_interval(secs => ${KEPT_SECONDS}))
    on conflict do nothing returning 1`)
  return rows.length === 1
}

/** Deletes signatures outside the time window: their date would be refused anyway. */
export async function forgetExpired(db: Db): Promise<void> {
  await db.query(sql`delete from used_signatures where expires_at < now()`)
}
