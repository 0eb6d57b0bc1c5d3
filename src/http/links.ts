import type { FeedPosition } from '../store/feed.ts'
import { fault, invalid } from './problems.ts'

/** A link as the specification has it; `method` is ours, present when it is not GET. */
interface Link {
  href: string
  templated?: true
  method?: string
}

export type Links = Record<string, Link>

/** A link to follow, or a template where the href has `{param}` placeholders. */
export function link(href: string, method = 'GET'): Link {
  const result: Link = { href }
  if (href.includes('{')) result.templated = true
  if (method !== 'GET') result.method = method
  return result
}

/** A path with its query, without the parameters that were not given; a mail keeps its `@`. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return path
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%40', '@')}`).join('&')}`
}

/** A value as one segment of a path: what RFC 3986 allows there is written as it is, so that a mail keeps its `@`. */
export const segment = (value: string): string =>
  encodeURIComponent(value).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)

export const PER_PAGE = 25 // docs/decisions/api.md
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

/** The links of a page of a feed. `next` is always there, to continue later. */
export const feedLinks = (list: string, cursor: string | undefined, next: FeedPosition) => ({
  self: link(withQuery(list, { cursor })),
  next: link(withQuery(list, { cursor: encodeCursor(next) })),
  fin: link(`${list}?cursor=fin`),
})

/** A page of changed rows, and the position after it. */
export const feedPage = <Row extends { id: number; xid: string }>(rows: Row[], after: FeedPosition) => {
  const last = rows.at(-1)
  return { rows, end: last ? { xid: last.xid, position: String(last.id) } : after }
}

const HIGHEST = { xid: 2n ** 64n - 1n, position: 2n ** 63n - 1n } // what xid8 and bigint hold

export const encodeCursor = ({ xid, position }: FeedPosition) => Buffer.from(`${xid}.${position}`).toString('base64url')

/** Without leading zeros: PostgreSQL reads a transaction id with one as octal. */
const FEED_POSITION = /^(0|[1-9]\d{0,19})\.(0|[1-9]\d{0,18})$/

/** The feed position in a cursor; 400 if we did not issue it. */
export function decodeCursor(cursor: string): FeedPosition {
  const [, xid, position] = FEED_POSITION.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const decoded = xid !== undefined && position !== undefined ? { xid, position } : undefined
  if (!decoded || encodeCursor(decoded) !== cursor || !isValid(decoded))
    throw invalid({ cursor: [fault('cursor-invalido', 'Debe ser el de un enlace next, o fin.')] })
  return decoded
}

const isValid = ({ xid, position }: FeedPosition) => BigInt(xid) <= HIGHEST.xid && BigInt(position) <= HIGHEST.position
