import { compress, type Encoding } from './compress.ts'
import { etagOf } from './etag.ts'

/** The bytes of a representation, with what is worked out of them only once and only when asked for. */
export interface EncodedBody {
  readonly bytes: Buffer
  readonly etag: string
  encoded(encoding: Encoding): Promise<Buffer>
  /** The same where it has been made already. */
  readyIn(encoding: Encoding): Buffer | undefined
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
  // Made when it is asked for: most answers go to clients that take them as they are.
  let forms: Partial<Record<Encoding, { made: Promise<Buffer>; ready?: Buffer }>> | undefined
  return {
    bytes,
    get etag() {
      etag ??= etagOf(bytes)
      return etag
    },
    encoded(encoding) {
      forms ??= {}
      const known = forms[encoding]
      if (known) return known.made
      const form: { made: Promise<Buffer>; ready?: Buffer } = { made: compress(bytes, encoding, once) }
      forms[encoding] = form
      form.made = form.made.then((ready) => {
        form.ready = ready
        return ready
      })
      return form.made
    },
    readyIn: (encoding) => forms?.[encoding]?.ready,
  }
}
