import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Account } from './account.ts'
import { deleteUsedChallenges } from './passkeys.ts'

const USER_AGENT_CHARACTERS = 300

export interface OpenSession {
  id: string
  userAgent: string
  openedAt: Date
  lastSeenAt: Date
}

interface SeenSession extends OpenSession {
  account: Account
}

/** Stores that a session was used, which also lists it for its owner. */
export async function touchSession(
  db: Db,
  { id, account, userAgent, openedAt, lastSeenAt }: SeenSession,
): Promise<void> {
  await db.query(sql`
    insert into sessions (id, account_id, version, user_agent, opened_at, last_seen_at)
    values (${id}, ${account.id}, ${account.version}, ${userAgent.slice(0, USER_AGENT_CHARACTERS)}, ${openedAt},
            ${lastSeenAt})
    on conflict (id) do update set last_seen_at = excluded.last_seen_at, version = excluded.version`)
}

/** The sessions of an account that were used since then, the latest first; `current` may still have a former version. */
export const listSessions = (
  db: Db,
  { id, version }: Account,
  since: Date,
  current: string | undefined,
): Promise<OpenSession[]> =>
  db.query<OpenSession>(sql`
    select id, user_agent as "userAgent", opened_at as "openedAt", last_seen_at as "lastSeenAt"
    from sessions where account_id = ${id} and (version = ${version} or id = ${current ?? null}::uuid) and last_seen_at > ${since}
    order by last_seen_at desc, id limit 100`)

/** Ends one session, on every node at once. */
export async function endSession(db: Db, session: string): Promise<void> {
  await db.query(sql`
    with gone as (delete from sessions where id = ${session})
    insert into ended_sessions (id) values (${session}) on conflict do nothing`)
}

/** Ends a session of this account. False if it has none with that id. */
export const endSessionOf = (db: Db, accountId: number, session: string): Promise<boolean> =>
  db.changes(sql`
    with gone as (delete from sessions where id = ${session} and account_id = ${accountId} returning id)
    insert into ended_sessions (id) select id from gone on conflict (id) do update set ended_at = now() returning id`)

const COOKIE_DAYS = 31 // a day more than a cookie lasts

/** Deletes what no cookie can name any more. */
export async function deleteEndedSessions(db: Db): Promise<void> {
  await db.query(sql`delete from ended_sessions where ended_at < now() - make_interval(days => ${COOKIE_DAYS})`)
  await db.query(sql`delete from sessions where last_seen_at < now() - make_interval(days => ${COOKIE_DAYS})`)
  await deleteUsedChallenges(db)
}
