import type pg from 'pg'

/** An index of a table or a foreign key: how it is taken away, and how it is made again. */
interface Aid {
  drop: string
  make: string
}

/**
 * Loads tables without their indexes and foreign keys, which are made at the end, of a load that fails too: sorted or
 * joined once, they take a fraction of the time. PostgreSQL tidies up once, before they are made: each row that it looks
 * at for the first time is marked as settled, which is written to the log as much as the row itself.
 */
export async function withoutIndexes(client: pg.Client, tables: string[], work: () => Promise<void>): Promise<void> {
  const aids = await aidsOf(client, tables)
  const parts = await partsOf(client, tables)
  for (const part of parts) await client.query(`alter table ${part} set (autovacuum_enabled = off)`)
  for (const { drop } of aids) await client.query(drop)
  try {
    await work()
    await client.query(`vacuum (analyze, buffer_usage_limit 0) ${tables.join(', ')}`)
  } finally {
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const { make } of aids) await client.query(make)
    await client.query('reset maintenance_work_mem')
    for (const part of parts) await client.query(`alter table ${part} reset (autovacuum_enabled)`)
  }
}

async function aidsOf(client: pg.Client, tables: string[]): Promise<Aid[]> {
  const { rows } = await client.query<Aid>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('p', 'u', 'f')
     union all
     -- PostgreSQL tells the index of a partitioned table as if it were to have no parts.
     select format('drop index %s', indexrelid::regclass),
       replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
     from pg_index
     where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  return rows
}

/** Where rows lie: the tables themselves, or their partitions. */
async function partsOf(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ part: string }>(
    `select oid::regclass::text as part from pg_class left join pg_inherits on inhrelid = oid
     where relkind = 'r' and (oid = any ($1::regclass[]) or inhparent = any ($1::regclass[]))`,
    [tables],
  )
  return rows.map(({ part }) => part)
}
