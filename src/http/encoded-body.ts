import { compress, type Encoding } from './compress.ts'
import { etagOf } from './etag.ts'

/** The bytes of a representation, with what is worked out of them only once and only when asked for. */
export interface EncodedBody {
  readonly bytes: Buffer
  readonly etag: string
  encoded(encoding: Encoding): Promise<Buffer>
}

const kept = new WeakMap<Buffer, EncodedBody>()

/**
 * What is known of some bytes. A buffer that is handed out again and again (a catalogue list) is remembered,
 * so its ETag and its compressed forms are made once; text made for one answer is worked out for that answer, and
 * compressed lightly. Whoever answers once hands over text: what a WeakMap remembers lives until the next thorough
 * collection, and pages of inquiries filled the heap with one another.
 */
export function encodedBody(payload: Buffer | string): EncodedBody {
  if (typeof payload === 'string') return print(Buffer.from(payload), { once: true })
  const known = kept.get(payload)
  if (known) return known
  const made = print(payload)
  kept.set(payload, made)
  return made
}

/** Bytes whose ETag covers only a part of them: what else they tell may change without being another version. */
export function withVersionEtag(bytes: Buffer, etag: string): Buffer {
  kept.set(bytes, print(bytes, { etag }))
  return bytes
}

function print(bytes: Buffer, { etag, once }: { etag?: string; once?: true } = {}): EncodedBody {
  const encodings = new Map<Encoding, Promise<Buffer>>()
  return {
    bytes,
    get etag() {
      etag ??= etagOf(bytes)
      return etag
    },
    encoded(encoding) {
      const known = encodings.get(encoding)
      if (known) return known
      const compressed = compress(bytes, encoding, once)
      encodings.set(encoding, compressed)
      return compressed
    },
  }
}
