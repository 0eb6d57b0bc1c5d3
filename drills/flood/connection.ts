import { connect, type Socket } from 'node:net'
import { ResponseReader } from '../../tests/support/http-reader.ts'

/** A response. Head and body are latin1, which is cheap to decode. */
export interface Response {
  status: number
  head: string
  body: string
  /** When the request was due and when its response came, by performance.now(). */
  dueMs: number
  atMs: number
}

/** The events of a connection. */
export interface Listener {
  onResponse(response: Response, connection: Connection): void
  /** A response without a request. */
  onUnexpected(head: string): void
  /** The connection ended with this many requests in flight. */
  onClose(requests: number): void
}

const PING = 'GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

/** A keep-alive connection on which requests may be pipelined. */
export class Connection {
  readonly #socket: Socket
  readonly #waiting: number[] = []
  readonly #listener: Listener
  readonly #reader = new ResponseReader()
  #onAccepted: (() => void) | undefined

  constructor(port: number, listener: Listener) {
    this.#listener = listener
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => listener.onClose(this.#waiting.splice(0).length))
  }

  /** Waits until the server has accepted the connection: a connected one may still be in its backlog. */
  accepted(): Promise<void> {
    this.#socket.write(PING)
    return new Promise((resolve, reject) => {
      this.#onAccepted = resolve
      this.#socket.once('close', () => reject(new Error('The server accepted no connection.')))
    })
  }

  get isOpen(): boolean {
    return this.#socket.writable
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0
  }

  /** Sends the requests in one write, each with the time at which it was due. */
  send(requests: Buffer[], dueMs: number[]): void {
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
      if (this.#onAccepted) {
        this.#onAccepted()
        this.#onAccepted = undefined
        continue
      }
      const { status, head, body } = next
      const dueMs = this.#waiting.shift()
      if (dueMs === undefined) this.#listener.onUnexpected(head)
      else this.#listener.onResponse({ status, head, body: body.toString('latin1'), dueMs, atMs }, this)
    }
  }
}
