import { NotSent } from './connect.ts'
import { type Head, headOf } from './head.ts'

const KEPT_BYTES = 4_096 // decisions, "every attempt is kept"
const READ_BYTES = 65_536 // what is longer is not read to its end: the connection is closed instead
const LONGEST_HEAD = 16_384
const MOST_BYTES = READ_BYTES + LONGEST_HEAD // in all: heads, sizes of chunks and trailers have no end of their own
const MOST_HINTS = 5 // heads of 1xx before the answer's own
const LONGEST_LINE = 1_024 // of a chunk's size, or of a trailer
const BEGINNING = 'HTTP/1.'
const HEAD_END = '\r\n\r\n'
const LF = 10
/** A line that ends without a CR: whoever writes so never sends the end that is waited for. */
const LONE_LF = /(?<!\r)\n/

/** A head as it was written, its end included, and what it says. */
export interface KnownHead {
  text: string
  head: Head
}

/**
 * One answer of HTTP/1.1 as it comes in, in pieces of any size (RFC 9112). Only what a delivery needs is understood, and
 * the least doubt about where the answer ends costs the connection: nothing of one answer is ever read as the next. Of a
 * piece nothing is held on to: what comes next is written over it.
 *
 * A receiver mostly says the same until the clock moves on: a head that was known before is not understood again.
 */
export class Answer {
  #known: KnownHead | undefined
  #head: Head | undefined
  #isOver = false
  #mayKeep = false
  /** Bytes of the body, or of the chunk, that are still to come; below 0: a line is. */
  #left = 0
  /** The beginning of what has to be whole to be understood: the head, or a line between chunks. */
  #begun: Buffer | undefined
  #inTrailer = false
  #kept: Buffer | undefined
  #size = 0
  #bytes = 0
  #hints = 0

  /** `known` is the head of an answer before, as `knownHead` has it. */
  constructor(known?: KnownHead) {
    this.#known = known
  }

  /** The head that came, or the one that was known before. */
  get knownHead(): KnownHead | undefined {
    return this.#known
  }

  get status(): number | null {
    return this.#head?.status ?? null
  }

  get retryAfter(): string | undefined {
    return this.#head?.retryAfter
  }

  /** How long the receiver will keep the connection, where it says so. */
  get keptSeconds(): number | undefined {
    return this.#head?.keptSeconds
  }

  /** Whether anything came at all. */
  get isBegun(): boolean {
    return this.#bytes > 0
  }

  /** Whether it is all there, as far as it is read. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether the connection can carry another call. */
  get isReusable(): boolean {
    return this.#isOver && this.#mayKeep
  }

  /** Takes what came. What is no HTTP is thrown as the reason why nothing was understood. */
  read(piece: Buffer): void {
    this.#bytes += piece.length
    let rest: Buffer | undefined = piece
    while (rest && rest.length > 0 && !this.#isOver)
      rest = this.#head ? this.#body(rest, this.#head) : this.#readHead(rest)
    if (rest && rest.length > 0) this.#mayKeep = false // more than was asked for
    if (this.#isOver || this.#bytes <= MOST_BYTES) return
    if (!this.#head) throw new NotSent('long-headers')
    this.#isOver = true
    this.#mayKeep = false
  }

  /** The other side has nothing more to say: whether that is how the answer ends. */
  close(): boolean {
    this.#mayKeep = false
    this.#isOver ||= this.#head?.framing === 'close'
    return this.#isOver
  }

  /** The beginning of the body in a form that PostgreSQL takes: no NUL, no half of a character. */
  text(): string | null {
    if (!this.#kept) return null
    const text = this.#kept.toString('utf8', 0, KEPT_BYTES).replaceAll('\0', '\uFFFD')
    return this.#kept.length > KEPT_BYTES ? text.replace(/\uFFFD$/, '') : text
  }

  #readHead(piece: Buffer): Buffer | undefined {
    const bytes = this.#begun ? Buffer.concat([this.#begun, piece]) : piece
    if (bytes.length < LONGEST_HEAD && (this.#begun?.length ?? 0) >= BEGINNING.length && !piece.includes(LF)) {
      this.#begun = bytes // whoever sends it byte by byte does not have it read again for each
      return undefined
    }
    const text = bytes.toString('latin1', 0, LONGEST_HEAD + HEAD_END.length)
    const known = this.#known
    if (known && text.startsWith(known.text)) {
      this.#heed(known.head)
      return bytes.subarray(known.text.length)
    }
    const end = text.indexOf(HEAD_END)
    if (end < 0 && bytes.length > LONGEST_HEAD) throw new NotSent('long-headers')
    const written = end < 0 ? text : text.slice(0, end)
    if (!BEGINNING.startsWith(written.slice(0, BEGINNING.length)) || LONE_LF.test(written))
      throw new NotSent('not-http')
    if (end < 0) {
      this.#begun = Buffer.from(bytes)
      return undefined
    }
    this.#begun = undefined
    const head = headOf(written)
    const length = end + HEAD_END.length
    if (head) {
      this.#known = { text: text.slice(0, length), head }
      this.#heed(head)
    } else if (++this.#hints > MOST_HINTS) throw new NotSent('long-headers')
    return bytes.subarray(length)
  }

  #heed(head: Head): void {
    this.#begun = undefined
    this.#head = head
    this.#mayKeep = head.mayKeep
    this.#left = head.framing === 'chunks' ? -1 : head.length
    this.#isOver = head.framing === 'length' && head.length === 0
  }

  #body(piece: Buffer, { framing }: Head): Buffer | undefined {
    if (framing === 'chunks' && this.#left < 0) return this.#line(piece)
    const part = framing === 'close' ? piece : piece.subarray(0, this.#left)
    this.#keep(part)
    if (framing === 'close') return undefined
    this.#left -= part.length
    if (this.#left === 0) {
      if (framing === 'length') this.#isOver = true
      else this.#left = -2 // the end of the line that the chunk stands on
    }
    return piece.subarray(part.length)
  }

  /** A line between chunks: the end of the last one (-2), the size of the next (-1), or a trailer. */
  #line(piece: Buffer): Buffer | undefined {
    const bytes = this.#begun ? Buffer.concat([this.#begun, piece]) : piece
    const end = bytes.indexOf('\r\n')
    if (end > LONGEST_LINE || (end < 0 && bytes.length > LONGEST_LINE)) throw new NotSent('not-http')
    const line = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
    if (LONE_LF.test(line)) throw new NotSent('not-http')
    if (end < 0) {
      this.#begun = Buffer.from(bytes)
      return undefined
    }
    this.#begun = undefined
    if (this.#inTrailer) this.#isOver = line === ''
    else if (this.#left === -2) {
      if (line !== '') throw new NotSent('not-http')
      this.#left = -1
    } else {
      const [, size] = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(line) ?? []
      if (size === undefined) throw new NotSent('not-http')
      const bytesToCome = Number.parseInt(size, 16)
      this.#inTrailer = bytesToCome === 0
      this.#left = bytesToCome || -1
    }
    return bytes.subarray(end + 2)
  }

  #keep(part: Buffer): void {
    if (this.#size < KEPT_BYTES && part.length > 0) this.#kept = Buffer.concat(this.#kept ? [this.#kept, part] : [part])
    this.#size += part.length
    if (this.#size <= READ_BYTES) return
    this.#isOver = true
    this.#mayKeep = false
  }
}
