import type { Log, Store } from '../store/db.ts'
import { COUNTS, UsageCounts } from './usage-counts.ts'
import { addFirsts, addReads, addUsage } from './usage-store.ts'

/** What the apps ask for and are sent, counted in memory and written down every few seconds. */
export interface Usage {
  /** Where what an app does now is counted. */
  of(appId: number): UsageCounts
  /** Writes down what was counted; what could not be written stays for the next time. */
  flush(): Promise<void>
  /** The last of it is written down. */
  stop(): Promise<void>
}

const EVERY_MS = 5_000

/**
 * Counting costs a request a look at a map and a few additions. The hour is that of the database when it is written down,
 * so what happened in its last seconds may be counted to the next.
 */
export function openUsage({ store, log, timeZone }: { store: Store; log: Log; timeZone: string }): Usage {
  const tallies = new Map<number, UsageCounts>()
  let running: Promise<void> | undefined

  function of(appId: number): UsageCounts {
    const known = tallies.get(appId)
    if (known) return known
    const tally = new UsageCounts()
    tallies.set(appId, tally)
    return tally
  }

  async function write(): Promise<void> {
    const counted = [...tallies].map(([appId, tally]) => ({
      appId,
      tally,
      counts: tally.counts(),
      news: tally.did & ~tally.told,
    }))
    await addUsage(
      store,
      counted.filter(({ counts }) => COUNTS.some((name) => counts[name] > 0)),
    )
    for (const { tally, counts } of counted) tally.settle(counts)
    await addFirsts(
      store,
      counted.filter(({ news }) => news > 0),
    )
    for (const { tally, news } of counted) tally.told |= news
    for (const { appId, tally } of counted) await writeReads(appId, tally)
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
      .catch((err) => log.warn({ err }, 'usage: not written down; again at its next time'))
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
