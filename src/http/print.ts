import { compress, type Encoding } from './compress.ts'
import { etagOf } from './etag.ts'

/** The bytes of a representation, with what is worked out of them only once and only when asked for. */
export interface Print {
  readonly bytes: Buffer
  readonly etag: string
  encoded(encoding: Encoding): Promise<Buffer>
  /** The same where it has been made already. */
  readyIn(encoding: Encoding): Buffer | undefined
}

const kept = new WeakMap<Buffer, Print>()

/**
 * What is known of some bytes. A buffer that is handed out again and again (a catalogue list) is remembered,
 * so its ETag and its compressed forms are made once; text made for one answer is worked out for that answer.
 */
export function printOf(payload: Buffer | string): Print {
  if (typeof payload === 'string') return print(Buffer.from(payload), { once: true })
  const known = kept.get(payload)
  if (known) return known
  const made = print(payload)
  kept.set(payload, made)
  return made
}

/** Bytes whose ETag covers only a part of them: what else they tell may change without being another version. */
export function printOfVersion(bytes: Buffer, etag: string): Buffer {
  kept.set(bytes, print(bytes, { etag }))
  return bytes
}

function print(bytes: Buffer, { etag, once }: { etag?: string; once?: true } = {}): Print {
  const forms = new Map<Encoding, Promise<Buffer>>()
  const ready: Partial<Record<Encoding, Buffer>> = {}
  return {
    bytes,
    get etag() {
      etag ??= etagOf(bytes)
      return etag
    },
    encoded(encoding) {
      const known = forms.get(encoding)
      if (known) return known
      const made = compress(bytes, encoding, once).then((form) => {
        ready[encoding] = form
        return form
      })
      forms.set(encoding, made)
      return made
    },
    readyIn: (encoding) => ready[encoding],
  }
}
