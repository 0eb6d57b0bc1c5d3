import { connect, type Socket } from 'node:net'
import { headersOf, ResponseReader } from '../tests/support/http-reader.ts'

/** An answer as it came, headers in lower case; of repeated ones the last. */
export interface Answer {
  status: number
  headers: Map<string, string>
  body: Buffer
}

/** Counted in looks: where the whole machine stood still for a while, nobody has waited for an answer all that time. */
const LOOKS = 20
const LOOK_EVERY_MS = 1_000

/** One connection that sends whatever bytes it is given and reads the answer by the book, so that nothing mends a request on its way. */
export class Connection {
  readonly #socket: Socket
  readonly #reader = new ResponseReader()
  #ended = false
  #asked = 0
  #look: () => void = () => undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.#socket.on('data', (chunk) => {
      this.#reader.push(chunk)
      this.#look()
    })
    const end = () => {
      this.#ended = true
      this.#reader.end()
      this.#look()
    }
    this.#socket.on('end', end).on('close', end).on('error', end)
  }

  /** Whether another request may follow. */
  get open(): boolean {
    return !this.#ended && this.#reader.unread === 0
  }

  /** The answer to those bytes, or nothing where the other side hangs up without a word; `last` says that no more will come from us. */
  ask(bytes: Buffer, { bodiless, last }: { bodiless: boolean; last: boolean }): Promise<Answer | undefined> {
    this.#asked++
    this.#socket.write(bytes)
    if (last) this.#socket.end()
    return new Promise((resolve, reject) => {
      let looks = 0
      const patience = setInterval(() => {
        if (++looks < LOOKS) return
        clearInterval(patience)
        const said = `${this.#reader.unread} bytes came`
        reject(new Error(`no answer in ${LOOKS} s to request ${this.#asked} of a connection; ${said}`))
      }, LOOK_EVERY_MS)
      this.#look = () => {
        const answer = this.#read(bodiless)
        if (!answer && !this.#ended) return
        clearInterval(patience)
        if (answer?.headers.get('connection') === 'close') this.#ended = true
        resolve(answer)
      }
      this.#look()
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

/** Connections that are kept for the next request; one that may be spoilt by how a request ends has its own. */
export class Connections {
  readonly #port: number
  readonly #idle: Connection[] = []

  constructor(url: string) {
    this.#port = Number(new URL(url).port)
  }

  async ask(
    bytes: Buffer,
    { bodiless, last, alone }: { bodiless: boolean; last: boolean; alone: boolean },
  ): Promise<Answer | undefined> {
    const line = (alone ? undefined : this.#idle.pop()) ?? new Connection(this.#port)
    try {
      const answer = await line.ask(bytes, { bodiless, last })
      if (!alone && line.open && answer) this.#idle.push(line)
      else line.close()
      return answer
    } catch (error) {
      line.close()
      throw error
    }
  }

  close(): void {
    for (const line of this.#idle) line.close()
  }
}
