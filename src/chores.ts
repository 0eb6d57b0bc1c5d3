import type { Log } from './store/db.ts'

/** Something a worker does from time to time, whatever others do at the same time. */
export interface Chore {
  name: string
  everyMs: number
  run(): Promise<unknown>
}

/** Does each of them at its times, never twice at once; ending waits for what is under way. */
export function startChores(chores: Chore[], log: Log): () => Promise<void> {
  const running = new Map<Chore, Promise<unknown>>()

  function begin(chore: Chore): void {
    if (running.has(chore)) return
    const work = chore
      .run()
      .catch((err) => log.warn({ err, chore: chore.name }, 'chore: not done; again at its next time'))
      .finally(() => running.delete(chore))
    running.set(chore, work)
  }

  const timers = chores.map((chore) => setInterval(() => begin(chore), chore.everyMs))
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running.values())
  }
}
