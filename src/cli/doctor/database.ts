import { statfs } from 'node:fs/promises'
import sql from 'sql-template-tag'
import { liveSecrets } from '../../apps/secrets.ts'
import { HOUR_MS } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../store/db.ts'
import { sharedDataWarning } from '../../store/embedded/start.ts'
import { type Connection, withClient } from '../../store/failover.ts'
import { lastBackup } from '../../store/metrics.ts'
import { checkSchema, migrationNames } from '../../store/migrate.ts'
import { checkSession, SESSION, type Session } from '../../store/open.ts'
import { inspectPooler } from '../../store/pooler.ts'
import { findMasterKeys, openSeal } from '../../store/sealed.ts'
import { type TaskStatus, taskStatuses } from '../../tasks.ts'
import { type Checks, type Finding, fine, warning, wrong } from './finding.ts'

interface Subject {
  config: Config
  db: Db
  /** Past a pooler, if there is one. */
  direct: Connection
}

const CLOCK_FINE_MS = 2_000
/** From here on /health/ready answers 503. */
const CLOCK_WRONG_MS = 60_000
const BACKUP_OLD_MS = 26 * HOUR_MS
const DISK_LOW = 0.1
const DISK_FULL = 0.03
/** Of each node besides its pool: the listener, its heartbeat, and the probe of the circuit breaker (docs/poolers.md). */
const CONNECTIONS_BESIDES = 3
/** Of `backup`, which opens most: a pool of 2, one to read, and on the embedded database one that says it is in use. */
const COMMAND_CONNECTIONS = 4
const ROLES = 'docs/database.md has the statements.'

/** Run in this order, once the database answers. */
export const DATABASE_CHECKS: Checks<Subject> = {
  async schema({ direct, config: { databaseUrl } }) {
    await checkSchema(direct)
    if (databaseUrl) checkSession(await readSession(databaseUrl))
    return fine(`all ${(await migrationNames()).length} migrations are applied`)
  },

  async 'master key'({ config, db }) {
    const keys = findMasterKeys(config)
    if (!keys) return wrong(`there is no master.key in ${config.dataDir}`, 'Put its copy back: stored secrets need it.')
    const seal = await openSeal(db, keys)
    const [app] = await db.query<{ id: number }>(sql`select app_id as id from app_secrets order by id desc limit 1`)
    if (!app) return fine('present; nothing is encrypted yet')
    await liveSecrets(db, seal, app.id).catch(() => {
      throw new Error('The master key does not decrypt a stored secret. Use the key that encrypted it.')
    })
    return fine('decrypts a stored secret')
  },

  async clock({ db }) {
    const before = Date.now()
    const [row] = await db.query<{ ms: number }>(sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`)
    const now = (before + Date.now()) / 2
    const apart = Math.abs(now - (row?.ms ?? 0))
    const detail = `${(apart / 1000).toFixed(1)} s apart from the database's`
    const remedy = 'Synchronise both machines with NTP. Signed requests are refused from five minutes on.'
    if (apart > CLOCK_WRONG_MS) return wrong(detail, remedy)
    return apart > CLOCK_FINE_MS ? warning(detail, remedy) : fine(detail)
  },

  async pooler({ config: { databaseUrl, databaseDirectUrl } }) {
    if (!databaseUrl) return fine('none: embedded')
    const pooler = await inspectPooler({ connectionString: databaseUrl })
    if (databaseDirectUrl && (await inspectPooler({ connectionString: databaseDirectUrl })))
      return wrong('DATABASE_DIRECT_URL connects through a pooler', 'Name PostgreSQL itself there.')
    if (!pooler) return fine('none: DATABASE_URL connects to PostgreSQL itself')
    const name = `${pooler.version ?? 'a pooler of unknown version'} in ${pooler.mode} mode`
    if (!pooler.keepsPrepared)
      return wrong(
        `${name} does not keep prepared statements`,
        'Use PgBouncer 1.21 or later with max_prepared_statements above 0: docs/poolers.md.',
      )
    if (pooler.mode === 'transaction' && !databaseDirectUrl)
      return warning(`${name}, where LISTEN does not work`, 'Set DATABASE_DIRECT_URL to PostgreSQL itself.')
    if (!pooler.hasTimeouts)
      return warning(
        `${name}, and the role has no timeouts of its own, which a pooler needs`,
        "`alter role … set statement_timeout = '30s'`, and lock_timeout = '10s': docs/poolers.md.",
      )
    return fine(name)
  },

  connections: checkConnections,

  async disk({ config: { databaseUrl, dataDir }, db }) {
    if (databaseUrl) {
      const [row] = await db.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)
      return fine(`the database has ${sizeOf(row?.bytes ?? 0)}; PostgreSQL does not report how much space is left`)
    }
    const { bsize, bavail, blocks } = await statfs(dataDir)
    const share = bavail / blocks
    const detail = `${sizeOf(bavail * bsize)} free for DATA_DIR, ${Math.floor(100 * share)} %`
    const remedy = 'Add space, or move backups elsewhere. PostgreSQL stops when it is full.'
    if (share < DISK_FULL) return wrong(detail, remedy)
    return share < DISK_LOW ? warning(detail, remedy) : fine(detail)
  },

  grants: checkGrants,

  async tasks({ db }) {
    const tasks = await taskStatuses(db)
    const stopped = tasks.filter(({ state }) => state !== 'ok')
    const since = ({ lastSuccess }: TaskStatus) => `last success ${lastSuccess?.toISOString() ?? 'never'}`
    const reason = ({ error }: TaskStatus) => (error === null ? '' : `: ${error}`)
    const list = stopped.map((each) => `${each.name} is ${each.state}, ${since(each)}${reason(each)}`)
    if (stopped.length > 0)
      return wrong(
        list.join('; '),
        'Is a worker running? One that has just started needs a minute. Its log has the error: docs/database.md.',
      )
    if (tasks.length === 0) return warning('none has run', 'Start a worker: a server whose ROLE is all or worker.')
    return fine(`all ${tasks.length} have run in time`)
  },

  async backup({ db }) {
    const at = await lastBackup(db)
    if (!at) return fine('none by `rodado backup`; if no other tool backs up, schedule it')
    const age = Date.now() - at.getTime()
    const detail = `the last \`rodado backup\` was ${Math.round(age / HOUR_MS)} h ago`
    return age > BACKUP_OLD_MS ? warning(detail, 'Look at the output of the scheduled backup.') : fine(detail)
  },
}

/** The first check. Without an answer there are no others of the database. */
export async function checkServer(db: Db, { databaseUrl, dataDir }: Config): Promise<Finding> {
  const [row] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`)
  if (databaseUrl) return fine(`PostgreSQL ${row?.version} of DATABASE_URL`)
  const shared = await sharedDataWarning(dataDir)
  return shared ? wrong(shared, '`useradd --system rodado`') : fine(`PostgreSQL ${row?.version} embedded in ${dataDir}`)
}

interface ConnectionCounts {
  max: number
  reserved: number
  used: number
  /** Of the role or the database; -1 for none. */
  limit: number
  nodes: number
}

/** Whether all nodes together could open more connections than PostgreSQL accepts. */
async function checkConnections({ db, config }: Subject): Promise<Finding> {
  const { pgPool, databaseUrl, databaseDirectUrl, databaseReplicaUrls } = config
  const [counts] = await db.query<ConnectionCounts>(sql`
    select current_setting('max_connections')::int as max,
      current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0)
        as reserved,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
      (select count(*) from pg_stat_activity
       where application_name = 'rodado listen' and datname = current_database()) as nodes,
      (select coalesce(min("limit") filter (where "limit" >= 0), -1)
       from (select rolconnlimit from pg_roles where rolname = current_user
             union all select datconnlimit from pg_database where datname = current_database()) as limits ("limit")) as limit`)
  if (!counts) return fine('unknown')
  const { max, reserved, used, limit } = counts
  const nodes = Math.max(1, counts.nodes)
  const room = limit >= 0 ? Math.min(max - reserved, limit) : max - reserved
  if (databaseDirectUrl && databaseDirectUrl !== databaseUrl)
    return fine(`${used} of ${room} in use; the pooler decides how many more`)
  const besides = CONNECTIONS_BESIDES + (databaseReplicaUrls.length > 0 ? 1 : 0)
  const needed = nodes * (pgPool + besides) + COMMAND_CONNECTIONS
  const detail = `${nodes} ${nodes === 1 ? 'node' : 'nodes'} with PG_POOL ${pgPool} may need ${needed} of ${room}; ${used} are in use`
  if (needed <= room) return fine(detail)
  const fitting = Math.floor((room - COMMAND_CONNECTIONS) / nodes) - besides
  return wrong(
    detail,
    `Raise max_connections${limit >= 0 ? ' and the connection limit of role and database' : ''}${fitting >= 2 ? `, or set PG_POOL=${fitting}` : ''}, or put PgBouncer in front: docs/poolers.md.`,
  )
}

/** Of the role of DATABASE_URL: that of DATABASE_DIRECT_URL may be another. */
const readSession = (databaseUrl: string): Promise<Session> =>
  withClient({ connectionString: databaseUrl }, { application_name: 'rodado check' }, async (client) => {
    const { rows } = await client.query<Session>(SESSION)
    return rows[0] as Session
  })

/** What the role of DATABASE_URL may not do and has to, by table and function. */
async function checkGrants({ db, config: { databaseUrl } }: Subject): Promise<Finding> {
  if (!databaseUrl) return fine('the embedded PostgreSQL needs none')
  const { role: user, isReadOnly } = await readSession(databaseUrl)
  if (isReadOnly)
    return wrong(
      `${user} can write nothing: the database is a replica, or read-only for the role`,
      `Name the primary in DATABASE_URL, or \`alter role ${user} set default_transaction_read_only = off\`.`,
    )
  const rows = await db.query<{ name: string; missing: string[] }>(sql`
    select object.name, missing from (
      select relname as name, array(
        select privilege from unnest(array['select', 'insert', 'update', 'delete']) as privilege
        where not has_table_privilege(u.oid, c.oid, privilege)) as missing
      from pg_class c, pg_roles u
      where rolname = ${user} and relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname <> 'migrations'
      union all
      select relname, array['usage'] from pg_class c, pg_roles u
      where rolname = ${user} and relnamespace = 'public'::regnamespace and relname <> 'migrations_id_seq'
        and case when relkind = 'S' then not has_sequence_privilege(u.oid, c.oid, 'usage') end
      union all
      select proname, array['execute'] from pg_proc p, pg_roles u
      where rolname = ${user} and pronamespace = 'public'::regnamespace
        and not has_function_privilege(u.oid, p.oid, 'execute')
    ) as object where missing <> '{}' order by object.name`)
  const [first] = rows
  if (first) {
    const others = rows.length > 1 ? ` and what it needs on ${rows.length - 1} more` : ''
    return wrong(`the role lacks ${first.missing.join(', ')} on ${first.name}${others}`, `Grant it: ${ROLES}`)
  }
  const [role] = await db.query<{ name: string; isSuperuser: boolean }>(sql`
    select rolname::text as name, rolsuper as "isSuperuser" from pg_roles where rolname = ${user}`)
  if (role?.isSuperuser) return warning(`${role.name} is a superuser`, `The server needs only rows: ${ROLES}`)
  return fine(`${role?.name} may read and write every table`)
}

const sizeOf = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`
