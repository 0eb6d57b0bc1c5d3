import sql from 'sql-template-tag'
import { claim, dueLanes, type Queue } from '../../src/outbox/outbox.ts'
import type { Store } from '../../src/store/db.ts'
import { writeEvents } from '../../src/webhooks/events.ts'
import { eventOf } from '../deliveries/stage.ts'

const QUEUE: Queue = { table: 'deliveries', id: 'text', lane: 'webhook_id', repeatable: true }
const LEASE = { lease: 'bench', leaseSeconds: 45, takenMs: 0 }
/** What the events that are written tell of: a topic that has a webhook. */
export const TOPIC = 'consulta.recibida'
/** What a worker takes at a time of a quick lane. */
const TAKEN = 16

/** What a worker and whoever tells it something do with the outbox, one operation each. */
export const outboxOperations = (
  store: Store,
  each: (work: () => Promise<unknown>) => Promise<number>,
  app: number,
) => {
  const write = () => store.transaction((tx) => writeEvents(tx, [{ ...eventOf(app), topic: TOPIC }]))
  return [
    { title: 'an event written, with its delivery', run: () => each(write) },
    { title: 'lanes looked for in which something is due', run: () => each(() => dueLanes(store, QUEUE)) },
    {
      title: 'a delivery claimed',
      async run() {
        for (let turn = 0; turn < TAKEN; turn++) await write()
        const lanes = await dueLanes(store, QUEUE)
        const began = performance.now()
        const rows = await claim(store, QUEUE, sql`row.traceparent`, {
          ...LEASE,
          limits: lanes.map((lane) => [lane, TAKEN]),
        })
        const ms = (performance.now() - began) / Math.max(1, rows.length)
        await store.query(sql`
          update deliveries set estado = 'entregada', settled_at = now(), lease = null, leased_until = null
          where id = any (${rows.map(({ id }) => id)})`)
        return ms
      },
    },
  ]
}
