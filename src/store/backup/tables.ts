import type pg from 'pg'

/** One table of the store as a backup names it; those that follow others come after them. */
export interface Table {
  name: string
  /** Those that hold something of their own: what PostgreSQL computes it computes again. */
  columns: string[]
}

/** A part of a divided table, and which rows belong there, in PostgreSQL's words. */
export interface Partition {
  name: string
  of: string
  bound: string
}

export interface Sequence {
  name: string
  last: string
  isCalled: boolean
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const place = (name: string): string => `public.${quoted(name)}`

/** The names of the tables of this database, parts of divided ones left out. */
export async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  return rows.map(({ name }) => name)
}

/** All tables, each after those that its foreign keys lead to. */
export async function tablesInOrder(client: pg.Client): Promise<Table[]> {
  const { rows: columns } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1 order by 1`)
  const { rows: keys } = await client.query<{ from: string; to: string }>(`
    select distinct f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`)
  const ordered: Table[] = []
  const left = new Map(columns.map((table) => [table.name, table]))
  while (left.size > 0) {
    const free = [...left.values()].filter(({ name }) => !keys.some(({ from, to }) => from === name && left.has(to)))
    if (free.length === 0) throw new Error(`The tables ${[...left.keys()].join(', ')} follow one another in a circle.`)
    for (const table of free) left.delete(table.name)
    ordered.push(...free)
  }
  return ordered
}

export async function partitionsOf(client: pg.Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(`
    select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind in ('r', 'p') order by 1`)
  return rows
}

/** Read after the rows: a sequence is of no transaction, and may be ahead of what was copied, never behind. */
export async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`)
  const sequences: Sequence[] = []
  for (const { name } of rows) {
    const { rows: state } = await client.query<Sequence>(
      `select last_value::text as last, is_called as "isCalled" from ${place(name)}`,
    )
    for (const { last, isCalled } of state) sequences.push({ name, last, isCalled })
  }
  return sequences
}
