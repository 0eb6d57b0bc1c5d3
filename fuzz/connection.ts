import { connect, type Socket } from 'node:net'

/** An answer as it came, headers in lower case; of repeated ones the last. */
export interface Answer {
  status: number
  headers: Map<string, string>
  body: Buffer
}

/** Counted in looks: where the whole machine stood still for a while, nobody has waited for an answer all that time. */
const LOOKS = 20
const LOOK_EVERY_MS = 1_000
const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** One connection that sends whatever bytes it is given and reads the answer by the book, so that nothing mends a request on its way. */
export class Connection {
  readonly #socket: Socket
  #unread = Buffer.alloc(0)
  #ended = false
  #asked = 0
  #look: () => void = () => undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.#socket.on('data', (chunk) => {
      this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
      this.#look()
    })
    const end = () => {
      this.#ended = true
      this.#look()
    }
    this.#socket.on('end', end).on('close', end).on('error', end)
  }

  /** Whether another request may follow. */
  get open(): boolean {
    return !this.#ended && this.#unread.length === 0
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
        const said = `${this.#unread.length} bytes came`
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
    const end = this.#unread.indexOf(END_OF_HEAD)
    if (end < 0) return undefined
    const [first = '', ...lines] = this.#unread.toString('latin1', 0, end).split('\r\n')
    const status = Number(first.slice(9, 12))
    const from = end + END_OF_HEAD.length
    if (status < 200) {
      this.#unread = this.#unread.subarray(from)
      return this.#read(bodiless)
    }
    const headers = new Map(
      lines.map((line) => line.split(/: */, 2) as [string, string]).map(([k, v]) => [k.toLowerCase(), v]),
    )
    const empty = bodiless || status === 204 || status === 304
    const length = empty ? 0 : Number(headers.get('content-length') ?? NaN)
    if (Number.isNaN(length)) return this.#readChunks(status, headers, from)
    if (this.#unread.length < from + length) return undefined
    const body = this.#unread.subarray(from, from + length)
    this.#unread = this.#unread.subarray(from + length)
    return { status, headers, body }
  }

  #readChunks(status: number, headers: Map<string, string>, from: number): Answer | undefined {
    if (headers.get('transfer-encoding') !== 'chunked') {
      if (!this.#ended) return undefined
      const body = this.#unread.subarray(from)
      this.#unread = Buffer.alloc(0)
      return { status, headers, body }
    }
    const parts: Buffer[] = []
    for (let at = from; ; ) {
      const line = this.#unread.indexOf('\r\n', at)
      if (line < 0) return undefined
      const size = Number.parseInt(this.#unread.toString('latin1', at, line), 16)
      const next = line + 2 + size + 2
      if (this.#unread.length < next) return undefined
      parts.push(this.#unread.subarray(line + 2, line + 2 + size))
      at = next
      if (size > 0) continue
      this.#unread = this.#unread.subarray(at)
      return { status, headers, body: Buffer.concat(parts) }
    }
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
