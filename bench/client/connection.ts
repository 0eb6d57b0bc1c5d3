import { connect, type Socket } from 'node:net'

/** A request as it goes over the wire, and the status it must be answered with. */
export interface Prepared {
  bytes: string
  status: number
}

const END_OF_HEAD = '\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length
const LONGEST_HEAD_BYTES = 4096

/**
 * One keep-alive connection with one request under way at a time. It reads only as much of HTTP/1.1 as its own purpose
 * needs (status and length): every microsecond that the client spends is one in which the server waits.
 */
export class Connection {
  readonly #socket: Socket
  #head = ''
  #bodyLeft = 0
  #status = 0
  #answered: (status: number) => void = () => undefined
  #failed: (error: Error) => void = () => undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('close', () => this.#failed(new Error('The server closed a connection.')))
  }

  /** Sends one request after the other for as long as `next` gives one; the promise is kept when it gives none. */
  run(next: () => Prepared | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      let current: Prepared | undefined
      const proceed = () => {
        current = next()
        if (current) this.#socket.write(current.bytes, 'latin1')
        else resolve()
      }
      this.#failed = reject
      this.#answered = (status) => {
        if (status !== current?.status) reject(new Error(`Answered ${status} instead of ${current?.status}.`))
        else proceed()
      }
      proceed()
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  close(): void {
    this.#failed = () => undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#status === 0) this.#readHead(chunk)
    else this.#bodyLeft -= chunk.length
    if (this.#status === 0 || this.#bodyLeft > 0) return
    const status = this.#status
    this.#status = 0
    this.#answered(status)
  }

  #readHead(chunk: Buffer): void {
    const head = this.#head + chunk.toString('latin1', 0, LONGEST_HEAD_BYTES)
    const end = head.indexOf(END_OF_HEAD)
    if (end < 0) {
      this.#head = head
      return
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1] ?? '0'
    this.#bodyLeft = Number(length) - (this.#head.length + chunk.length - end - END_OF_HEAD.length)
    this.#status = Number(head.slice(STATUS_AT, STATUS_AT + 3))
    this.#head = ''
  }
}
