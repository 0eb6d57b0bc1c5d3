import { setTimeout as pause } from 'node:timers/promises'

const FIRST_POLL_MS = 10
const MAX_POLL_MS = 50
/** A condition that takes long is checked less often: some search folders or the database. */
const POLLS_PER_WAIT = 10
const PATIENCE_MS = 30_000

type Some<T> = Exclude<T, undefined | null | false>

/** Waits for a condition or a value and fails if it does not come. Tests never sleep for a guessed time. */
export async function until<T>(condition: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<Some<T>> {
  const startedMs = performance.now()
  for (;;) {
    const given = await condition()
    if (given) return given as Some<T>
    const waitedMs = performance.now() - startedMs
    if (waitedMs > patienceMs) throw new Error(`not true after ${patienceMs} ms: ${condition}`)
    await pause(Math.min(FIRST_POLL_MS + waitedMs / POLLS_PER_WAIT, MAX_POLL_MS))
  }
}
