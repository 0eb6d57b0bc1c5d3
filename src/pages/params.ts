import { isDay } from '../http/dates.ts'
import { type Detail, notFound } from '../http/problems.ts'
import type { Cursor } from '../store/keyset.ts'
import { normalizeLine, truncate } from '../text.ts'

/** The query of a page's address. A parameter that makes no sense counts as absent. */
export type Query = Record<string, unknown>
export type WithQuery = { Querystring: Query }

const MAX_CHARACTERS = 100
const PER_PAGE = 25

export function textParam(query: Query, name: string, most = MAX_CHARACTERS): string | undefined {
  const value = query[name]
  if (typeof value !== 'string') return undefined
  return truncate(normalizeLine(value), most) || undefined
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

/** Where a page of a list begins: `antes` asks for rows older than that one, `despues` for newer ones. */
export function cursorParam(query: Query): Cursor {
  const before = textParam(query, 'antes')
  const after = textParam(query, 'despues')
  return { limit: PER_PAGE, ...(after ? { after } : { before }) }
}

/** `cursorParam` for rows with numeric ids. */
export function numberedCursorParam(query: Query): Cursor<number> {
  const before = numberParam(query, 'antes')
  const after = numberParam(query, 'despues')
  return { limit: PER_PAGE, ...(after ? { after } : { before }) }
}

export const wantsCsv = (query: Query): boolean => query.formato === 'csv'

/** The number that an address names; 0, which no row has, for anything else. */
export const idIn = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0)

/** What an address names; 404 where there is no such thing. */
export function requireFound<Row>(row: Row | undefined, detail?: Detail): Row {
  if (row === undefined) throw notFound(detail)
  return row
}
