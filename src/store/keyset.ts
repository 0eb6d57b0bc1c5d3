import sql, { type Sql } from 'sql-template-tag'

/** Selects one page of a list that is too long to count: newest first, or `ascending`. */
export interface Cursor<Id extends string | number = string> {
  /** Rows older than this one. */
  before?: Id | undefined
  /** Rows newer than this one. */
  after?: Id | undefined
  limit: number
  /** The order in which the page shows its rows. */
  ascending?: boolean | undefined
}

/** True if the statement of a page reads from lower ids to higher ones. */
export const readsUpwards = ({ before, after, ascending = false }: Omit<Cursor<string | number>, 'limit'>): boolean =>
  after !== undefined || (ascending && before === undefined)

/** Another order than by id: rows with the same key follow each other by id. */
export interface SortKey<Id> {
  key: Sql
  /** The key of the row with this id. */
  keyOf(id: Id): Sql
}

/** One page of rows, and whether there are more on either side. `Id` is given if a search may stop early. */
export interface ResultPage<Row, Id extends string | number = never> {
  rows: Row[]
  newer: boolean
  older: boolean
  /** Where a search stopped that had scanned as many rows as one page may cost. The next page goes on from there. */
  searchedTo?: Pick<Cursor<Id>, 'before' | 'after'>
}

/**
 * The first `limit` rows of a list, for a file: reads on from where the search of a page stopped, up to `maxPages` pages. The other
 * members are those of the last page.
 */
export async function collect<Page extends { rows: unknown[]; searchedTo?: unknown }>(
  find: (from: Page['searchedTo'] | undefined, limit: number) => Promise<Page>,
  limit: number,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Page> {
  const rows: Page['rows'][number][] = []
  let from: Page['searchedTo'] | undefined
  for (let pages = 1; ; pages++) {
    const page = await find(from, limit - rows.length)
    rows.push(...page.rows)
    from = page.searchedTo
    if (rows.length >= limit || from === undefined || pages === maxPages) return { ...page, rows: rows.slice(0, limit) }
  }
}

/** The condition, order and limit of a page's statement. It reads one row more, to see whether the list goes on. */
export function keysetBy<Id extends string | number>(id: Sql, cursor: Cursor<Id>, sort?: SortKey<Id>) {
  const { before, after, limit } = cursor
  const position = sort ? sql`(${sort.key}, ${id})` : id
  const positionOf = (value: Id) => (sort ? sql`((${sort.keyOf(value)}), ${value})` : sql`${value}`)
  const within =
    after !== undefined
      ? sql`${position} > ${positionOf(after)}`
      : before !== undefined
        ? sql`${position} < ${positionOf(before)}`
        : sql`true`
  const direction = readsUpwards(cursor) ? sql`asc` : sql`desc`
  const order = sort ? sql`${sort.key} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`
  return { within, order, limit: limit + 1 }
}

/** The page that the statement found, in the order of the list. */
export function resultPage<Row, Id extends string | number>(found: Row[], cursor: Cursor<Id>): ResultPage<Row> {
  const { before, after, limit, ascending = false } = cursor
  const rows = found.slice(0, limit)
  const more = found.length > limit
  const upwards = readsUpwards(cursor)
  if (upwards !== ascending) rows.reverse()
  return upwards
    ? { rows, newer: more, older: after !== undefined }
    : { rows, newer: before !== undefined, older: more }
}
