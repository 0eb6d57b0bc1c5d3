import sql, { raw } from 'sql-template-tag'
import type { Config } from '../../config.ts'
import { addDays, dayOf, startOfDay } from '../../http/dates.ts'
import type { Log } from '../../store/circuit-breaker.ts'
import type { Store } from '../../store/db.ts'
import { createMonths, dropMonthsBefore } from '../../store/partitions.ts'
import { firstUlid } from '../../ulid.ts'
import { deliveryIdsSql } from '../../webhooks/delivery-ids.ts'
import { dayOfMonth, monthOf, rebuildCountsIfTimeZoneChanged } from './counts.ts'

const DELETE_BATCH = 5_000
const MONTHS_AHEAD = 3

interface MaintenanceDeps {
  store: Store
  config: Pick<Config, 'timeZone' | 'retentionDays'>
  log: Log
}

/** Before the first inquiry: counts in this time zone, and a partition for this month. */
export async function prepareConsultas({ store, config, log }: MaintenanceDeps, now: Date): Promise<void> {
  await store.transaction((tx) => rebuildCountsIfTimeZoneChanged(tx, config.timeZone))
  await createConsultaMonths(store, now).catch((err) =>
    log.warn({ err }, 'consultas: could not create a partition; next try in an hour'),
  )
}

export const createConsultaMonths = (store: Store, now: Date): Promise<string[]> =>
  createMonths(store, 'consultas', now, MONTHS_AHEAD)

/** Deletes old inquiries and creates partitions for the coming months. Any node may run it. */
export async function maintainConsultas(
  { store, config, log }: MaintenanceDeps,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const firstKept = addDays(dayOf(now, config.timeZone), -config.retentionDays)
  const deleted = await deleteBefore(store, firstKept, config.timeZone, signal)
  const created = await createConsultaMonths(store, now)
  if (created.length > 0 || deleted.tables.length > 0 || deleted.rows > 0)
    log.info({ created, deleted }, 'consultas: partitions created, old rows deleted')
}

/**
 * Deletes the inquiries received before a day with their events, emails and history: whole months by dropping partitions, the
 * rest in batches. What belongs to them goes first, so that an interruption leaves none without its inquiry.
 */
export async function deleteBefore(
  store: Store,
  day: string,
  timeZone: string,
  signal?: AbortSignal,
): Promise<{ tables: string[]; rows: number }> {
  const moment = startOfDay(day, timeZone)
  const sid = firstUlid(moment)
  await deleteEvents(store, sid, signal)
  for (const table of ['mails', 'consulta_history', 'consulta_reminders'] as const)
    await deleteRows(store, table, sid, signal)
  const tables = await dropMonthsBefore(store, 'consultas', moment, signal)
  const rows = await deleteRows(store, 'consultas', sid, signal)
  await store.query(sql`delete from consulta_counts where mes < ${monthOf(day)}`)
  const before = dayOfMonth(day) - 1
  if (before > 0)
    await store.query(sql`
      update consulta_counts set dias[1:${before}::int] = array_fill(0, array[${before}::int])
      where mes = ${monthOf(day)} and 0 < any (dias[1:${before}::int])`)
  return { tables, rows }
}

async function deleteRows(
  store: Store,
  table: 'mails' | 'consulta_history' | 'consulta_reminders' | 'consultas',
  sid: string,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  // An inquiry has several rows elsewhere, so a batch may be larger.
  for (let deleted = DELETE_BATCH; deleted >= DELETE_BATCH; total += deleted) {
    signal?.throwIfAborted()
    const rows = await store.query(sql`
      delete from ${raw(table)} where sid in (
        select sid from ${raw(table)} where sid < ${sid} order by sid limit ${DELETE_BATCH} for update skip locked)
      returning 1`)
    deleted = rows.length
  }
  return total
}

/** By sid: an event of a changed state is younger than its inquiry. */
async function deleteEvents(store: Store, sid: string, signal?: AbortSignal): Promise<void> {
  for (let deleted = DELETE_BATCH; deleted === DELETE_BATCH; ) {
    signal?.throwIfAborted()
    deleted = await store.count(sql`
      with gone as (
        delete from events where id in (
          select id from events where sid < ${sid} order by sid limit ${DELETE_BATCH} for update skip locked)
        returning id
      ), deleted_deliveries as (
        delete from deliveries using gone where deliveries.id = any (${deliveryIdsSql(sql`gone.id`)})
      ), deleted_attempts as (
        delete from delivery_attempts using gone where delivery_id = any (${deliveryIdsSql(sql`gone.id`)})
      )
      select count(*) from gone`)
  }
}
