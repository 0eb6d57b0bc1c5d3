import sql, { raw } from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'

/** Words that are looked for, each under the name by which a failure tells of it. */
export type Marks = Record<string, string>

/** Whether a text holds a mark as it is, or in one of the forms in which a careless hand writes it down. */
function holds(text: string, mark: string): boolean {
  const forms = [
    mark,
    JSON.stringify(mark).slice(1, -1),
    encodeURIComponent(mark),
    Buffer.from(mark).toString('hex'),
    Buffer.from(mark).toString('base64').replace(/=+$/, ''),
    Buffer.from(mark).toString('base64url'),
  ]
  const lower = text.toLowerCase()
  return forms.some((form) => lower.includes(form.toLowerCase()))
}

/** The names of the marks that a text holds. */
export const marksIn = (text: string, marks: Marks): string[] =>
  Object.entries(marks)
    .filter(([, mark]) => holds(text, mark))
    .map(([name]) => name)

/** Every column of every table, whatever its type, with the marks that stand in it: `accounts.email admin-mail`. */
export async function marksInStore(store: Store, marks: Marks): Promise<string[]> {
  const columns = await store.query<{ table: string; column: string }>(sql`
    select c.relname as table, a.attname as column from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
    order by 1, 2`)
  const found: string[] = []
  for (const { table, column } of columns) {
    const [row] = await store.query<{ all: string | null }>(sql`
      select string_agg(${raw(`"${column}"`)}::text, e'\n') as all from ${raw(`"${table}"`)}`)
    for (const name of marksIn(row?.all ?? '', marks)) found.push(`${table}.${column} ${name}`)
  }
  return found
}
