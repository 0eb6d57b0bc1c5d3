import { connect, type Socket } from 'node:net'
import { ResponseReader } from '../../tests/support/http-reader.ts'

/** An answer, as much of it as is looked at; both in latin1, which costs nothing to decode. */
export interface Response {
  status: number
  head: string
  body: string
  /** When it was due to be asked, and when its answer had come, by performance.now(). */
  dueMs: number
  atMs: number
}

/** Who hears what comes over a line. */
export interface Listener {
  heard(answer: Response, line: Connection): void
  /** An answer to nothing. */
  unasked(head: string): void
  /** The connection ended with so many requests on it. */
  lost(requests: number): void
}

const GREETING = 'GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

/** A keep-alive connection on which requests may be pipelined. */
export class Connection {
  readonly #socket: Socket
  readonly #waiting: number[] = []
  readonly #listener: Listener
  readonly #reader = new ResponseReader()
  #greeted: (() => void) | undefined

  constructor(port: number, listener: Listener) {
    this.#listener = listener
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
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

  #read(chunk: Buffer): void {
    const atMs = performance.now()
    this.#reader.push(chunk)
    for (let next = this.#reader.next(); next; next = this.#reader.next()) {
      if (this.#greeted) {
        this.#greeted()
        this.#greeted = undefined
        continue
      }
      const { status, head, body } = next
      const dueMs = this.#waiting.shift()
      if (dueMs === undefined) this.#listener.unasked(head)
      else this.#listener.heard({ status, head, body: body.toString('latin1'), dueMs, atMs }, this)
    }
  }
}
