import type { Dispatcher } from 'undici'

const KEPT_BYTES = 4_096 // decisions, "every attempt is kept"
const READ_BYTES = 65_536 // what is longer is not read to its end: the connection is closed instead

/** One answer as it comes in: its status, what is kept of its body, and when it is over. */
export class Exchange implements Dispatcher.DispatchHandler {
  status: number | null = null
  retryAfter: string | undefined
  readonly #chunks: Buffer[] = []
  #size = 0
  readonly #over: (error: Error | null, reusable: boolean) => void

  constructor(over: (error: Error | null, reusable: boolean) => void) {
    this.#over = over
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return // informational: the answer is yet to come
    this.status = status
    const after = headers['retry-after']
    this.retryAfter = typeof after === 'string' ? after : undefined
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < KEPT_BYTES) this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > READ_BYTES) this.#over(null, false)
  }

  onResponseEnd(): void {
    this.#over(null, true)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#over(error, false)
  }

  /** The beginning of the body in a form that PostgreSQL takes: no NUL, no half of a character. */
  answer(): string | null {
    if (this.#size === 0) return null
    const bytes = Buffer.concat(this.#chunks)
    const text = bytes.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD')
    return bytes.length > KEPT_BYTES ? text.replace(/\uFFFD$/, '') : text
  }
}
