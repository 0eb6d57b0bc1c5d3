import { connect, type Socket } from 'node:net'
import { headersOf, ResponseReader } from '../tests/support/http-reader.ts'

/** A response. Header names are lower case; of repeated headers the last counts. */
export interface Answer {
  status: number
  headers: Map<string, string>
  body: Buffer
}

/** Counted in ticks, so that a machine that was suspended does not count as waiting. */
const TIMEOUT_S = 20
const TICK_MS = 1_000

/** A connection that sends the bytes as they are, so that no HTTP client corrects a request. */
class Connection {
  readonly #socket: Socket
  readonly #reader = new ResponseReader()
  #ended = false
  #sent = 0
  #onData: () => void = () => undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.#socket.on('data', (chunk) => {
      this.#reader.push(chunk)
      this.#onData()
    })
    const end = () => {
      this.#ended = true
      this.#reader.end()
      this.#onData()
    }
    this.#socket.on('end', end).on('close', end).on('error', end)
  }

  /** True if another request may follow. */
  get open(): boolean {
    return !this.#ended && this.#reader.unread === 0
  }

  /** The response, or undefined if the server closes the connection without one. `last` ends our side after sending. */
  send(bytes: Buffer, { bodiless, last }: { bodiless: boolean; last: boolean }): Promise<Answer | undefined> {
    this.#sent++
    this.#socket.write(bytes)
    if (last) this.#socket.end()
    return new Promise((resolve, reject) => {
      let waitedS = 0
      const timer = setInterval(() => {
        if (++waitedS < TIMEOUT_S) return
        clearInterval(timer)
        const received = `${this.#reader.unread} bytes came`
        reject(new Error(`no answer in ${TIMEOUT_S} s to request ${this.#sent} of a connection; ${received}`))
      }, TICK_MS)
      this.#onData = () => {
        const answer = this.#read(bodiless)
        if (!answer && !this.#ended) return
        clearInterval(timer)
        if (answer?.headers.get('connection') === 'close') this.#ended = true
        resolve(answer)
      }
      this.#onData()
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bodiless: boolean): Answer | undefined {
    const response = this.#reader.next({ isHead: bodiless })
    return response && { status: response.status, headers: headersOf(response), body: response.body }
  }
}

/** Keeps connections for the next request; a request that may break its connection has its own. */
export class Connections {
  readonly #port: number
  readonly #idle: Connection[] = []

  constructor(url: string) {
    this.#port = Number(new URL(url).port)
  }

  async send(
    bytes: Buffer,
    { bodiless, last, alone }: { bodiless: boolean; last: boolean; alone: boolean },
  ): Promise<Answer | undefined> {
    const connection = (alone ? undefined : this.#idle.pop()) ?? new Connection(this.#port)
    try {
      const answer = await connection.send(bytes, { bodiless, last })
      if (!alone && connection.open && answer) this.#idle.push(connection)
      else connection.close()
      return answer
    } catch (error) {
      connection.close()
      throw error
    }
  }

  close(): void {
    for (const connection of this.#idle) connection.close()
  }
}
