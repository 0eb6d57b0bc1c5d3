import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 100

/** What has to be ended when the bench is, the newest first: processes, databases, folders. */
const running = new Set<() => Promise<unknown>>()

/** Remembers how something that was started is ended; the function that is returned forgets it again. */
export function remember(end: () => Promise<unknown>): () => void {
  running.add(end)
  return () => running.delete(end)
}

/** Whether somebody wants the bench to end. */
let interrupted = false

/** Ctrl-C, a closed terminal or a polite kill ends everything that was started, and only then the bench itself. */
export function endAllWhenInterrupted(): void {
  // Each time, and not only once: npm passes on what the terminal has sent already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, async () => {
      if (interrupted) return
      interrupted = true
      process.stdout.write('\nInterrupted: ending what was started.\n')
      for (const end of [...running].reverse()) await end().catch(() => undefined)
      process.exit(130)
    })
}

/** Before anything is published: what was cut off says nothing, and is left to the end that is under way. */
export async function unlessInterrupted(): Promise<void> {
  while (interrupted) await pause(LOOK_MS)
}
