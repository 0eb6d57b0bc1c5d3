import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { getOrInsert } from '../memoize.ts'
import { parseWeighted } from './negotiation.ts'
import { changedSinceRead } from './problems.ts'

/**
 * The body of a response with its ETag and compressed forms, each made once and on demand. A class, because V8 puts functions
 * of an object literal into its old generation: there they would keep the body until the next full collection.
 */
export class EncodedBody {
  readonly body: Buffer | string
  readonly #encodings = new Map<Encoding, Promise<Buffer>>()
  #etag: string | undefined

  constructor(body: Buffer | string, etag?: string) {
    this.body = body
    this.#etag = etag
  }

  get etag(): string {
    this.#etag ??= etagOf(this.body)
    return this.#etag
  }

  encoded(encoding: Encoding): Promise<Buffer> {
    const { body } = this
    return getOrInsert(this.#encodings, encoding, () =>
      typeof body === 'string' ? compress(Buffer.from(body), encoding, LIGHTLY) : compress(body, encoding, WELL),
    )
  }
}

const cache = new WeakMap<Buffer, EncodedBody>()

/**
 * A `Buffer` is sent again and keeps its ETag and encodings. A string is for one response: it is not cached, and stays a string,
 * because the memory of buffers is returned to the system late.
 */
export function encodedBody(payload: Buffer | string): EncodedBody {
  if (typeof payload === 'string') return new EncodedBody(payload)
  return getOrInsert(cache, payload, () => new EncodedBody(payload))
}

/** Sets an ETag that covers only part of the bytes; the rest may change without being another version. */
export function withVersionEtag(bytes: Buffer, etag: string): Buffer {
  cache.set(bytes, new EncodedBody(bytes, etag))
  return bytes
}

type Encoding = 'br' | 'gzip'

/** Answers up to this size travel as they are: compressing them costs more than it saves. */
const COMPRESS_OVER_BYTES = 1024

export const isWorthCompressing = (body: Buffer | string): boolean => body.length > COMPRESS_OVER_BYTES

/** For bytes that are sent again and again. Higher levels cost far more time and save little. */
const WELL = { brotli: 5, gzip: 6 }
/** For bytes that are sent once. */
const LIGHTLY = { brotli: 2, gzip: 4 }

const brotliAside = promisify(brotliCompress)
const gzipAside = promisify(gzip)

/** Up to this size compressing takes less time than handing the bytes to another thread. */
const AT_ONCE_UP_TO_BYTES = 65_536

/** The encoding that an `Accept-Encoding` header takes best, brotli before gzip; undefined: as it is. */
export function chooseEncoding(accept: string | undefined): Encoding | undefined {
  if (accept === undefined) return undefined
  const weights = new Map(parseWeighted(accept).map(({ value, q }) => [value === 'x-gzip' ? 'gzip' : value, q]))
  const weight = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const br = weight('br')
  const gz = weight('gzip')
  const identity = weights.get('identity') ?? 0
  if (br > 0 && br >= gz && br >= identity) return 'br'
  return gz > 0 && gz >= identity ? 'gzip' : undefined
}

async function compress(bytes: Buffer, encoding: Encoding, levels: typeof WELL): Promise<Buffer> {
  const { brotli, gzip: level } = levels
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  if (bytes.length <= AT_ONCE_UP_TO_BYTES)
    return encoding === 'gzip' ? gzipSync(bytes, { level }) : brotliCompressSync(bytes, { params })
  return encoding === 'gzip' ? gzipAside(bytes, { level }) : brotliAside(bytes, { params })
}

const DIGITS = 27 // 162 bits of SHA-256 in base64url: no two representations will ever share them

/** A strong ETag, which depends only on the bytes of the representation. */
export const etagOf = (bytes: Buffer | string): string => `"${hash('sha256', bytes, 'base64url').slice(0, DIGITS)}"`

/** A compressed form is another representation, so its ETag has a suffix (RFC 9110, 8.8.3.3). */
export const encodedEtag = (etag: string, encoding: Encoding): string => `${etag.slice(0, -1)}-${encoding}"`

/** Whether an `If-None-Match` or `If-Match` header names this representation, in any of its encodings. */
export function namesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true // the first is what nearly every client sends
  for (const tag of header.match(/(?:W\/)?"[^"]*"/g) ?? []) {
    if (tag.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"') === etag) return true
  }
  return false
}

/** `namesEtag` for `If-Match`, which compares strongly: a weak tag names nothing there (RFC 9110, 13.1.1). */
export const namesEtagStrongly = (header: string, etag: string) => namesEtag(header.replace(/W\/"[^"]*"/g, ''), etag)

/** 412 unless `If-Match`, if it was sent, names one of the forms that a client may have read. */
export function requireCurrent(ifMatch: string | undefined, forms: () => object[]): void {
  if (ifMatch === undefined) return
  const isNamed = forms().some((form) => namesEtagStrongly(ifMatch, etagOf(JSON.stringify(form))))
  if (!isNamed) throw changedSinceRead()
}
