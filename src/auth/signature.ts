import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What of a request is signed (decisions, "Signed request"). */
export interface Signable {
  method: string
  /** Path and query exactly as sent. */
  target: string
  headers: Record<string, string | string[] | undefined>
}

/** The names that SIGNATURE_PREFIX gives: the scheme, and the headers that are signed. */
export interface SignatureNames {
  scheme: string
  headerPrefix: string
  dateHeader: string
}

export function signatureNames(prefix: string): SignatureNames {
  const headerPrefix = `x-${prefix.toLowerCase()}-`
  return { scheme: `${prefix}-HMAC`, headerPrefix, dateHeader: `${headerPrefix}date` }
}

/** The text under the signature: method, digest, date, our own headers by name, and the target, a line each. */
export function textToSign({ method, target, headers }: Signable, { headerPrefix }: SignatureNames): string {
  const names: string[] = []
  for (const name in headers) if (name.startsWith(headerPrefix)) names.push(name)
  let own = ''
  for (const name of names.length > 1 ? names.sort() : names) own += `${name}:${headerValue(headers[name])}\n`
  return `${method}\n${headerValue(headers.digest)}\n${headerValue(headers.date)}\n${own}${target}`
}

export const sign = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Compares in constant time, so the time taken reveals nothing about the right signature. */
export function isSignedBy(key: KeyObject, text: string, signature: Buffer): boolean {
  const expected = sign(key, text)
  return signature.length === expected.length && timingSafeEqual(expected, signature)
}

const headerValue = (value: string | string[] | undefined): string => {
  if (value === undefined) return ''
  return (typeof value === 'string' ? value : value.join(', ')).trim()
}
