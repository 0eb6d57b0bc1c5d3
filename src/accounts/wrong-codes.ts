import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import { audit } from './audit.ts'

const LIMIT_ACT = 'segundo-paso.limite'

/**
 * Notes a wrong code of the second factor: whoever writes one knows the password. True where it was the last one that is
 * let through for now, and the owner has not heard of that in a day.
 */
export async function noteWrongCode(tx: Db, accountId: number, left: number): Promise<boolean> {
  const wrong = { accountId, via: 'consola', subject: `cuenta ${accountId}` } as const
  await audit(tx, { ...wrong, act: 'segundo-paso.fallido' })
  if (left > 0) return false
  const told = await tx.query(sql`
    select from audit_log
    where account_id = ${accountId} and act = ${LIMIT_ACT} and at > now() - interval '24 hours' limit 1`)
  if (told.length > 0) return false
  await audit(tx, { ...wrong, act: LIMIT_ACT })
  return true
}
