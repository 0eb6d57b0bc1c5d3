import sql, { join, raw } from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'

/** Values to search for, by the name that failures report. */
export type Marks = Record<string, string>

/** Shorter values occur by chance, so they are matched as whole words. */
const TELLING_LENGTH = 8

/** Base64 encodes three bytes as four characters: a mark looks different by its offset, and its ends mix with its neighbours. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const printed = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const whole = (offset + bytes.length) % 3 === 0 ? printed.length : printed.length - 1
    return printed.slice([0, 2, 3][offset], whole)
  })
}

/** A mark in plain text, hex, URL encoding, JSON and base64. Case is ignored, since hex and URLs do not keep it. */
function formsOf(mark: string): string[] {
  const bytes = Buffer.from(mark)
  const encoded = inBase64(bytes)
  const forms = [mark, JSON.stringify(mark).slice(1, -1), encodeURIComponent(mark), bytes.toString('hex'), ...encoded]
  const safe = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([...forms, ...safe].map((form) => form.toLowerCase()))]
}

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

type Finder = (text: string, lower: string) => boolean
/** Cached: the same marks are searched in hundreds of columns. */
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

/** The names of the marks that a text contains. */
export function marksIn(text: string, marks: Marks): string[] {
  if (text === '') return []
  const lower = text.toLowerCase()
  return Object.entries(marks)
    .filter(([, mark]) => finderOf(mark)(text, lower))
    .map(([name]) => name)
}

/** Every column of every table that contains a mark: `accounts.email admin-mail`. */
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
