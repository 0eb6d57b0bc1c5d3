import sql, { raw } from 'sql-template-tag'
import type { Config } from '../../config.ts'
import { addDays, dayOf, startOfDay } from '../../http/dates.ts'
import type { Log } from '../../store/circuit-breaker.ts'
import type { Db, Store } from '../../store/db.ts'
import { firstUlid, momentOf } from '../../ulid.ts'
import { dayOfMonth, monthOf, rebuildCountsIfTimeZoneChanged } from './counts.ts'

const DELETE_BATCH = 5_000
const MOVE_BATCH = 20_000
const MONTHS_AHEAD = 3
/** Requests queue behind our lock, so we give up while a long read holds the table; the next run tries again. */
const LOCK_TIMEOUT = '2s'
const OTHER = 'consultas_other'

interface MaintenanceDeps {
  store: Store
  config: Pick<Config, 'timeZone' | 'retentionDays'>
  log: Log
}

/** Before the first inquiry: counts in this time zone, and a partition for this month. */
export async function prepareConsultas({ store, config, log }: MaintenanceDeps, now: Date): Promise<void> {
  await store.transaction((tx) => rebuildCountsIfTimeZoneChanged(tx, config.timeZone))
  // Without a partition an inquiry is stored in the default one, and moved by the next run.
  await createPartitions(store, now).catch((err) =>
    log.warn({ err }, 'consultas: could not create a partition; next try in an hour'),
  )
}

/** Creates partitions for the coming months and deletes old inquiries. Any node may run it. */
export async function maintainConsultas({ store, config, log }: MaintenanceDeps, now: Date): Promise<void> {
  const created = await createPartitions(store, now)
  const firstKept = addDays(dayOf(now, config.timeZone), -config.retentionDays)
  const deleted = await deleteBefore(store, firstKept, config.timeZone)
  if (created.length > 0 || deleted.tables.length > 0 || deleted.rows > 0)
    log.info({ created, deleted }, 'consultas: partitions created, old rows deleted')
}

/**
 * Deletes the inquiries received before a day with their events and emails: whole months by dropping partitions, the
 * rest in batches. Events and emails go first, so that an interruption leaves none without its inquiry.
 */
export async function deleteBefore(
  store: Store,
  day: string,
  timeZone: string,
): Promise<{ tables: string[]; rows: number }> {
  const sid = firstUlid(startOfDay(day, timeZone))
  await deleteEvents(store, sid)
  await deleteRows(store, 'mails', sid)
  const tables = await dropPartitionsBefore(store, sid)
  const rows = await deleteRows(store, 'consultas', sid)
  await store.query(sql`delete from consulta_counts where mes < ${monthOf(day)}`)
  const before = dayOfMonth(day) - 1
  if (before > 0)
    await store.query(sql`
      update consulta_counts set dias[1:${before}::int] = array_fill(0, array[${before}::int])
      where mes = ${monthOf(day)} and 0 < any (dias[1:${before}::int])`)
  return { tables, rows }
}

async function deleteRows(store: Store, table: 'mails' | 'consultas', sid: string): Promise<number> {
  let total = 0
  // An inquiry has several emails, so a batch may be larger.
  for (let deleted = DELETE_BATCH; deleted >= DELETE_BATCH; total += deleted) {
    const rows = await store.query(sql`
      delete from ${raw(table)} where sid in (
        select sid from ${raw(table)} where sid < ${sid} order by sid limit ${DELETE_BATCH} for update skip locked)
      returning 1`)
    deleted = rows.length
  }
  return total
}

/** By sid: an event of a changed state is younger than its inquiry. */
async function deleteEvents(store: Store, sid: string): Promise<void> {
  for (let deleted = DELETE_BATCH; deleted === DELETE_BATCH; ) {
    const [result] = await store.query<{ count: number }>(sql`
      with gone as (
        delete from events where id in (
          select id from events where sid < ${sid} order by sid limit ${DELETE_BATCH} for update skip locked)
        returning id
      ), deleted_deliveries as (
        delete from deliveries using gone where deliveries.id = gone.id
      ), deleted_attempts as (
        delete from delivery_attempts using gone where delivery_id = gone.id
      )
      select count(*) from gone`)
    deleted = result?.count ?? 0
  }
}

/** A month in UTC: its partition and range of sids. */
interface Month {
  table: string
  from: string
  until: string
}

/** The month of a moment, or one `later` months after it. */
export function monthAt(moment: Date, later = 0): Month {
  const start = (months: number) => new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months, 1))
  const name = start(later).toISOString().slice(0, 7).replace('-', '_')
  return {
    table: `consultas_${name}`,
    from: firstUlid(start(later)),
    until: firstUlid(start(later + 1)),
  }
}

/** This month, the next three, and months with rows in the default partition. Several nodes may run it. */
export async function createPartitions(store: Store, now: Date): Promise<string[]> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthAt(now, later))
  const existing = new Set(await partitions(store))
  const created: string[] = []
  for (const month of [...months, ...(await strayMonths(store))]) {
    if (existing.has(month.table)) continue
    existing.add(month.table)
    if (await createMonth(store, month)) created.push(month.table)
  }
  return created
}

/** The months with rows in the default partition, each found by one index lookup. */
async function strayMonths(db: Db): Promise<Month[]> {
  const months: Month[] = []
  for (let from = ''; ; ) {
    const [next] = await db.query<{ sid: string | null }>(sql`
      select min(sid) as sid from ${raw(OTHER)} where sid >= ${from}`)
    if (!next?.sid) return months
    const month = monthAt(momentOf(next.sid))
    months.push(month)
    from = month.until
  }
}

/** The partitions in the system catalogue; to_regclass caches missing names. */
async function partitions(db: Db): Promise<string[]> {
  const rows = await db.query<{ table: string }>(sql`
    select c.relname as table from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'consultas'::regclass and c.relname ~ '^consultas_[0-9]{4}_[0-9]{2}$' order by 1`)
  return rows.map(({ table }) => table)
}

/** In one transaction, so that an inquiry is always visible while it moves. */
const createMonth = (store: Store, month: Month): Promise<boolean> =>
  store.transaction(async (tx) => {
    await lockPartitions(tx)
    const { table, from, until } = month
    if ((await partitions(tx)).includes(table)) return false
    const [name, range] = [raw(table), raw(`check (sid >= '${from}' and sid < '${until}')`)]
    // A concurrent insert that already chose the default partition would fail after the attach.
    await tx.query(sql`lock table consultas in access exclusive mode`)
    await tx.query(sql`create table ${name} (like consultas including all)`)
    for (let moved = MOVE_BATCH; moved === MOVE_BATCH; ) moved = await moveStrays(tx, month)
    // With the constraint, attaching does not scan the rows.
    await tx.query(sql`alter table ${name} add constraint of_month ${range}`)
    await tx.query(
      sql`alter table consultas attach partition ${name} for values ${raw(`from ('${from}') to ('${until}')`)}`,
    )
    await tx.query(sql`alter table ${name} drop constraint of_month`)
    return true
  })

async function moveStrays(tx: Db, { table, from, until }: Month): Promise<number> {
  const [moved] = await tx.query<{ count: number }>(sql`
    with strays as (
      delete from ${raw(OTHER)} where sid = any (array(
        select sid from ${raw(OTHER)} where sid >= ${from} and sid < ${until} order by sid limit ${MOVE_BATCH}))
      returning *
    ), moved as (insert into ${raw(table)} select * from strays returning 1)
    select count(*) from moved`)
  return moved?.count ?? 0
}

/** One node at a time changes the partitions, and does not wait long for readers. */
async function lockPartitions(tx: Db): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`)
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('consultas partitions', 0))`)
}

async function dropPartitionsBefore(store: Store, sid: string): Promise<string[]> {
  const past = (await partitions(store)).filter((table) => monthNamed(table).until <= sid)
  for (const table of past)
    await store.transaction(async (tx) => {
      await lockPartitions(tx)
      await tx.query(sql`drop table if exists ${raw(table)}`)
    })
  return past
}

const monthNamed = (table: string): Month => monthAt(new Date(`${table.slice(-7).replace('_', '-')}-01T00:00:00Z`))
