/** A link as the specification has it; `method` is ours, present when it is not GET. */
export interface Link {
  href: string
  templated?: true
  method?: string
}

export type Links = Record<string, Link>

/** A link to follow, or a template where the href has `{param}` placeholders. */
export function link(href: string, method = 'GET'): Link {
  const made: Link = { href }
  if (href.includes('{')) made.templated = true
  if (method !== 'GET') made.method = method
  return made
}

/** A path with its query, without the parameters that were not given; a mail keeps its `@`. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return path
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%40', '@')}`).join('&')}`
}

/** What most mails and ids are made of, and no path writes in another way. */
const PLAIN = /^[\w.@+-]*$/

/** A value as one segment of a path: what RFC 3986 allows there is written as it is, so that a mail keeps its `@`. */
export const segment = (value: string): string =>
  PLAIN.test(value) ? value : encodeURIComponent(value).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
