import sql, { join, raw } from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'

/** Words that are looked for, each under the name by which a failure tells of it. */
export type Marks = Record<string, string>

/** A shorter one stands in other words by chance: it is looked for as a word of its own, as it is written. */
const TELLING_LENGTH = 8

/** In base64 three bytes are four characters: a mark looks otherwise by where it begins, and its ends are its neighbours'. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const printed = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const whole = (offset + bytes.length) % 3 === 0 ? printed.length : printed.length - 1
    return printed.slice([0, 2, 3][offset], whole)
  })
}

/** A mark as it is, and as a careless hand writes it down; without case, which hex and addresses do not keep. */
function formsOf(mark: string): string[] {
  const bytes = Buffer.from(mark)
  const encoded = inBase64(bytes)
  const forms = [mark, JSON.stringify(mark).slice(1, -1), encodeURIComponent(mark), bytes.toString('hex'), ...encoded]
  const safe = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([...forms, ...safe].map((form) => form.toLowerCase()))]
}

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

type Finder = (text: string, lower: string) => boolean
/** The same marks are looked for in hundreds of columns. */
const finders = new Map<string, Finder>()

function finderOf(mark: string): Finder {
  const known = finders.get(mark)
  if (known) return known
  const forms = formsOf(mark)
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${quoted(mark)}(?![\\p{L}\\p{N}])`, 'u')
  const finder: Finder =
    mark.length < TELLING_LENGTH
      ? (text) => text.includes(mark) && word.test(text)
      : (_, lower) => forms.some((form) => lower.includes(form))
  finders.set(mark, finder)
  return finder
}

/** The names of the marks that a text holds. */
export function marksIn(text: string, marks: Marks): string[] {
  if (text === '') return []
  const lower = text.toLowerCase()
  return Object.entries(marks)
    .filter(([, mark]) => finderOf(mark)(text, lower))
    .map(([name]) => name)
}

/** Every column of every table, whatever its type, with the marks that stand in it: `accounts.email admin-mail`. */
export async function marksInStore(store: Store, marks: Marks): Promise<string[]> {
  const tables = await store.query<{ table: string; columns: string[] }>(sql`
    select c.relname as table, array_agg(a.attname::text order by a.attname) as columns from pg_attribute a
    join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
    group by 1 order by 1`)
  const found: string[] = []
  for (const { table, columns } of tables) {
    const all = columns.map((column) => raw(`string_agg("${column}"::text, e'\\n') as "${column}"`))
    const [row = {}] = await store.query<Record<string, string | null>>(
      sql`select ${join(all)} from ${raw(`"${table}"`)}`,
    )
    for (const column of columns)
      for (const name of marksIn(row[column] ?? '', marks)) found.push(`${table}.${column} ${name}`)
  }
  return found
}
