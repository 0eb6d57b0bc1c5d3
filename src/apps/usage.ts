import type { Clock } from '../clock.ts'
import { getOrInsert } from '../memoize.ts'
import type { Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import { openCallLog } from './call-log.ts'
import { recordSecretUses } from './secrets.ts'
import { addFirsts, addReads, addUsage, COUNTS, UsageCounts } from './usage-store.ts'

export type Usage = ReturnType<typeof openUsage>

const EVERY_MS = 5_000
/** How often the use of one secret is stored. */
const SECRET_EVERY_MS = 60_000

interface UsageDeps {
  store: Store
  log: Log
  timeZone: string
  clock: Clock
}

/** Stored every few seconds, by the database's hour, so the last seconds of an hour may count to the next one. */
export function openUsage({ store, log, timeZone, clock }: UsageDeps) {
  const byApp = new Map<number, UsageCounts>()
  const calls = openCallLog({ store, log, clock })
  const usedSecrets = new Set<number>()
  /** When the use of each was last stored, by the clock. */
  const secretsStored = new Map<number, number>()
  let running: Promise<void> | undefined

  const of = (appId: number): UsageCounts => getOrInsert(byApp, appId, () => new UsageCounts())

  async function write(): Promise<void> {
    const counted = [...byApp].map(([appId, usage]) => ({
      appId,
      usage,
      counts: { ...usage.counts },
      fresh: [...usage.milestones].filter((each) => !usage.recorded.has(each)),
    }))
    const active = counted.filter(({ counts }) => COUNTS.some((name) => counts[name] > 0))
    await addUsage(store, active)
    // What was counted meanwhile stays.
    for (const { usage, counts } of active) for (const name of COUNTS) usage.counts[name] -= counts[name]
    await addFirsts(store, counted)
    for (const { usage, fresh } of counted) for (const each of fresh) usage.recorded.add(each)
    for (const { appId, usage } of counted) await writeReads(appId, usage)
    await writeSecrets()
  }

  async function writeSecrets(): Promise<void> {
    const now = clock().getTime()
    const due = [...usedSecrets].filter((id) => now - (secretsStored.get(id) ?? 0) >= SECRET_EVERY_MS)
    if (due.length === 0) return
    await recordSecretUses(store, due)
    for (const id of due) {
      usedSecrets.delete(id)
      secretsStored.set(id, now)
    }
  }

  async function writeReads(appId: number, usage: UsageCounts): Promise<void> {
    if (usage.reads.size === 0) return
    const taken = [...usage.reads]
    usage.reads.clear()
    try {
      await addReads(store, appId, taken, timeZone)
    } catch (error) {
      for (const [mail, { datos, consultas }] of taken) {
        usage.read(mail, 'datos', datos)
        usage.read(mail, 'consultas', consultas)
      }
      throw error
    }
  }

  /** Stores the counts; those that could not be stored stay for the next time. */
  function flush(): Promise<void> {
    running ??= write()
      .catch((err) => log.warn({ err }, 'usage: counts not stored; trying again in a few seconds'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(() => void flush(), EVERY_MS).unref()
  return {
    of,
    flush,
    /** A request was authenticated with this secret, or with a token of it. */
    usedSecret: (id: number): void => void usedSecrets.add(id),
    /** The log of each call, beside the counts. */
    calls,
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
      await flush()
      await calls.stop()
    },
  }
}
