import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { Answer } from './answer.ts'
import { NotSent } from './connect.ts'

const IDLE_MS = 4_000
const LONGEST_IDLE_MS = 30_000 // whatever the receiver offers
const EARLIER_MS = 1_000 // than the receiver, who would close it just as we use it again
const UNFIT = /[^\t\x20-\x7e\x80-\xff]/ // in the value of a header (RFC 9110, 5.5)

/** What one call leaves behind. */
export type OnEnd = (answer: Answer, error: Error | null) => void

/**
 * One connection, and one call at a time on it. A client for every purpose cost a delivery 20 µs more, in its handling of
 * pipelines, streams and interceptors that webhooks have no use for.
 */
export class Wire {
  address: string | null = null
  /** How often it was used. */
  calls = 0
  #socket: Socket | undefined
  #answer = new Answer()
  #idleMs = IDLE_MS
  #end: OnEnd | undefined
  #isGone = false
  readonly #origin: string
  readonly #connect: buildConnector.connector
  readonly #onGone: () => void

  /** `onGone` hears when it is of no more use while nobody uses it. */
  constructor(origin: string, connect: buildConnector.connector, onGone: () => void) {
    this.#origin = origin
    this.#connect = connect
    this.#onGone = onGone
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Sends a request and hears its answer; `headers` are names and values in turn. `end` is called once. */
  post(path: string, headers: readonly string[], body: Buffer, end: OnEnd): void {
    this.calls++
    this.#answer = new Answer()
    this.#end = end
    let head = `POST ${path} HTTP/1.1\r\nHost: ${this.#origin.slice(this.#origin.indexOf('/') + 2)}\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n`
    for (let at = 0; at < headers.length; at += 2) {
      const value = headers[at + 1] ?? ''
      if (UNFIT.test(value)) return this.cut(new NotSent('bad-header'))
      head += `${headers[at]}: ${value}\r\n`
    }
    head += '\r\n'
    const request = Buffer.allocUnsafe(head.length + body.length)
    request.write(head, 'latin1')
    body.copy(request, head.length)
    if (this.#socket) this.#socket.write(request)
    else this.#open(request)
  }

  /** Ends it, and with it the call that is under way: what came of the answer until now is all there is. */
  cut(error: Error | null): void {
    const [end, wasGone] = [this.#end, this.#isGone]
    this.#isGone = true
    this.#end = undefined
    this.#socket?.destroy()
    if (end) end(this.#answer, error)
    else if (!wasGone) this.#onGone()
  }

  #open(request: Buffer): void {
    const { hostname, host, protocol, port } = new URL(this.#origin)
    this.#connect({ hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }, (error, socket) => {
      if (!socket) return this.cut(error)
      this.address = socket.remoteAddress ?? null
      if (this.#isGone) return void socket.destroy()
      this.#socket = socket
      socket.on('data', (piece) => this.#read(piece))
      socket.on('end', () => this.cut(this.#answer.close() ? null : new NotSent('closed')))
      socket.on('error', (error) => this.cut(error))
      socket.on('close', () => this.cut(new NotSent('closed')))
      socket.setTimeout(this.#idleMs, () => !this.#end && this.cut(null))
      socket.write(request)
    })
  }

  #read(piece: Buffer): void {
    if (!this.#end) return this.cut(null) // words that nobody asked for
    const answer = this.#answer
    try {
      answer.read(piece)
    } catch (error) {
      return this.cut(error as Error)
    }
    if (!answer.isOver) return
    if (!answer.isReusable || this.#socket?.writableLength !== 0) return this.cut(null)
    this.#rest(answer)
    const end = this.#end
    this.#end = undefined
    end(answer, null)
  }

  #rest({ keptSeconds }: Answer): void {
    const offered = keptSeconds === undefined ? IDLE_MS : keptSeconds * 1_000 - EARLIER_MS
    const idleMs = Math.min(Math.max(offered, 1), LONGEST_IDLE_MS)
    if (idleMs !== this.#idleMs) this.#socket?.setTimeout(idleMs)
    this.#idleMs = idleMs
  }
}
