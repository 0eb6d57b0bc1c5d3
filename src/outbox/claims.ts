import type { Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import type { Handler } from './handler.ts'
import { type Claimed, claim, dueQueues, type Lease } from './outbox.ts'
import type { FairQueues } from './queues.ts'

interface ClaimsOptions<Row extends Claimed> {
  handler: Handler<Row>
  store: Store
  log: Log
  queues: FairQueues<Row>
  newLease(): Lease
  /** How many more rows the worker takes. */
  room(): number
  onClaimed(rows: Row[], lease: Lease): void
}

type Limits = [queue: number, limit: number][]

/** Claims due rows, one statement at a time, while there is room for them. */
export function openClaims<Row extends Claimed>(options: ClaimsOptions<Row>) {
  const { handler, store, log, queues, newLease, room, onClaimed } = options
  /** The queues that may have due rows. */
  const due = new Set<number>()
  /** The queues whose last claim was full: they may have more rows. */
  const backlogged = new Set<number>()
  let mustFindDue = false
  let claiming: Promise<void> | undefined
  let isStopped = false

  function proceed(): void {
    if (isStopped || claiming || !(mustFindDue || nextLimits().length > 0)) return
    claiming = claimAll()
      .catch((err) => log.warn({ err, table: handler.table }, 'outbox: due rows could not be claimed'))
      .then(() => {
        claiming = undefined
        proceed() // it may have been woken meanwhile
      })
  }

  async function claimAll(): Promise<void> {
    while (!isStopped) {
      if (mustFindDue) await findDue()
      const limits = nextLimits()
      if (limits.length === 0) return
      for (const [queue] of limits) due.delete(queue)
      await claimUpTo(await admitted(limits))
    }
  }

  async function findDue(): Promise<void> {
    mustFindDue = false
    await handler.queues?.release?.(store)
    const found = new Set(await dueQueues(store, handler))
    for (const queue of found) due.add(queue)
    for (const queue of backlogged) if (!found.has(queue)) backlogged.delete(queue)
  }

  /** When one queue is low, all are filled, because a statement costs much and a row little. */
  function nextLimits(): Limits {
    let left = room()
    if (left <= 0 || !isAnyLow()) return []
    const share = Math.max(1, Math.floor(left / due.size))
    const limits: Limits = []
    for (const queue of due) {
      const limit = Math.min(queues.capacity(queue), share, left)
      if (limit <= 0) continue
      limits.push([queue, limit])
      left -= limit
    }
    return limits
  }

  function isAnyLow(): boolean {
    for (const queue of due) if (queues.shouldClaim(queue) && queues.capacity(queue) > 0) return true
    return false
  }

  async function admitted(limits: Limits): Promise<Limits> {
    const admit = handler.queues?.admit
    if (!admit) return limits
    const most = await admit(
      store,
      limits.map(([queue]) => queue),
    )
    return limits
      .map(([queue, limit]): Limits[number] => [queue, Math.min(limit, most.get(queue) ?? 0)])
      .filter(([, limit]) => limit > 0)
  }

  async function claimUpTo(limits: Limits): Promise<void> {
    if (limits.length === 0) return
    const lease = newLease()
    const rows = await claim<Row>(store, handler, handler.columns, { ...lease, limits })
    const counts = new Map<number, number>()
    for (const { queue } of rows) counts.set(queue, (counts.get(queue) ?? 0) + 1)
    for (const [queue, limit] of limits) {
      if (counts.get(queue) === limit) {
        backlogged.add(queue)
        due.add(queue)
      } else backlogged.delete(queue)
    }
    onClaimed(rows, lease)
  }

  return {
    /** Rows may be due: in that queue, or in any. */
    wake(queue?: number): void {
      if (queue === undefined) mustFindDue = true
      else due.add(queue)
      proceed()
    },
    /** Claims more, if there is room again. */
    proceed,
    /** True if rows of the queue may be waiting in the database. */
    mayHaveMore: (queue: number): boolean => due.has(queue) || backlogged.has(queue),
    async stop(): Promise<void> {
      isStopped = true
      await claiming
    },
  }
}
