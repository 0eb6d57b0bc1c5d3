import sql from 'sql-template-tag'
import { openField } from './ground.ts'
import { outboxOperations } from './outbox.ts'
import type { Grown } from './series.ts'

/** An app has one for each topic at most: more of them are more apps. */
const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']

/** An event written and its delivery taken while more and more webhooks are configured. */
export const webhooks = (sizes: number[]): Grown => ({
  name: 'webhooks',
  title: 'webhooks',
  sizes,
  async begin() {
    const { store, appId, getting, each, tidy, end } = await openField()
    let there = 0
    return {
      async growTo(size) {
        await store.query(sql`
          with made as (
            insert into apps (app_key, nombre, modo)
            select md5(turn::text), 'App ' || turn, 'produccion'
            from generate_series(${Math.ceil(there / TOPICS.length) + 1}::int, ${Math.ceil(size / TOPICS.length)}::int) turn
            returning id
          ), every as (
            select id from made union all select ${appId}::int where ${there} = 0
          )
          insert into webhooks (app_id, topic, callback)
          select every.id, topic, 'https://avisos.example/rodado'
          from every cross join unnest(${TOPICS}::text[]) topic order by every.id limit ${size - there}`)
        there = size
        await tidy()
      },
      operations: async () => [
        { title: 'GET /v3/appnotificaciones', run: await getting(['/v3/appnotificaciones']) },
        ...outboxOperations(store, each, appId),
      ],
      end,
    }
  },
})
