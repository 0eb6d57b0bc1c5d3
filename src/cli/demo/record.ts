import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { deliveryIdsSql } from '../../webhooks/delivery-ids.ts'
import { removeStatus } from './status.ts'

/** What the demo made, by table: the ids that every other row of it refers to. */
export interface DemoRecord {
  apps: number[]
  accounts: number[]
  agencias: number[]
  sitios: number[]
  incidents?: number[]
  /** The status page's history before this is invented. */
  statusUntil?: string | undefined
  /** When it was made; what its people did afterwards is no longer invented. */
  at: string
}

const NAME = 'demo'

/** One `rodado demo` at a time. */
export const lockDemo = (tx: Db): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtext('rodado demo'))`)

export async function findDemo(db: Db): Promise<DemoRecord | undefined> {
  const [row] = await db.query<{ value: string }>(sql`select value from settings where name = ${NAME}`)
  return row && (JSON.parse(row.value) as DemoRecord)
}

export async function saveDemo(tx: Db, record: Omit<DemoRecord, 'at'> & { at?: string }): Promise<void> {
  await tx.query(sql`
    insert into settings (name, value) values (${NAME}, (jsonb_build_object('at', now()) || ${JSON.stringify(record)}::jsonb)::text)
    on conflict (name) do update set value = excluded.value`)
}

/** Deletes everything that belongs to the demo. What its people did after it was made stays in the audit log, without a name. */
export async function removeDemo(tx: Db): Promise<DemoRecord | undefined> {
  const demo = await findDemo(tx)
  if (!demo) return undefined
  const { apps, agencias, accounts, sitios, incidents = [], statusUntil, at } = demo
  // These tables have no foreign keys (docs/database.md).
  await tx.query(sql`
    with gone as (
      delete from events where app_id = any (${apps}::int[]) or agencia_id = any (${agencias}::int[]) returning id
    ), deleted_deliveries as (
      delete from deliveries using gone where deliveries.id = any (${deliveryIdsSql(sql`gone.id`)})
    )
    delete from delivery_attempts using gone where delivery_id = any (${deliveryIdsSql(sql`gone.id`)})`)
  await tx.query(sql`
    with gone as (delete from consultas where agencia_id = any (${agencias}::int[]) returning sid),
      deleted_keys as (delete from idempotency_keys using gone where idempotency_keys.sid = gone.sid),
      deleted_history as (delete from consulta_history using gone where consulta_history.sid = gone.sid)
    delete from mails using gone where mails.sid = gone.sid`)
  await tx.query(sql`delete from app_calls where app_id = any (${apps}::int[])`)
  await tx.query(sql`delete from consulta_counts where agencia_id = any (${agencias}::int[])`)
  await tx.query(sql`
    delete from mails where to_address in (select email from accounts where id = any (${accounts}::int[]))`)
  await tx.query(sql`
    delete from visitas where publicacion_id in (
      select id from publicaciones where agencia_id = any (${agencias}::int[]) or app_id = any (${apps}::int[]))`)
  await tx.query(sql`update audit_log set account_id = null where account_id = any (${accounts}::int[]) and at > ${at}`)
  await tx.query(
    sql`update suppressions set by_account = null where by_account = any (${accounts}::int[]) and at > ${at}`,
  )
  for (const [table, ids] of Object.entries({ apps, agencias, accounts, sitios, incidents }))
    await deleteRows(tx, table, ids)
  if (statusUntil) await removeStatus(tx, statusUntil)
  await tx.query(sql`delete from settings where name = ${NAME}`)
  return demo
}

/** Deletes rows by their ids, and before them those of other tables that refer to them. */
async function deleteRows(tx: Db, table: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const references = await tx.query<{ from: string; column: string; isReferenced: boolean }>(sql`
    select c.conrelid::regclass::text as from, a.attname as column,
      exists (select from pg_constraint o where o.contype = 'f' and o.confrelid = c.conrelid) as "isReferenced"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass`)
  for (const { from, column, isReferenced } of references) {
    const theirs = sql`from ${raw(from)} where ${raw(column)} = any (${ids}::bigint[])`
    if (!isReferenced) await tx.query(sql`delete ${theirs}`)
    else {
      const rows = await tx.query<{ id: number }>(sql`select id ${theirs}`)
      await deleteRows(
        tx,
        from,
        rows.map(({ id }) => id),
      )
    }
  }
  await tx.query(sql`delete from ${raw(table)} where id = any (${ids}::bigint[])`)
}
