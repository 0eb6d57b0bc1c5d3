import { withQuery } from '../../http/links.ts'
import type { AppPage, LoggedPage } from '../../webhooks/app-log.ts'
import { type Query, textParam } from '../params.ts'

const PER_PAGE = 50

/** Which page of a log was asked for: `antes` leads on to older ones, `despues` back. */
export function pageParam(query: Query): AppPage {
  const [before, after] = [textParam(query, 'antes'), textParam(query, 'despues')]
  return { limit: PER_PAGE, ...(after ? { after } : { before }) }
}

/** The ways on from a page of a log: to older ones, back to newer ones, and to a file. */
export function pageLinksFrom(
  list: string,
  filters: Record<string, string | undefined>,
  asked: AppPage,
  found: Pick<LoggedPage, 'more' | 'searchedTo'> & { rows: { id: string }[] },
) {
  const [antes, newer] = [olderThan(asked, found), newerThan(asked, found)]
  return {
    older: antes && withQuery(list, { ...filters, antes }),
    newer: newer && withQuery(list, { ...filters, ...newer }),
    csv: found.rows.length > 0 ? withQuery(list, { ...filters, formato: 'csv' }) : undefined,
  }
}

type Found = Parameters<typeof pageLinksFrom>[3]

/** Where the search stopped without an end, it goes on from there. */
function olderThan({ after }: AppPage, { rows, more, searchedTo }: Found): string | undefined {
  if (after !== undefined) return rows.at(-1)?.id ?? after
  return more ? rows.at(-1)?.id : searchedTo
}

function newerThan({ before, after }: AppPage, { rows, more, searchedTo }: Found): { despues?: string } | undefined {
  const first = rows[0]?.id
  if (before !== undefined) return first ? { despues: first } : {}
  if (after === undefined) return undefined
  const from = more ? first : searchedTo
  return from ? { despues: from } : undefined
}
