import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

/** How a receiver answered to an event that was signed wrongly on purpose. */
export interface Check {
  topic: string
  at: Date
  status: number | null
  /** Whether it refused, as it should. */
  refused: boolean
  /** In words, where it did not answer at all. */
  detail: string | null
}

export async function keepCheck(
  db: Db,
  app: App,
  { topic, status, refused, detail }: Omit<Check, 'at'>,
): Promise<void> {
  await db.query(sql`
    insert into receiver_checks (app_id, topic, status, refused, detail)
    values (${app.id}, ${topic}, ${status}, ${refused}, ${detail})`)
}

/** The last one of the app. */
export async function lastCheck(db: Db, app: App): Promise<Check | undefined> {
  const [check] = await db.query<Check>(sql`
    select topic, at, status, refused, detail from receiver_checks where app_id = ${app.id} order by id desc limit 1`)
  return check
}
