import type { Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import { addFirsts, addReads, addUsage, COUNTS, UsageCounts } from './usage-store.ts'

/** Counts requests and deliveries of each app in memory and stores the counts every few seconds. */
export interface Usage {
  /** The counts of an app since the last flush. */
  of(appId: number): UsageCounts
  /** Stores the counts; those that could not be stored stay for the next time. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const EVERY_MS = 5_000

/** The hour is the database's when the counts are stored, so the last seconds of an hour may count to the next one. */
export function openUsage({ store, log, timeZone }: { store: Store; log: Log; timeZone: string }): Usage {
  const byApp = new Map<number, UsageCounts>()
  let running: Promise<void> | undefined

  function of(appId: number): UsageCounts {
    const known = byApp.get(appId)
    if (known) return known
    const usage = new UsageCounts()
    byApp.set(appId, usage)
    return usage
  }

  async function write(): Promise<void> {
    const counted = [...byApp].map(([appId, usage]) => ({
      appId,
      usage,
      counts: usage.counts(),
      fresh: usage.milestones & ~usage.recorded,
    }))
    await addUsage(
      store,
      counted.filter(({ counts }) => COUNTS.some((name) => counts[name] > 0)),
    )
    for (const { usage, counts } of counted) usage.settle(counts)
    await addFirsts(
      store,
      counted.filter(({ fresh }) => fresh > 0),
    )
    for (const { usage, fresh } of counted) usage.recorded |= fresh
    for (const { appId, usage } of counted) await writeReads(appId, usage)
  }

  async function writeReads(appId: number, { reads }: UsageCounts): Promise<void> {
    if (reads.size === 0) return
    const taken = [...reads]
    reads.clear()
    try {
      await addReads(store, appId, taken, timeZone)
    } catch (error) {
      for (const [mail, { datos, consultas }] of taken) {
        const since = reads.get(mail)
        reads.set(mail, { datos: datos + (since?.datos ?? 0), consultas: consultas + (since?.consultas ?? 0) })
      }
      throw error
    }
  }

  function flush(): Promise<void> {
    running ??= write()
      .catch((err) => log.warn({ err }, 'usage: counts not stored; trying again in a few seconds'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()
  return {
    of,
    flush,
    async stop() {
      clearInterval(timer)
      await running
      await flush()
    },
  }
}
