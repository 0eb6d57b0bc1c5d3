import sql from 'sql-template-tag'
import { printCursor } from '../../src/http/cursor.ts'
import { loadDeliveries } from '../console/load.ts'
import { openClient } from '../database.ts'
import { withoutIndexes } from '../without-indexes.ts'
import { openField } from './ground.ts'
import { outboxOperations } from './outbox.ts'
import type { Grown } from './series.ts'

/** The feed read at its beginning and near its end, an event written, a delivery taken, while the log grows. */
export const events = (sizes: number[]): Grown => ({
  name: 'events',
  title: 'events in the log',
  sizes,
  async begin() {
    const { installation, store, appId, getting, each, yardstick, tidy, end } = await openField()
    const [agencia] = await store.query<{ id: number }>(sql`
      insert into agencias (modo, admin_mail, nombre) values ('produccion', 'una@agencias.example', 'Una') returning id`)
    const dealers = [{ id: agencia?.id ?? 0, mail: 'una@agencias.example' }]
    return {
      /** A log of that size in place of the former: what was written meanwhile is gone with it. */
      async growTo(size) {
        await store.query(sql`truncate events, deliveries, delivery_attempts, webhooks, app_usage`)
        const client = await openClient(installation.connection)
        try {
          await withoutIndexes(client, ['events', 'deliveries', 'delivery_attempts'], () =>
            loadDeliveries(store, appId, dealers, size),
          )
        } finally {
          await client.end()
        }
        await tidy()
      },
      async operations(size) {
        const [late] = await store.query<{ xid: string; position: string }>(sql`
          select xid::text, position::text from events where app_id = ${appId}
          order by xid, position offset ${size - 200} limit 1`)
        const cursor = late ? printCursor(late) : ''
        return [
          { title: 'GET /v3/eventos, the first page', run: await getting(['/v3/eventos']) },
          { title: 'GET /v3/eventos, a late page', run: await getting([`/v3/eventos?cursor=${cursor}`]) },
          ...outboxOperations(store, each, appId),
        ]
      },
      yardstick,
      end,
    }
  },
})
