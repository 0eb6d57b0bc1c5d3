import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 10
const PATIENCE_MS = 30_000

/** Waits for a condition and fails when it does not come: a test never sleeps for a time that was guessed. */
export async function until(condition: () => unknown, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not so after ${patienceMs} ms: ${condition}`)
    await pause(POLL_MS)
  }
}
