import sql, { raw, type Sql } from 'sql-template-tag'
import type { Config } from '../config.ts'
import type { Log } from './circuit-breaker.ts'
import type { Store } from './db.ts'

type RetentionConfig = Pick<Config, 'auditDays' | 'historyDays' | 'expiredDays' | 'usageDays' | 'archivedDays'>

/** How the rows of a table end. */
type Rule =
  /** `deleteOldRows` reads the whole table and deletes those that fulfil the condition, after so many days. */
  | { after: keyof RetentionConfig; isOld: (cutoff: Sql) => Sql }
  /** `deleteOldRows` deletes those with an older time in this column, in the order of its index. */
  | { after: keyof RetentionConfig; indexed: string }
  /** Another scheduled task of main.ts deletes them. */
  | { task: string }
  /** They stay, because there are few. */
  | { kept: string }

const olderThan =
  (column: string) =>
  (cutoff: Sql): Sql =>
    sql`${raw(column)} < ${cutoff}`

/** Every table has a rule (docs/database.md, "How long rows are kept"). Emails come before the invitations they refer to. */
export const RULES: Record<string, Rule> = {
  account_links: { after: 'expiredDays', isOld: olderThan('expires_at') },
  accounts: { kept: 'a row for each person' },
  agencia_aliases: { after: 'expiredDays', isOld: olderThan('expires_at') },
  agencia_history: { after: 'historyDays', isOld: olderThan('at') },
  agencias: { kept: 'a row for each agency' },
  alerts: { after: 'historyDays', isOld: (cutoff) => sql`created_at < ${cutoff} and estado <> 'pendiente'` },
  app_alerts: { kept: 'a row for each app' },
  app_calls: { task: 'call-log' },
  app_firsts: { kept: 'a few rows for each app' },
  app_members: { kept: 'a row for each developer of an app' },
  app_reads: { after: 'usageDays', isOld: (cutoff) => sql`dia < (${cutoff})::date` },
  app_saved_calls: { kept: 'at most 50 for each app' },
  app_secret_uses: { kept: 'a row for each secret' },
  app_secrets: { kept: 'a few rows for each app' },
  app_usage: { after: 'usageDays', isOld: olderThan('hora') },
  apps: { kept: 'a row for each app' },
  asociaciones: { kept: 'a few rows for each app and agency: who saw whose inquiries, and until when' },
  audit_log: { after: 'auditDays', indexed: 'at' },
  brand: { kept: 'one row' },
  brand_images: { kept: 'a few rows; emails that were sent show images that were replaced' },
  consent_texts: { kept: 'a row for each version of the text' },
  consulta_counts: { task: 'inquiries' },
  consulta_history: { task: 'inquiries' },
  consulta_reminders: { task: 'inquiries' },
  consultas: { task: 'inquiries' },
  deliveries: { task: 'old-events' },
  delivery_latency: { after: 'usageDays', isOld: olderThan('hora') },
  delivery_attempts: { task: 'old-events' },
  ended_sessions: { task: 'ended-sessions' },
  events: { task: 'old-events' },
  heartbeats: { after: 'usageDays', isOld: olderThan('hora') },
  idempotency_keys: { task: 'idempotency-keys' },
  incident_updates: { kept: 'a few rows for each incident' },
  incidents: { kept: 'a row for each incident that the staff published' },
  mails: {
    after: 'historyDays',
    // Those about inquiries are deleted with them.
    isOld: (cutoff) => sql`sid is null and created_at < ${cutoff} and estado <> 'pendiente'`,
  },
  invitaciones: {
    after: 'historyDays',
    isOld: (cutoff) => sql`
      coalesce(ended_at, vence) < ${cutoff} and not exists (select from mails m where m.invitacion_id = invitaciones.id)`,
  },
  inbox_settings: { kept: 'a row for each agency' },
  invitation_blocks: { kept: 'a row for each address that wants no invitations' },
  migrations: { kept: 'a row for each migration' },
  oidc_identities: { kept: 'a row for each person of the staff' },
  operadores: { kept: 'a row for each salesperson' },
  paquetes: { kept: 'a row for each agency' },
  ordered_deliveries: { kept: 'a row for each delivery that is sent in order, until it is settled' },
  passkeys: { kept: 'a few rows for each person' },
  photo_files: { task: 'unused-photos' },
  photo_positions: { kept: 'a row for each mode' },
  photos: { task: 'photos' },
  publicaciones: { after: 'archivedDays', isOld: (cutoff) => sql`estado = 'Archivada' and archived_at < ${cutoff}` },
  receiver_checks: { after: 'historyDays', isOld: olderThan('at') },
  scheduled_tasks: { kept: 'a row for each task' },
  second_factors: { kept: 'a row for each person' },
  sessions: { task: 'ended-sessions' },
  settings: { kept: 'a few rows' },
  signing_keys: { kept: 'a few rows' },
  sitios: { kept: 'a row for each site' },
  staff: { kept: 'a row for each person of the staff' },
  sucursales: { kept: 'a few rows for each agency' },
  suppressions: { kept: 'the proof of each erasure; it names nobody' },
  used_challenges: { task: 'ended-sessions' },
  used_signatures: { task: 'signatures' },
  usos: { kept: 'a row for each agency' },
  visitas: { after: 'usageDays', isOld: (cutoff) => sql`dia < (${cutoff})::date` },
  webhooks: { kept: 'a row for each webhook' },
}

const CLOCKS_APART_SECONDS = 60

/** The time, if the database's clock agrees with ours: either of them, wrong, would delete what must be kept. */
export async function agreedTime(store: Store, clock: () => Date): Promise<Date> {
  const now = clock()
  const [row] = await store.query<{ apart: number }>(sql`
    select extract(epoch from clock_timestamp() - ${now}::timestamptz)::float8 as apart`)
  const apart = Math.abs(row?.apart ?? 0)
  if (apart <= CLOCKS_APART_SECONDS) return now
  throw new Error(
    `The clocks of this machine and of the database are ${Math.round(apart)} s apart. Nothing is deleted until they agree: synchronise both with NTP.`,
  )
}

/** 8 MB: short statements, which no request notices. */
const PAGES = 1_024
const ROWS = 5_000

/**
 * Deletes the rows that are older than their rule says. A table without an index by age is read once from its first page to
 * its last: every insert would have to maintain the index.
 */
export async function deleteOldRows(
  { store, config, log }: { store: Store; config: RetentionConfig; log: Log },
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const deleted: Record<string, number> = {}
  for (const [table, rule] of Object.entries(RULES)) {
    if (!('after' in rule)) continue
    const cutoff = sql`${now}::timestamptz - make_interval(days => ${config[rule.after]})`
    const count = await ('indexed' in rule
      ? deleteInOrder(store, table, rule.indexed, cutoff, signal)
      : deleteWhere(store, table, rule.isOld(cutoff), signal))
    if (count > 0) deleted[table] = count
  }
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'retention: old rows deleted')
}

async function deleteWhere(store: Store, table: string, isOld: Sql, signal?: AbortSignal): Promise<number> {
  const [size] = await store.query<{ pages: number }>(sql`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::int as pages`)
  let count = 0
  for (let page = 0; page < (size?.pages ?? 0); page += PAGES) {
    signal?.throwIfAborted()
    count += await store.count(sql`
      with gone as (
        delete from ${raw(table)}
        where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + PAGES},0)`}::tid and ${isOld} returning 1)
      select count(*) from gone`)
  }
  return count
}

async function deleteInOrder(
  store: Store,
  table: string,
  column: string,
  cutoff: Sql,
  signal?: AbortSignal,
): Promise<number> {
  const old = sql`select ctid from ${raw(table)} where ${olderThan(column)(cutoff)} order by ${raw(column)} limit ${ROWS}`
  for (let count = 0; ; ) {
    signal?.throwIfAborted()
    const deleted = await store.count(sql`
      with gone as (
        delete from ${raw(table)} where ctid = any (array(${old})) returning 1)
      select count(*) from gone`)
    count += deleted
    if (deleted < ROWS) return count
  }
}
