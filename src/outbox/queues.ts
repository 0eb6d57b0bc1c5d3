import { getOrInsert } from '../memoize.ts'
import type { Handler } from './handler.ts'
import type { Claimed } from './outbox.ts'

interface Queue<Row> {
  id: number
  waiting: Row[]
  tenant: Tenant<Row> | undefined
  inFlight: number
  /** The moving average of an attempt's duration. */
  averageMs: number | undefined
  /** True while it is in `ready`, or blocked until its tenant has a free slot. */
  isEnlisted: boolean
}

/** The owner of several queues, and its queues that wait for a free slot. */
interface Tenant<Row> {
  inFlight: number
  blocked: Queue<Row>[]
}

const PREFETCH_MS = 500 // claim what a queue may deliver until the next claim is there
const AVERAGE_WEIGHT = 0.2
const KNOWN_QUEUES = 1_000 // then those that are idle are forgotten, with the average of their attempts

export type FairQueues<Row extends Claimed> = ReturnType<typeof openQueues<Row>>

/**
 * The claimed rows of a worker, by queue. Queues take turns, and none gets more than its share of the slots. A quick queue has
 * rows waiting here, so that none of its slots waits for the database.
 */
export function openQueues<Row extends Claimed>({ inFlight, queues: limits }: Handler<Row>) {
  const slots = Math.min(limits?.inFlight ?? inFlight, inFlight)
  const tenantSlots = limits?.tenant?.inFlight ?? inFlight
  const queues = new Map<number, Queue<Row>>()
  const tenants = new Map<number, Tenant<Row>>()
  /** Queues with a waiting row and a free slot, in the order of their turns. */
  let ready: Queue<Row>[] = []
  let running = 0
  let waiting = 0

  function queueOf(id: number): Queue<Row> {
    let queue = queues.get(id)
    if (!queue) {
      if (queues.size >= KNOWN_QUEUES) forgetIdle()
      queue = { id, waiting: [], tenant: tenantOf(id), inFlight: 0, averageMs: undefined, isEnlisted: false }
      queues.set(id, queue)
    }
    return queue
  }

  function forgetIdle(): void {
    for (const [id, queue] of queues) if (queue.inFlight + queue.waiting.length === 0) queues.delete(id)
    const busy = new Set([...queues.values()].map(({ tenant }) => tenant))
    for (const [id, tenant] of tenants) if (!busy.has(tenant)) tenants.delete(id)
  }

  function tenantOf(queue: number): Tenant<Row> | undefined {
    const id = limits?.tenant?.of(queue)
    if (id === undefined) return undefined
    return getOrInsert(tenants, id, () => ({ inFlight: 0, blocked: [] }))
  }

  /** The next queue whose turn it is. Queues of a tenant without a free slot are blocked until one is free. */
  function nextQueue(): Queue<Row> | undefined {
    for (let queue = ready.shift(); queue; queue = ready.shift()) {
      if (!queue.tenant || queue.tenant.inFlight < tenantSlots) {
        queue.isEnlisted = false
        return queue
      }
      queue.tenant.blocked.push(queue)
    }
    return undefined
  }

  /** Lists a queue that has a row and a slot for it. */
  function enlist(queue: Queue<Row>): void {
    if (queue.isEnlisted) return
    if (queue.waiting.length === 0 || queue.inFlight >= slots) return
    queue.isEnlisted = true
    ready.push(queue)
  }

  const targetDepth = ({ averageMs }: Queue<Row>): number =>
    limits && averageMs !== undefined
      ? Math.max(slots, Math.min(limits.prefetch.queue, (slots * PREFETCH_MS) / averageMs))
      : slots

  return {
    put(rows: Row[]): void {
      for (const row of rows) {
        const queue = queueOf(row.queue)
        queue.waiting.push(row)
        enlist(queue)
      }
      waiting += rows.length
    },
    /** The next row to deliver, if a slot is free for it. */
    next(): Row | undefined {
      if (running >= inFlight) return undefined
      const queue = nextQueue()
      const row = queue?.waiting.shift()
      if (!queue || !row) return undefined
      waiting--
      running++
      queue.inFlight++
      if (queue.tenant) queue.tenant.inFlight++
      enlist(queue)
      return row
    },
    /** Frees the slot of a row that `next` returned; `ms` is the duration of its attempt, if there was one. */
    ended({ queue: id }: Row, ms?: number): void {
      const queue = queueOf(id)
      running--
      queue.inFlight--
      if (queue.tenant) {
        queue.tenant.inFlight--
        ready.push(...queue.tenant.blocked.splice(0)) // behind the others, so that no tenant keeps the slots it once had
      }
      if (ms !== undefined) queue.averageMs = (queue.averageMs ?? ms) + AVERAGE_WEIGHT * (ms - (queue.averageMs ?? ms))
      enlist(queue)
    },
    /** How many more rows of a queue may be claimed. */
    capacity(id: number): number {
      const queue = queues.get(id)
      return queue ? Math.max(0, Math.floor(targetDepth(queue)) - queue.waiting.length - queue.inFlight) : slots
    },
    /** True if it is time to claim more: in batches, as long as rows are waiting here. */
    shouldClaim(id: number): boolean {
      const queue = queues.get(id)
      return !queue || queue.waiting.length === 0 || queue.waiting.length + queue.inFlight <= targetDepth(queue) / 2
    },
    /** How many rows may be put here without a claim: few enough that claims from a fast queue go on. */
    directCapacity(id: number): number {
      const queue = queues.get(id)
      return queue ? Math.max(slots, Math.floor(targetDepth(queue) / 2)) - queue.waiting.length - queue.inFlight : slots
    },
    size: () => running + waiting,
    inFlight: () => running,
    /** Removes and returns the rows that wait here. */
    empty(): Row[] {
      const rows = [...queues.values()].flatMap((queue) => queue.waiting.splice(0))
      for (const queue of queues.values()) queue.isEnlisted = false
      for (const tenant of tenants.values()) tenant.blocked = []
      ready = []
      waiting = 0
      return rows
    },
  }
}
