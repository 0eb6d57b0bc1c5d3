import { NotSent } from './connect.ts'

const KEPT_BYTES = 4_096 // decisions, "every attempt is kept"
const READ_BYTES = 65_536 // what is longer is not read to its end: the connection is closed instead
const LONGEST_HEAD = 16_384
const MOST_BYTES = READ_BYTES + LONGEST_HEAD // in all: heads, sizes of chunks and trailers have no end of their own
const MOST_HINTS = 5 // heads of 1xx before the answer's own
const LONGEST_LINE = 1_024 // of a chunk's size, or of a trailer
const BEGINNING = 'HTTP/1.'
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
const HEAD_END = '\r\n\r\n'
const LF = 10
/** A line that ends without a CR: whoever writes so never sends the end that is waited for. */
const LONE_LF = /(?<!\r)\n/
const WANTED = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'retry-after']
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/ // a header's name (RFC 9110, 5.6.2): no blank before the colon

/** How the end of a body is known (RFC 9112, 6.3). */
type Framing = 'length' | 'chunks' | 'close'

/**
 * One answer of HTTP/1.1 as it comes in, in pieces of any size (RFC 9112). Only what a delivery needs is understood, and
 * the least doubt about where the answer ends costs the connection: nothing of one answer is ever read as the next. Of a
 * piece nothing is held on to: what comes next is written over it.
 */
export class Answer {
  status: number | null = null
  retryAfter: string | undefined
  /** How long the receiver will keep the connection, where it says so. */
  keptSeconds: number | undefined
  #isOver = false
  #mayKeep = false
  #framing: Framing = 'length'
  /** Bytes of the body, or of the chunk, that are still to come; below 0: a line is. */
  #left = 0
  /** The beginning of what has to be whole to be understood: the head, or a line between chunks. */
  #begun: Buffer | undefined
  #inTrailer = false
  #kept: Buffer | undefined
  #size = 0
  #bytes = 0
  #hints = 0

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
    while (rest && rest.length > 0 && !this.#isOver) rest = this.status === null ? this.#head(rest) : this.#body(rest)
    if (rest && rest.length > 0) this.#mayKeep = false // more than was asked for
    if (this.#isOver || this.#bytes <= MOST_BYTES) return
    if (this.status === null) throw new NotSent('long-headers')
    this.#isOver = true
    this.#mayKeep = false
  }

  /** The other side has nothing more to say: whether that is how the answer ends. */
  close(): boolean {
    this.#mayKeep = false
    this.#isOver ||= this.status !== null && this.#framing === 'close'
    return this.#isOver
  }

  /** The beginning of the body in a form that PostgreSQL takes: no NUL, no half of a character. */
  text(): string | null {
    if (!this.#kept) return null
    const text = this.#kept.toString('utf8', 0, KEPT_BYTES).replaceAll('\0', '\uFFFD')
    return this.#kept.length > KEPT_BYTES ? text.replace(/\uFFFD$/, '') : text
  }

  #head(piece: Buffer): Buffer | undefined {
    const bytes = this.#begun ? Buffer.concat([this.#begun, piece]) : piece
    if (bytes.length < LONGEST_HEAD && (this.#begun?.length ?? 0) >= BEGINNING.length && !piece.includes(LF)) {
      this.#begun = bytes // whoever sends it byte by byte does not have it read again for each
      return undefined
    }
    const text = bytes.toString('latin1', 0, LONGEST_HEAD + HEAD_END.length)
    const end = text.indexOf(HEAD_END)
    if (end < 0 && bytes.length > LONGEST_HEAD) throw new NotSent('long-headers')
    const head = end < 0 ? text : text.slice(0, end)
    if (!BEGINNING.startsWith(head.slice(0, BEGINNING.length)) || LONE_LF.test(head)) throw new NotSent('not-http')
    if (end < 0) {
      this.#begun = Buffer.from(bytes)
      return undefined
    }
    this.#begun = undefined
    this.#understand(head.split('\r\n'))
    return bytes.subarray(end + HEAD_END.length)
  }

  #understand(lines: string[]): void {
    const [, minor, code] = STATUS_LINE.exec(lines[0] ?? '') ?? []
    const status = Number(code)
    if (!code || status === 101) throw new NotSent('not-http') // we did not ask for another protocol
    if (status < 200) {
      if (++this.#hints > MOST_HINTS) throw new NotSent('long-headers')
      return // informational: the answer is yet to come
    }
    const [length, coding, connection, keepAlive, retryAfter] = wantedIn(lines)
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new NotSent('not-http')

    this.status = status
    this.retryAfter = retryAfter
    this.keptSeconds = secondsIn(keepAlive)
    const isBodiless = status === 204 || status === 304
    if (isBodiless) this.#left = 0
    else if (coding !== undefined) this.#framing = /(^|,)\s*chunked$/i.test(coding) ? 'chunks' : 'close'
    else if (length === undefined) this.#framing = 'close'
    else this.#left = Number(length)
    if (this.#framing === 'chunks') this.#left = -1
    this.#mayKeep =
      minor === '1' &&
      this.#framing !== 'close' &&
      !(coding !== undefined && (isBodiless || length !== undefined)) &&
      !(isBodiless && Number(length ?? 0) > 0) && // a body that must not be may follow all the same
      !(connection !== undefined && /(^|,)\s*close\s*(,|$)/i.test(connection))
    this.#isOver = this.#framing === 'length' && this.#left === 0
  }

  #body(piece: Buffer): Buffer | undefined {
    if (this.#framing === 'chunks' && this.#left < 0) return this.#line(piece)
    const part = this.#framing === 'close' ? piece : piece.subarray(0, this.#left)
    this.#keep(part)
    if (this.#framing === 'close') return undefined
    this.#left -= part.length
    if (this.#left === 0) {
      if (this.#framing === 'length') this.#isOver = true
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

/** The values of the headers that matter here, each in its place. */
function wantedIn(lines: string[]): (string | undefined)[] {
  const values: (string | undefined)[] = WANTED.map(() => undefined)
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] as string
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    if (!TOKEN.test(name)) throw new NotSent('not-http')
    const place = WANTED.indexOf(name.toLowerCase())
    if (place < 0) continue
    const value = line.slice(colon + 1).trim()
    const before = values[place]
    values[place] = before === undefined ? value : `${before}, ${value}` // said twice is said as a list (RFC 9110, 5.3)
  }
  return values
}

function secondsIn(keepAlive: string | undefined): number | undefined {
  const [, seconds] = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(keepAlive ?? '') ?? []
  return seconds === undefined ? undefined : Number(seconds)
}
