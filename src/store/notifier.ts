import type { Questions } from './questions.ts'

/** Tells other processes, over the channel `outbox`, that something was put there. */
export interface Notifier {
  /** For that queue, or for one lane of it: `mails`, `deliveries:12`. */
  ring(queues: Iterable<string>): void
}

/**
 * A bell that is rung after a commit, on its own: within the transaction, NOTIFY would hold a lock of the whole database
 * until the commit is on disk. One statement at a time; what is rung meanwhile goes with the next. Whoever is not heard
 * is found by the workers' own look a second later, so an error here is nobody's business.
 */
export function createNotifier(questions: Questions): Notifier {
  const rung = new Set<string>()
  let ringing = false

  async function ringAll(): Promise<void> {
    ringing = true
    try {
      while (rung.size > 0) {
        const queues = [...rung]
        rung.clear()
        await questions.any({
          text: `select pg_notify('outbox', queue) from unnest($1::text[]) queue`,
          values: [queues],
        })
      }
    } catch {
      rung.clear()
    } finally {
      ringing = false // in the same breath as the last look at what is rung: nothing is left behind
    }
  }

  return {
    ring(queues) {
      for (const queue of queues) rung.add(queue)
      if (!ringing && rung.size > 0) void ringAll()
    },
  }
}
