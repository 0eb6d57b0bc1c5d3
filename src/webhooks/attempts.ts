import sql from 'sql-template-tag'
import { plainArray, textArray } from '../outbox/outbox.ts'
import type { Db } from '../store/db.ts'
import type { Call } from './send/send.ts'

/** One attempt at a delivery, as it is kept. */
export interface Attempt extends Pick<Call, 'address' | 'status' | 'answer'> {
  deliveryId: string
  /** How long ago it began: the moment is PostgreSQL's to tell. */
  agoMs: number
  ms: number
  error: string | null
}

export async function keepAttempts(tx: Db, attempts: Attempt[]): Promise<void> {
  const column = (name: 'deliveryId' | 'ms' | 'address' | 'status') => plainArray(attempts.map((each) => each[name]))
  await tx.query(
    sql`
    insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error)
    select id, now() - make_interval(secs => ago / 1000), ms, address, status, answer, error
    from unnest(
      ${column('deliveryId')}::text[], ${plainArray(attempts.map(({ agoMs }) => Math.round(agoMs)))}::float8[],
      ${column('ms')}::int[], ${column('address')}::text[], ${column('status')}::int[],
      ${textArray(attempts.map(({ answer }) => answer))}::text[], ${textArray(attempts.map(({ error }) => error))}::text[]
    ) as attempt (id, ago, ms, address, status, answer, error)`,
    'keep-plan',
  )
}

/** Counts attempts that their schedule does not, so that the next one has a number of its own. */
export const countEarly = (tx: Db, ids: string[]): Promise<unknown> =>
  tx.query(sql`update deliveries set carried = carried + 1 where id = any (${ids}::text[])`)
