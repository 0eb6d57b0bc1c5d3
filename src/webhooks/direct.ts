import type { Worker } from '../outbox/worker.ts'
import { deliveryIdOf } from './delivery-ids.ts'
import type { EventRow, Reservation } from './events.ts'
import type { DeliveryHandler } from './handler.ts'
import type { DeliveryRow } from './settle.ts'

const FRESH = { attempts: 1, extraAttempts: 0, wasPutOff: false, ageMs: 0, overdueMs: 0 }

export type DirectDelivery = ReturnType<typeof directDelivery>

/**
 * Delivers new events from memory. Their deliveries are inserted with a lease of this process's worker, so that no
 * other claims them; if the process dies, the lease ends and another worker takes them over.
 */
export const directDelivery = (worker: Worker, { table, destinations }: DeliveryHandler) => ({
  reserve(events: EventRow[]): Reservation {
    const lease = worker.newLease()
    const remaining = new Map<number, number>()
    const reserved = new Map<string, DeliveryRow>()
    const versions = events.map(({ id: eventId, appId, topic, payload, traceparent }) => {
      let known = ''
      for (const { id: queue, destino, state, enOrden, version } of destinations.find(appId, topic)) {
        if (state !== 'on' || enOrden) continue
        const left = remaining.get(queue) ?? worker.directCapacity(table, queue)
        if (left <= 0) continue
        remaining.set(queue, left - 1)
        const id = deliveryIdOf(eventId, destino)
        const { lease: own, takenMs } = lease
        reserved.set(id, { id, queue, payload, traceparent, lease: own, takenMs, ...FRESH })
        known += `|${queue} ${version}|`
      }
      return known || null
    })
    return {
      ...lease,
      versions,
      deliver: (deliveryIds) =>
        worker.put(
          table,
          deliveryIds.flatMap((id) => reserved.get(id) ?? []),
        ),
    }
  },
})
