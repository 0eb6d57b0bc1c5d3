import type { Dispatcher } from 'undici'

const KEPT_BYTES = 4_096 // decisions, "every attempt is kept"
const READ_BYTES = 65_536 // what is longer is not read to its end: the connection is closed instead

/** One answer as it comes in: its status, what is kept of its body, and when it is over, which is told once. */
export class Exchange implements Dispatcher.DispatchHandler {
  status: number | null = null
  retryAfter: string | undefined
  #isOver = false
  #kept: Buffer | undefined
  #size = 0
  readonly #end: (error: Error | null, reusable: boolean) => void

  /** `end` hears whether the connection can be used again. */
  constructor(end: (error: Error | null, reusable: boolean) => void) {
    this.#end = end
  }

  over(error: Error | null, reusable: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end(error, reusable)
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return // informational: the answer is yet to come
    this.status = status
    const after = headers['retry-after']
    if (typeof after === 'string') this.retryAfter = after
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < KEPT_BYTES) this.#kept = this.#kept ? Buffer.concat([this.#kept, chunk]) : chunk
    this.#size += chunk.length
    if (this.#size > READ_BYTES) this.over(null, false)
  }

  onResponseEnd(): void {
    this.over(null, true)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.over(error, false)
  }

  /** The beginning of the body in a form that PostgreSQL takes: no NUL, no half of a character. */
  answer(): string | null {
    if (!this.#kept) return null
    const text = this.#kept.toString('utf8', 0, KEPT_BYTES).replaceAll('\0', '\uFFFD')
    return this.#kept.length > KEPT_BYTES ? text.replace(/\uFFFD$/, '') : text
  }
}
