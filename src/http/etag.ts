import { hash } from 'node:crypto'

const DIGITS = 27 // 162 bits of SHA-256 in base64url: no two representations will ever share them

/** A strong ETag: a function of the bytes of the representation alone, never of who asks. */
export const etagOf = (bytes: Buffer | string): string => `"${hash('sha256', bytes, 'base64url').slice(0, DIGITS)}"`

/** A compressed form is another representation, so its ETag has a suffix (RFC 9110, 8.8.3.3). */
export const encodedEtag = (etag: string, encoding: 'br' | 'gzip'): string => `${etag.slice(0, -1)}-${encoding}"`

/** Whether an `If-None-Match` or `If-Match` header names this representation, in any of its encodings. */
export function namesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true // the first is what nearly every client sends
  for (const tag of header.match(/(?:W\/)?"[^"]*"/g) ?? []) {
    if (tag.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"') === etag) return true
  }
  return false
}

/** The same for `If-Match`, which asks for certainty: a weak tag names nothing there (RFC 9110, 13.1.1). */
export const namesEtagStrongly = (header: string, etag: string): boolean =>
  namesEtag(header.replace(/W\/"[^"]*"/g, ''), etag)
