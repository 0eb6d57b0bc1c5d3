import type pg from 'pg'

/** Tells other processes, over the channel `outbox`, that a queue has new rows. */
export interface Notifier {
  /** For a queue, or one destination in it: `mails`, `deliveries:12`. */
  notify(queues: Iterable<string>): void
}

/**
 * Sends NOTIFY after the commit, in a statement of its own: within the transaction it would hold a lock of the whole
 * database until the commit is on disk. One statement runs at a time, and what comes meanwhile goes with the next. An
 * error is ignored, because workers look for due rows every second anyway.
 */
export function createNotifier(pool: pg.Pool): Notifier {
  const pending = new Set<string>()
  let sending = false

  async function send(): Promise<void> {
    sending = true
    try {
      while (pending.size > 0) {
        const queues = [...pending]
        pending.clear()
        await pool.query(`select pg_notify('outbox', queue) from unnest($1::text[]) queue`, [queues])
      }
    } catch {
      pending.clear()
    } finally {
      sending = false // set in the same tick as the last check of `pending`, so that nothing is left behind
    }
  }

  return {
    notify(queues) {
      for (const queue of queues) pending.add(queue)
      if (!sending && pending.size > 0) void send()
    },
  }
}
