import { createHmac, createSecretKey, hash, type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto'
import { getOrInsert } from '../memoize.ts'

/** What of a request is signed (docs/decisions/api.md). */
interface Signable {
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

const headerValue = (value: string | string[] = ''): string =>
  (typeof value === 'string' ? value : value.join(', ')).trim()

const ALGORITHMS = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

const MAX_PARTS = 10 // RFC 3230 and its registry know fewer algorithms

/**
 * Whether a `Digest` header (RFC 3230) is true of the bytes. It may name several algorithms;
 * each one that we know must hold, and one at least must be known. The bytes are hashed once for each algorithm,
 * however often it is named.
 */
export function digestHolds(header: string, bytes: Buffer): boolean {
  const parts = header.split(',', MAX_PARTS + 1)
  if (parts.length > MAX_PARTS) return false
  const digests = new Map<string, string>()
  for (const part of parts) {
    const at = part.indexOf('=')
    const algorithm = ALGORITHMS.get(part.slice(0, at).trim().toLowerCase())
    if (at < 0 || !algorithm) continue
    const digest = getOrInsert(digests, algorithm, () => hash(algorithm, bytes, 'base64'))
    if (digest !== part.slice(at + 1).trim()) return false
  }
  return digests.size > 0
}

const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/
const ISO_8601 =
  /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2})(?::?(\d{2})(\.\d{1,9})?)?(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)$/

/** A `Date` in IMF-fixdate (RFC 9110, 5.6.7) or ISO 8601. */
export function parseDate(text: string): number | undefined {
  const time = Date.parse(IMF_FIXDATE.test(text) ? text : extended(text))
  return Number.isNaN(time) ? undefined : time
}

/** The one form of ISO 8601 that Date.parse takes; the others only leave out punctuation, seconds or minutes. */
function extended(text: string): string {
  const [, year, month, day, hour, minute, second = '00', fraction = '', utc, offsetHour, offsetMinute = '00'] =
    ISO_8601.exec(text) ?? []
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${utc ?? `${offsetHour}:${offsetMinute}`}`
}

export interface Signer {
  appKey: string
  secret: string
  prefix: string
}

/** A request that is to be signed; a body is JSON. */
interface Unsigned extends Pick<Signable, 'method' | 'target'> {
  headers?: Record<string, string>
  body?: string | undefined
}

export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Signs a request as a partner does: its headers, and the text that is signed. A nonce makes each write unique, because
 * its signature is valid once.
 */
export function signRequest({ method, target, headers: given, body }: Unsigned, signer: Signer, now: Date) {
  const names = signatureNames(signer.prefix)
  const headers: Record<string, string> = {
    ...given,
    ...(body !== undefined && {
      'content-type': 'application/json',
      digest: `sha-256=${hash('sha256', body, 'base64')}`,
    }),
    [names.dateHeader]: now.toUTCString(),
    ...(!SAFE_METHODS.has(method) && { [`${names.headerPrefix}nonce`]: randomUUID() }),
  }
  const text = textToSign({ method, target, headers }, names)
  const signature = sign(createSecretKey(signer.secret, 'utf8'), text).toString('base64')
  headers.authorization = `${names.scheme} ${signer.appKey}:${signature}`
  return { headers, text }
}
