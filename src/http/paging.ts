import { type Link, link, withQuery } from './links.ts'

export const PER_PAGE = 25 // decisions, 9 and 10
export const LAST_PAGE = 99 // spec, "Limits"

type Query = Record<string, string | number | boolean | undefined>

interface Paged {
  list: string
  /** The query parameters of the list, `pagina` included. */
  query: Query & { pagina?: number | undefined }
  total: number
}

/** Other pages of the same list keep its filters; there is always a last one, and none after page 99. */
export function pageLinks({ list, query, total }: Paged): Record<'self' | 'first' | 'last', Link> {
  const { pagina = 1 } = query
  const pageAt = (number: number) => link(withQuery(list, { ...query, pagina: number }))
  const last = Math.min(Math.max(1, Math.ceil(total / PER_PAGE)), LAST_PAGE)
  return {
    self: link(withQuery(list, query)),
    first: pageAt(1),
    ...(pagina > 1 && { prev: pageAt(Math.min(pagina - 1, last)) }),
    ...(pagina < last && { next: pageAt(pagina + 1) }),
    last: pageAt(last),
  }
}
