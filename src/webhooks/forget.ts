import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'

/**
 * Forgets what receivers answered to those deliveries, which may repeat what they were sent. One that a worker has in its
 * hands is taken back first, so that its answer is not noted afterwards; it leaves again, with the payload of then.
 */
export async function eraseAnswers(tx: Db, deliveryIds: string[]): Promise<number> {
  await tx.query(sql`
    update deliveries set lease = null, leased_until = null, due_at = now()
    where id in (select id from deliveries
                 where id = any (${deliveryIds}::text[]) and lease is not null order by id for no key update)`)
  const forgotten = await tx.query(sql`
    update delivery_attempts set answer = null
    where delivery_id = any (${deliveryIds}::text[]) and answer is not null returning 1`)
  return forgotten.length
}
