/** One that has begun, in its place between those that began before and after it. */
export interface Begun<T> {
  readonly one: T
  readonly atMs: number
  isOver: boolean
  before: Begun<T> | undefined
  after: Begun<T> | undefined
}

/**
 * Says what has taken longer than anything may. All have the same time, so the one that began first is the next to be
 * late, and one timer does for all: one for each cost a delivery 2 µs.
 *
 * They stand in a row and let go of each other. A Map that is filled and emptied all the time is made anew every so
 * often, and each keeps hold of the next: once an old one was out of the nursery, it brought out whatever came after,
 * and a sixth of a delivery's time went to moving what had long ended.
 */
export class Deadlines<T> {
  readonly #ms: number
  readonly #onLate: (late: T) => void
  #first: Begun<T> | undefined
  #last: Begun<T> | undefined
  #timer: NodeJS.Timeout | undefined
  #size = 0

  constructor(ms: number, onLate: (late: T) => void) {
    this.#ms = ms
    this.#onLate = onLate
  }

  get size(): number {
    return this.#size
  }

  /** What has begun and not ended. */
  underWay(): T[] {
    const all: T[] = []
    for (let begun = this.#first; begun; begun = begun.after) all.push(begun.one)
    return all
  }

  begin(one: T): Begun<T> {
    const begun: Begun<T> = { one, atMs: performance.now(), isOver: false, before: this.#last, after: undefined }
    if (this.#last) this.#last.after = begun
    else this.#first = begun
    this.#last = begun
    this.#size++
    this.#timer ??= setTimeout(this.#look, this.#ms)
    return begun
  }

  /** What was late has ended already. */
  end(begun: Begun<T>): void {
    if (begun.isOver) return
    this.#takeOut(begun)
    if (this.#size > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #takeOut(begun: Begun<T>): void {
    const { before, after } = begun
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    begun.before = begun.after = undefined
    begun.isOver = true
    this.#size--
  }

  readonly #look = (): void => {
    this.#timer = undefined
    const now = performance.now()
    for (let begun = this.#first; begun; begun = this.#first) {
      const left = begun.atMs + this.#ms - now
      if (left > 0) {
        clearTimeout(this.#timer) // of one that began while another was told of
        this.#timer = setTimeout(this.#look, Math.ceil(left))
        return
      }
      this.#takeOut(begun)
      this.#onLate(begun.one)
    }
  }
}
