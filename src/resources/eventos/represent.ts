import { link, withQuery } from '../../http/links.ts'

const LIST = '/v3/eventos'

/** A page of the feed, printed: each payload byte for byte as it was frozen, and as it was sent. */
export function eventosText(payloads: string[], cursor: string | undefined, next: string): string {
  const links = {
    self: link(withQuery(LIST, { cursor })),
    next: link(withQuery(LIST, { cursor: next })),
    fin: link(`${LIST}?cursor=fin`),
  }
  return `{"_links":${JSON.stringify(links)},"_entries":[${payloads.join(',')}]}`
}
