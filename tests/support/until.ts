import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 10
const PATIENCE_MS = 30_000

type Some<T> = Exclude<T, undefined | null | false>

/** Waits for a condition or a value and fails if it does not come. Tests never sleep for a guessed time. */
export async function until<T>(condition: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<Some<T>> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const given = await condition()
    if (given) return given as Some<T>
    if (performance.now() > deadline) throw new Error(`not true after ${patienceMs} ms: ${condition}`)
    await pause(POLL_MS)
  }
}
