import { isDay } from '../http/dates.ts'
import { withQuery } from '../http/links.ts'
import type { Cursor, ResultPage } from '../store/keyset.ts'

/** What stands after the question mark of an address. What makes no sense there is as if it had not been said. */
export type Query = Record<string, unknown>
export type Asking = { Querystring: Query }

const MOST_CHARACTERS = 100
const PER_PAGE = 25

export function textParam(query: Query, name: string, most = MOST_CHARACTERS): string | undefined {
  const value = query[name]
  return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, most) || undefined : undefined
}

export function numberParam(query: Query, name: string): number | undefined {
  const text = textParam(query, name)
  return text && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

export const choiceParam = <Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((choice) => choice === query[name])

export function dayParam(query: Query, name: string): string | undefined {
  const text = textParam(query, name)
  return text && isDay(text) ? text : undefined
}

/** Which part of a list was asked for, by the row that it begins after: `antes` leads on, `despues` back. */
export function cursorParam(query: Query): Cursor {
  const [before, after] = [textParam(query, 'antes'), textParam(query, 'despues')]
  return { limit: PER_PAGE, ...(after ? { after } : { before }) }
}

/** The same, of rows that are numbered. */
export function numberedCursorParam(query: Query): Cursor<number> {
  const [before, after] = [numberParam(query, 'antes'), numberParam(query, 'despues')]
  return { limit: PER_PAGE, ...(after ? { after } : { before }) }
}

/** Whether the list was asked for as a file. */
export const wantsCsv = (query: Query): boolean => query.formato === 'csv'

type Filters = Record<string, string | number | undefined>

/** The ways on from a page of a list, for `Pager`: the same filters, and the row to go on from. */
export function pageLinks<Row>(
  list: string,
  filters: Filters,
  { rows, newer, older, searchedTo = {} }: ResultPage<Row>,
  idOf: (row: Row) => string | number,
) {
  const [first, last] = [rows[0], rows.at(-1)]
  const despues = searchedTo.after ?? (first && idOf(first))
  const antes = searchedTo.before ?? (last && idOf(last))
  return {
    newer: newer ? withQuery(list, { ...filters, despues }) : undefined,
    older: older && antes !== undefined ? withQuery(list, { ...filters, antes }) : undefined,
    csv: rows.length > 0 ? withQuery(list, { ...filters, formato: 'csv' }) : undefined,
  }
}
