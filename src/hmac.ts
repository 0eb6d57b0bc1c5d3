import { hash, type KeyObject, timingSafeEqual } from 'node:crypto'

const BLOCK_BYTES = 64 // of SHA-256

const DIGEST_BYTES = 32

/** What is signed, or a part of it; a text as its bytes in UTF-8. */
type Part = string | Buffer

/**
 * HMAC-SHA-256 (RFC 2104) of a text, and of what follows it, out of two hashes. `createHmac` makes an object for each
 * call that the garbage collector must take down again: a signed request cost 8 µs more with it than it does now.
 */
export const hmacSha256 = (key: KeyObject, text: Part, more: Part = ''): Buffer =>
  Buffer.from(hash('sha256', outerOf(key, text, more), 'binary'), 'binary')

/** The same as it stands in a header. */
export const hmacSha256Base64 = (key: KeyObject, text: Part, more: Part = ''): string =>
  hash('sha256', outerOf(key, text, more), 'base64')

/** Whether this is the text's, compared without telling by its time how much was right. */
export function isHmacSha256(key: KeyObject, text: string, claimed: Buffer): boolean {
  digest.write(hash('sha256', outerOf(key, text, ''), 'binary'), 'binary')
  return claimed.length === DIGEST_BYTES && timingSafeEqual(digest, claimed)
}

/** What is hashed, written over again by each call: it is of no use after it. */
const message = Buffer.alloc(16_384)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)
const digest = Buffer.alloc(DIGEST_BYTES)

/** What the second hash is of. Digests come as strings, which is three times as fast as asking `hash` for a buffer. */
function outerOf(key: KeyObject, text: Part, more: Part): Buffer {
  const pads = padsOf(key)
  pads.outer.copy(outer)
  outer.write(hash('sha256', innerOf(pads, text, more), 'binary'), BLOCK_BYTES, 'binary')
  return outer
}

function innerOf({ inner }: Pads, text: Part, more: Part): Buffer {
  if (BLOCK_BYTES + mostBytes(text) + mostBytes(more) > message.length)
    return Buffer.concat([inner, bytesOf(text), bytesOf(more)])
  inner.copy(message)
  const length = put(more, put(text, BLOCK_BYTES))
  return message.subarray(0, length)
}

/** A character is three bytes of UTF-8 at most. */
const mostBytes = (part: Part): number => (typeof part === 'string' ? 3 * part.length : part.length)

const bytesOf = (part: Part): Buffer => (typeof part === 'string' ? Buffer.from(part) : part)

/** Says where the next part begins. */
function put(part: Part, at: number): number {
  if (part.length === 0) return at
  return at + (typeof part === 'string' ? message.write(part, at) : part.copy(message, at))
}

interface Pads {
  inner: Buffer
  outer: Buffer
}

const pads = new WeakMap<KeyObject, Pads>()

/** What the key adds before the text and before the digest; worked out once and forgotten with the key. */
function padsOf(key: KeyObject): Pads {
  const known = pads.get(key)
  if (known) return known
  const secret = key.export()
  const block = Buffer.alloc(BLOCK_BYTES)
  block.set(secret.length > BLOCK_BYTES ? sha256(secret) : secret)
  const made = {
    inner: Buffer.from(block.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(block.map((byte) => byte ^ 0x5c)),
  }
  pads.set(key, made)
  return made
}

const sha256 = (bytes: Buffer): Buffer => Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
