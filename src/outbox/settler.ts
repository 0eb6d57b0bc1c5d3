import { type Db, isUnavailable, type Log, type Store } from '../store/db.ts'
import type { Carrier } from './carrier.ts'
import type { Ended } from './conclude.ts'
import { type Claimed, settle } from './outbox.ts'

/** Writes down how attempts ended. */
export interface Settler<Row extends Claimed> {
  add(ended: Ended<Row>): void
  /** Tries what could not be written before; does not throw. */
  flush(): Promise<void>
  /** Attempts that ended and are not yet written down. */
  waiting(): number
}

/** One statement at a time: what ends while it runs goes with the next, so that batches grow with the load. */
export function openSettler<Row extends Claimed>(
  carrier: Carrier<Row>,
  { store, log }: { store: Store; log: Log },
  onSettled: () => void,
): Settler<Row> {
  const { table, schedule } = carrier
  const againSeconds = schedule[0] ?? 0
  const waiting: Ended<Row>[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = [...waiting]
      await write(batch)
      waiting.splice(0, batch.length)
      onSettled()
    }
  }

  /** Written again after an error, a row that was settled all the same is passed by: it has no lease any more. */
  async function write(batch: Ended<Row>[]): Promise<void> {
    try {
      await (carrier.settled ? store.transaction((tx) => settleIn(tx, batch)) : settleIn(store, batch))
    } catch (error) {
      if (mayPass(error)) throw error
      if (batch.length > 1) {
        for (const one of batch) await write([one])
        return
      }
      // A letter sent again and again would be worse than what could not be noted about it.
      log.error({ err: error, table, id: batch[0]?.row.id }, 'outbox: what goes with an outcome failed')
      await settle(store, carrier, settlements(batch), againSeconds)
    }
  }

  async function settleIn(tx: Db, batch: Ended<Row>[]): Promise<void> {
    const ids = await settle(tx, carrier, settlements(batch), againSeconds)
    const ours = batch.filter(({ row }) => ids.has(row.id))
    if (ours.length > 0) await carrier.settled?.(tx, ours)
  }

  function flush(): Promise<void> {
    running ??= run().then(
      () => {
        running = undefined
        if (waiting.length > 0) return flush() // came after the last look
      },
      (err) => {
        running = undefined
        log.warn({ err, table, rows: waiting.length }, 'outbox: could not settle; trying again')
      },
    )
    return running
  }

  return {
    add(ended) {
      waiting.push(ended)
      void flush()
    },
    flush,
    waiting: () => waiting.length,
  }
}

const settlements = (batch: Ended[]) => batch.map(({ settlement }) => settlement)

/** The database is away, or two transactions met (class 40): the same may go well a moment later. */
const mayPass = (error: unknown): boolean =>
  isUnavailable(error) || /^40/.test((error as { code?: string } | undefined)?.code ?? '')
