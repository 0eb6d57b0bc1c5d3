/** Why nobody waits any longer. */
export type Cut = 'timeout' | 'stopped'

/** How long an attempt is waited for. It does what an AbortSignal does, which cost a delivery a tenth of its time. */
export class Patience {
  /** Why it ended, once it has. */
  over: Cut | undefined
  readonly #hearing: (() => void)[] = []

  /** Calls when it ends, so that what hangs can be let go. */
  onEnd(hear: () => void): void {
    this.#hearing.push(hear)
  }

  end(why: Cut): void {
    if (this.over) return
    this.over = why
    for (const hear of this.#hearing) hear()
  }
}
