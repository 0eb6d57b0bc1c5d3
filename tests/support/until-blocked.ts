import sql from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'
import { until } from './until.ts'

/** Waits until a statement in this database, with this text in it, waits for a lock that another transaction holds. */
export const untilBlocked = (store: Store, text = ''): Promise<unknown> =>
  until(async () => {
    const waiting = await store.query(sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position(${text} in query) > 0`)
    return waiting.length > 0
  })
