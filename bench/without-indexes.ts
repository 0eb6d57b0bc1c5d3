import type pg from 'pg'

interface Index {
  name: string
  definition: string
  /** Where it is a key, how the table declares it. */
  key: string | null
  table: string
}

/**
 * Loads tables without their indexes, which are built at the end, of a load that fails too: sorted once, they take a fraction
 * of the time. Nor does PostgreSQL tidy up meanwhile what whoever loads tidies up afterwards.
 */
export async function withoutIndexes(client: pg.Client, tables: string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Index>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
       pg_get_constraintdef(c.oid) as key, i.indrelid::regclass::text as "table"
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = any ($1::regclass[])`,
    [tables],
  )
  const parts = await partsOf(client, tables)
  for (const part of parts) await client.query(`alter table ${part} set (autovacuum_enabled = off)`)
  for (const { name, key, table } of rows)
    await client.query(key ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`)
  try {
    await work()
  } finally {
    await client.query(`set maintenance_work_mem = '512MB'`)
    for (const { name, key, table, definition } of rows)
      await client.query(
        // PostgreSQL tells the index of a partitioned table as if it were to have no parts.
        key ? `alter table ${table} add constraint ${name} ${key}` : definition.replace(' ON ONLY ', ' ON '),
      )
    await client.query('reset maintenance_work_mem')
    for (const part of parts) await client.query(`alter table ${part} reset (autovacuum_enabled)`)
  }
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
