import sql, { type Sql } from 'sql-template-tag'

/** Selects one page of a list that is too long to count, newest first. */
export interface Cursor<Id extends string | number = string> {
  /** Rows older than this one. */
  before?: Id | undefined
  /** Rows newer than this one. */
  after?: Id | undefined
  limit: number
}

/** One page of rows, and whether there are more on either side. */
export interface ResultPage<Row> {
  rows: Row[]
  newer: boolean
  older: boolean
  /** Where a search stopped that had scanned as many rows as one page may cost. The next page goes on from there. */
  searchedTo?: Pick<Cursor<number>, 'before' | 'after'>
}

/** The condition, order and limit of a page's statement. It reads one row more, to see whether the list goes on. */
export function keysetBy<Id extends string | number>(id: Sql, { before, after, limit }: Cursor<Id>) {
  const within = after !== undefined ? sql`${id} > ${after}` : before !== undefined ? sql`${id} < ${before}` : sql`true`
  const order = after !== undefined ? sql`${id}` : sql`${id} desc`
  return { within, order, limit: limit + 1 }
}

/** The page that the statement found, newest first. */
export function resultPage<Row, Id extends string | number>(
  found: Row[],
  { before, after, limit }: Cursor<Id>,
): ResultPage<Row> {
  const [rows, more] = [found.slice(0, limit), found.length > limit]
  if (after !== undefined) return { rows: rows.reverse(), newer: more, older: true }
  return { rows, newer: before !== undefined, older: more }
}
