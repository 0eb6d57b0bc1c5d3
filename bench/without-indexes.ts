import type pg from 'pg'

/** How something is taken away, and how it comes back. */
interface Taken {
  away: string
  back: string
}

/**
 * Loads tables without their indexes and foreign keys, which are made at the end, of a load that fails too: sorted or
 * joined once, they take a fraction of the time. PostgreSQL tidies up once, before they are made: each row that it looks
 * at for the first time is marked as settled, which is written to the log as much as the row itself.
 */
export async function withoutIndexes(client: pg.Client, tables: string[], work: () => Promise<void>): Promise<void> {
  const comingBack = ['reset maintenance_work_mem']
  try {
    for (const { away, back } of [...(await tidyingOf(client, tables)), ...(await indexesOf(client, tables))]) {
      await client.query(away)
      comingBack.unshift(back)
    }
    await work()
    await client.query(`vacuum (analyze, buffer_usage_limit 0) ${tables.join(', ')}`)
    await client.query(`set maintenance_work_mem = '512MB'`)
  } catch (error) {
    for (const back of comingBack) await client.query(back).catch(() => undefined) // what failed first is what is told
    throw error
  }
  for (const back of comingBack) await client.query(back)
}

/** What PostgreSQL does by itself where rows lie: in the tables themselves, or in their partitions. */
async function tidyingOf(client: pg.Client, tables: string[]): Promise<Taken[]> {
  const { rows } = await client.query<Taken>(
    `select format('alter table %s set (autovacuum_enabled = off)', oid::regclass) as away,
       format('alter table %s reset (autovacuum_enabled)', oid::regclass) as back
     from pg_class left join pg_inherits on inhrelid = oid
     where relkind = 'r' and (oid = any ($1::regclass[]) or inhparent = any ($1::regclass[]))`,
    [tables],
  )
  return rows
}

/** Foreign keys first, since they hold on to the keys they point at, and come back last. */
async function indexesOf(client: pg.Client, tables: string[]): Promise<Taken[]> {
  const { rows } = await client.query<Taken>(
    `select away, back from (
       select contype = 'f' as points, format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
       from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('p', 'u', 'f')
       union all
       -- PostgreSQL tells the index of a partitioned table as if it were to have no parts.
       select false, format('drop index %s', indexrelid::regclass),
         replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
       from pg_index
       where indrelid = any ($1::regclass[])
         and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
     ) taken order by points desc`,
    [tables],
  )
  return rows
}
