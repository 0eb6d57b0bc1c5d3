import type { Worker } from '../outbox/worker.ts'
import type { EventRow, Reservation } from './events.ts'
import type { DeliveryHandler } from './handler.ts'
import type { DeliveryRow } from './settle.ts'

/**
 * Delivers new events from memory. Their deliveries are inserted with a lease of this process's worker, so that no
 * other claims them; if the process dies, the lease ends and another worker takes them over.
 */
export interface DirectDelivery {
  reserve(events: EventRow[]): Reservation
}

export const directDelivery = (worker: Worker, { table, destinations }: DeliveryHandler): DirectDelivery => ({
  reserve(events) {
    const lease = worker.newLease()
    const remaining = new Map<number, number>()
    const reserved = new Map<string, DeliveryRow>()
    const versions = events.map(({ id, appId, topic, payload, traceparent }) => {
      const destination = destinations.find(appId, topic)
      if (destination?.state !== 'on') return null
      const left = remaining.get(destination.id) ?? worker.directCapacity(table, destination.id)
      if (left <= 0) return null
      remaining.set(destination.id, left - 1)
      const { lease: own, takenMs } = lease
      const fresh = { attempts: 1, extraAttempts: 0, isResent: false, ageMs: 0 }
      reserved.set(id, { id, queue: destination.id, payload, traceparent, lease: own, takenMs, ...fresh })
      return destination.version
    })
    return {
      ...lease,
      versions,
      deliver: (eventIds) =>
        worker.put(
          table,
          eventIds.flatMap((id) => reserved.get(id) ?? []),
        ),
    }
  },
})
