import { compress, type Encoding } from './compress.ts'
import { etagOf } from './etag.ts'

/** The bytes of a response with its ETag and compressed forms, each made once and on demand. */
export interface EncodedBody {
  readonly bytes: Buffer
  readonly etag: string
  encoded(encoding: Encoding): Promise<Buffer>
}

const cache = new WeakMap<Buffer, EncodedBody>()

/**
 * A buffer that is sent again and again (a catalogue list) keeps its ETag and compressed forms. Pass a body made for one
 * response as a string: it is compressed lightly and not cache, so it does not fill the heap until the next major GC.
 */
export function encodedBody(payload: Buffer | string): EncodedBody {
  if (typeof payload === 'string') return withEncodings(Buffer.from(payload), { once: true })
  const known = cache.get(payload)
  if (known) return known
  const made = withEncodings(payload)
  cache.set(payload, made)
  return made
}

/** Sets an ETag that covers only part of the bytes; the rest may change without being another version. */
export function withVersionEtag(bytes: Buffer, etag: string): Buffer {
  cache.set(bytes, withEncodings(bytes, { etag }))
  return bytes
}

function withEncodings(bytes: Buffer, { etag, once }: { etag?: string; once?: true } = {}): EncodedBody {
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
