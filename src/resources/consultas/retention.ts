import sql, { raw } from 'sql-template-tag'
import type { Config } from '../../config.ts'
import { addDays, dayOf, startOfDay } from '../../http/dates.ts'
import type { Log, Store } from '../../store/db.ts'
import { firstUlid } from '../../webhooks/ulid.ts'
import { dayOfMonth, keepCountsIn, monthOf } from './counts.ts'
import { dropPartitionsBefore, makePartitions } from './partitions.ts'

const BATCH = 5_000

interface MaintenanceDeps {
  store: Store
  config: Pick<Config, 'timeZone' | 'retentionDays'>
  log: Log
}

/** What must hold before the first inquiry comes: days counted in this zone, and a table for this month. */
export async function prepareConsultas({ store, config, log }: MaintenanceDeps, now: Date): Promise<void> {
  await store.transaction((tx) => keepCountsIn(tx, config.timeZone))
  // Without a table of its own an inquiry is kept all the same, in the default one; it is moved at the next time.
  await makePartitions(store, now).catch((err) =>
    log.warn({ err }, 'consultas: no table for a month; again in an hour'),
  )
}

/** What inquiries need from time to time, on any node: tables for the months to come, and an end for what is too old. */
export async function maintainConsultas({ store, config, log }: MaintenanceDeps, now: Date): Promise<void> {
  const made = await makePartitions(store, now)
  const firstKept = addDays(dayOf(now, config.timeZone), -config.retentionDays)
  const erased = await eraseBefore(store, firstKept, config.timeZone)
  if (made.length > 0 || erased.tables.length > 0 || erased.rows > 0)
    log.info({ made, erased }, 'consultas: maintained')
}

/**
 * Erases the inquiries received before a day, with the events that tell of them and the letters about them: whole
 * months by their tables, the rest some at a time. What an event or letter says goes first, so that a node that dies in
 * between leaves nothing that leads to no inquiry.
 */
export async function eraseBefore(
  store: Store,
  day: string,
  timeZone: string,
): Promise<{ tables: string[]; rows: number }> {
  const sid = firstUlid(startOfDay(day, timeZone))
  await eraseEvents(store, sid)
  await eraseRows(store, 'mails', sid)
  const tables = await dropPartitionsBefore(store, sid)
  const rows = await eraseRows(store, 'consultas', sid)
  await store.query(sql`delete from consulta_counts where mes < ${monthOf(day)}`)
  const before = dayOfMonth(day) - 1
  if (before > 0)
    await store.query(sql`
      update consulta_counts set dias[1:${before}::int] = array_fill(0, array[${before}::int])
      where mes = ${monthOf(day)} and 0 < any (dias[1:${before}::int])`)
  return { tables, rows }
}

async function eraseRows(store: Store, table: 'mails' | 'consultas', sid: string): Promise<number> {
  let erased = 0
  // An inquiry has several letters, so that a batch may be a few more.
  for (let gone = BATCH; gone >= BATCH; erased += gone) {
    const rows = await store.query(sql`
      delete from ${raw(table)} where sid in (
        select sid from ${raw(table)} where sid < ${sid} order by sid limit ${BATCH} for update skip locked)
      returning 1`)
    gone = rows.length
  }
  return erased
}

/** An event may be younger than its inquiry: a change of state tells of it again. */
async function eraseEvents(store: Store, sid: string): Promise<void> {
  for (let gone = BATCH; gone === BATCH; ) {
    const [erased] = await store.query<{ count: number }>(sql`
      with gone as (
        delete from events where id in (
          select id from events where sid < ${sid} order by sid limit ${BATCH} for update skip locked)
        returning id
      ), undelivered as (
        delete from deliveries using gone where deliveries.id = gone.id
      ), untried as (
        delete from delivery_attempts using gone where delivery_id = gone.id
      )
      select count(*) from gone`)
    gone = erased?.count ?? 0
  }
}
