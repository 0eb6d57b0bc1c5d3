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

/** Nobody waits for it, and a batch costs little more than a row. */
const GATHER_MS = 30

/** One batch at a time, of what ended within a moment or while the last one was written. */
export function openSettler<Row extends Claimed>(
  carrier: Carrier<Row>,
  { store, log }: { store: Store; log: Log },
  onSettled: () => void,
): Settler<Row> {
  const { table, schedule } = carrier
  const againSeconds = schedule[0] ?? 0
  const waiting: Ended<Row>[] = []
  let running: Promise<void> | undefined
  let gathering: NodeJS.Timeout | undefined

  function gather(): void {
    if (!running) gathering ??= setTimeout(() => void writeBatch(), GATHER_MS)
  }

  /** What has ended by now; waits for a batch that is under way. Does not throw: what could not be written stays. */
  function writeBatch(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    running ??= writeAll([...waiting]).then(
      () => {
        running = undefined
        if (waiting.length > 0) gather()
      },
      (err) => {
        running = undefined
        log.warn({ err, table, rows: waiting.length }, 'outbox: could not settle; trying again')
      },
    )
    return running
  }

  async function writeAll(batch: Ended<Row>[]): Promise<void> {
    if (batch.length === 0) return
    await write(batch)
    waiting.splice(0, batch.length)
    onSettled()
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
    const isSettled = await settle(tx, carrier, settlements(batch), againSeconds)
    const ours = batch.filter(({ row }) => isSettled(row))
    if (ours.length > 0) await carrier.settled?.(tx, ours)
  }

  async function flush(): Promise<void> {
    await running
    await writeBatch()
  }

  return {
    add(ended) {
      waiting.push(ended)
      gather()
    },
    flush,
    waiting: () => waiting.length,
  }
}

const settlements = (batch: Ended[]) => batch.map(({ settlement }) => settlement)

/** The database is away, or two transactions met (class 40): the same may go well a moment later. */
const mayPass = (error: unknown): boolean =>
  isUnavailable(error) || /^40/.test((error as { code?: string } | undefined)?.code ?? '')
