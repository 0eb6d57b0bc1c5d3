/**
 * Says what has taken longer than anything may. All have the same time, so the one that began first is the next to be
 * late, and one timer does for all: one for each cost a delivery 2 µs.
 */
export class Deadlines<T> {
  /** When each began, in that order. */
  readonly #began = new Map<T, number>()
  readonly #ms: number
  readonly #onLate: (late: T) => void
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, onLate: (late: T) => void) {
    this.#ms = ms
    this.#onLate = onLate
  }

  get size(): number {
    return this.#began.size
  }

  /** What has begun and not ended. */
  underWay(): T[] {
    return [...this.#began.keys()]
  }

  begin(one: T): void {
    this.#began.set(one, performance.now())
    this.#timer ??= setTimeout(this.#look, this.#ms)
  }

  end(one: T): void {
    this.#began.delete(one)
    if (this.#began.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  readonly #look = (): void => {
    this.#timer = undefined
    const now = performance.now()
    for (const [one, began] of this.#began) {
      const left = began + this.#ms - now
      if (left > 0) {
        this.#timer ??= setTimeout(this.#look, Math.ceil(left))
        return
      }
      this.#began.delete(one)
      this.#onLate(one)
    }
  }
}
