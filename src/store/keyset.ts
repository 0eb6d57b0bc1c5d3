import sql, { type Sql } from 'sql-template-tag'

/** Which part of a list that is too long to count, newest first: what stands before one row of it, or after it. */
export interface Cursor<Id extends string | number = string> {
  /** Older than that one. */
  before?: Id | undefined
  /** Newer than that one. */
  after?: Id | undefined
  limit: number
}

/** One page of such a list, and whether it goes on at either end. */
export interface Part<Row> {
  rows: Row[]
  newer: boolean
  older: boolean
  /** Where a search stopped that had looked at as many as one page may cost: it goes on from there, whatever it found. */
  searchedTo?: Pick<Cursor<number>, 'before' | 'after'>
}

/** How a statement takes its turn: what its rows are compared by, their order, and how many; one more tells if it goes on. */
export function keysetBy<Id extends string | number>(id: Sql, { before, after, limit }: Cursor<Id>) {
  const within = after !== undefined ? sql`${id} > ${after}` : before !== undefined ? sql`${id} < ${before}` : sql`true`
  const order = after !== undefined ? sql`${id}` : sql`${id} desc`
  return { within, order, limit: limit + 1 }
}

/** The page that such a statement found, newest first. */
export function resultPage<Row, Id extends string | number>(
  found: Row[],
  { before, after, limit }: Cursor<Id>,
): Part<Row> {
  const [rows, more] = [found.slice(0, limit), found.length > limit]
  if (after !== undefined) return { rows: rows.reverse(), newer: more, older: true }
  return { rows, newer: before !== undefined, older: more }
}
