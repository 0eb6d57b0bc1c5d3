import { connect, type Socket } from 'node:net'

/** An answer, as much of it as is looked at; both in latin1, which costs nothing to decode. */
export interface Heard {
  status: number
  head: string
  body: string
  /** When it was due to be asked, and when its answer had come, by performance.now(). */
  dueMs: number
  atMs: number
}

const END_OF_HEAD = '\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length
/** Who hears what comes over a line. */
export interface Listener {
  heard(answer: Heard, line: Line): void
  /** An answer to nothing. */
  unasked(head: string): void
  /** The connection ended with so many requests on it. */
  lost(requests: number): void
}

const GREETING = 'GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i

/**
 * A kept connection on which more may be asked before what came first is answered. It reads only as much of HTTP/1.1 as
 * we answer with: whatever the client spends, the server lacks.
 */
export class Line {
  readonly #socket: Socket
  readonly #waiting: number[] = []
  readonly #listener: Listener
  #unread = ''
  #greeted: (() => void) | undefined

  constructor(port: number, listener: Listener) {
    this.#listener = listener
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.setEncoding('latin1').on('data', (text: unknown) => this.#read(String(text)))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => listener.lost(this.#waiting.splice(0).length))
  }

  /** Waits until the server has taken the connection, which one that is connected still may wait for. */
  greet(): Promise<void> {
    this.#socket.write(GREETING)
    return new Promise((resolve, reject) => {
      this.#greeted = resolve
      this.#socket.once('close', () => reject(new Error('The server took no connection.')))
    })
  }

  get isOpen(): boolean {
    return this.#socket.writable
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0
  }

  /** Sends them in one piece; each was due at its time. */
  ask(requests: Buffer[], dueMs: number[]): void {
    this.#waiting.push(...dueMs)
    this.#socket.write(requests.length === 1 ? (requests[0] as Buffer) : Buffer.concat(requests))
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(text: string): void {
    const atMs = performance.now()
    const unread = this.#unread + text
    let at = 0
    for (;;) {
      const end = unread.indexOf(END_OF_HEAD, at)
      if (end < 0) break
      const head = unread.slice(at, end)
      const from = end + END_OF_HEAD.length
      const to = from + Number(LENGTH.exec(head)?.[1] ?? 0)
      if (unread.length < to) break
      at = to
      if (this.#greeted) {
        this.#greeted()
        this.#greeted = undefined
        continue
      }
      const [status, dueMs] = [Number(head.slice(STATUS_AT, STATUS_AT + 3)), this.#waiting.shift()]
      if (dueMs === undefined) this.#listener.unasked(head)
      else this.#listener.heard({ status, head, body: unread.slice(from, to), dueMs, atMs }, this)
    }
    this.#unread = unread.slice(at)
  }
}
