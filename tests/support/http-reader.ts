/** A response as it came over a socket. */
interface RawResponse {
  status: number
  /** Status line and headers, in latin1. */
  head: string
  body: Buffer
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const STATUS_AT = 'HTTP/1.1 '.length
const EMPTY = Buffer.alloc(0)

/**
 * Reads HTTP/1.1 responses from the bytes of a connection. Drills and fuzzing use it instead of a client library where
 * requests are malformed or pipelined on purpose, or a connection is cut.
 */
export class ResponseReader {
  #unread: Buffer = EMPTY
  #ended = false

  /** The number of bytes that belong to no response yet. */
  get unread(): number {
    return this.#unread.length
  }

  push(chunk: Buffer): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
  }

  /** The other side sends no more: a body without a length ends here. */
  end(): void {
    this.#ended = true
  }

  /** The next response, or undefined as long as it is incomplete. The response to a HEAD has no body. */
  next({ isHead = false } = {}): RawResponse | undefined {
    const end = this.#unread.indexOf(END_OF_HEAD)
    if (end < 0) return undefined
    const head = this.#unread.toString('latin1', 0, end)
    const status = Number(head.slice(STATUS_AT, STATUS_AT + 3))
    const from = end + END_OF_HEAD.length
    if (status < 200) {
      this.#unread = this.#unread.subarray(from)
      return this.next({ isHead })
    }
    const read = this.#readBody(head, from, isHead || status === 204 || status === 304)
    if (!read) return undefined
    this.#unread = this.#unread.subarray(read.to)
    return { status, head, body: read.body }
  }

  #readBody(head: string, from: number, isEmpty: boolean): { body: Buffer; to: number } | undefined {
    if (isEmpty) return { body: EMPTY, to: from }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined) {
      const to = from + Number(length)
      return this.#unread.length < to ? undefined : { body: this.#unread.subarray(from, to), to }
    }
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) return this.#readChunks(from)
    return this.#ended ? { body: this.#unread.subarray(from), to: this.#unread.length } : undefined
  }

  #readChunks(from: number): { body: Buffer; to: number } | undefined {
    const parts: Buffer[] = []
    for (let at = from; ; ) {
      const line = this.#unread.indexOf('\r\n', at)
      if (line < 0) return undefined
      const begin = line + 2
      const size = Number.parseInt(this.#unread.toString('latin1', at, line), 16)
      const to = begin + size + 2
      if (this.#unread.length < to) return undefined
      if (size === 0) return { body: Buffer.concat(parts), to }
      parts.push(this.#unread.subarray(begin, begin + size))
      at = to
    }
  }
}

/** The headers of a response by their names in lower case; of repeated ones the last. */
export const headersOf = ({ head }: Pick<RawResponse, 'head'>): Map<string, string> =>
  new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: */, 2) as [string, string])
      .map(([name, value]) => [name.toLowerCase(), value]),
  )
