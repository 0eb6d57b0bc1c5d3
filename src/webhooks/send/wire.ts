import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { Answer } from './answer.ts'
import { HEARERS, NotSent } from './connect.ts'

const IDLE_MS = 4_000
const LONGEST_IDLE_MS = 30_000 // whatever the receiver offers
const EARLIER_MS = 1_000 // than the receiver, who would close it just as we use it again
const UNFIT = /[^\t\x20-\x7e\x80-\xff]/ // in the value of a header (RFC 9110, 5.5)

/** Where requests go on a connection, and the headers that all of them have there: among them what a partner chose. */
export interface Addressed {
  path: string
  /** Names and values in turn. */
  headers: readonly string[]
}

/** What one call leaves behind. */
export type OnEnd = (answer: Answer, error: Error | null) => void

/**
 * Where requests are put together. The system takes most of them at once; one that it does not keeps the bytes it has.
 * Those that are sealed first (https) are never taken at once.
 */
let desk = Buffer.allocUnsafeSlow(16_384)

/**
 * One connection, and one call at a time on it. A client for every purpose cost a delivery 20 µs more, in its handling of
 * pipelines, streams and interceptors that webhooks have no use for.
 */
export class Wire {
  address: string | null = null
  /** How often it was used. */
  calls = 0
  /** How long it may rest until it is used again. */
  restMs = IDLE_MS
  #socket: Socket | undefined
  #answer = new Answer()
  #address: Addressed | undefined
  #beginning = ''
  #end: OnEnd | undefined
  #isGone = false
  readonly #origin: string
  readonly #isSealed: boolean
  readonly #connect: buildConnector.connector
  readonly #onGone: () => void

  /** `onGone` hears when it is of no more use while nobody uses it. */
  constructor(origin: string, connect: buildConnector.connector, onGone: () => void) {
    this.#origin = origin
    this.#isSealed = origin.startsWith('https:')
    this.#connect = connect
    this.#onGone = onGone
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Sends a request and hears its answer; `lines` of headers follow those of the address. `end` is called once. */
  post(address: Addressed, lines: string, body: string, end: OnEnd): void {
    this.calls++
    this.#answer = new Answer(this.#answer.knownHead)
    this.#end = end
    const length = Buffer.byteLength(body)
    let head: string
    try {
      head = `${this.#beginningFor(address)}${lines}Content-Length: ${length}\r\n\r\n`
    } catch (error) {
      return this.cut(error as Error)
    }
    const bytes = head.length + length
    const room = bytes > desk.length || this.#isSealed ? Buffer.allocUnsafe(bytes) : desk
    room.write(head, 'latin1')
    room.write(body, head.length)
    const request = room.subarray(0, bytes)
    if (!this.#socket) this.#open(Buffer.from(request))
    else {
      this.#socket.write(request)
      if (room === desk && this.#socket.writableLength > 0) desk = Buffer.allocUnsafeSlow(desk.length)
    }
  }

  /** The same for every call that goes to an address, and made once. */
  #beginningFor(address: Addressed): string {
    if (this.#address === address) return this.#beginning
    const host = this.#origin.slice(this.#origin.indexOf('/') + 2)
    this.#beginning = `POST ${address.path} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n${headerLines(address.headers)}`
    this.#address = address
    return this.#beginning
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
      HEARERS.set(socket, (piece) => this.#read(piece))
      socket.on('end', () => this.cut(this.#answer.close() ? null : new NotSent('closed')))
      socket.on('error', (error) => this.cut(error))
      socket.on('close', () => this.cut(new NotSent('closed')))
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
    this.restMs = restOf(answer)
    const end = this.#end
    this.#end = undefined
    end(answer, null)
  }
}

/** How long a connection rests at most until it is used again, by what the receiver says of it. */
function restOf({ keptSeconds }: Answer): number {
  const offered = keptSeconds === undefined ? IDLE_MS : keptSeconds * 1_000 - EARLIER_MS
  return Math.min(Math.max(offered, 1), LONGEST_IDLE_MS)
}

/** Names and values in turn, as lines; none of them makes a line of its own. */
function headerLines(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? ''
    if (UNFIT.test(value)) throw new NotSent('bad-header')
    lines += `${headers[at]}: ${value}\r\n`
  }
  return lines
}
