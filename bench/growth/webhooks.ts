import sql from 'sql-template-tag'
import { openField } from './ground.ts'
import { outboxOperations, TOPIC } from './outbox.ts'
import type { Grown } from './series.ts'

/** An app has one for each topic at most: more of them are more apps. */
const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']

/** An event written and its delivery taken while more and more webhooks are configured. */
export const webhooks = (sizes: number[]): Grown => ({
  name: 'webhooks',
  title: 'webhooks',
  sizes,
  async begin() {
    const { store, appId, getting, each, yardstick, tidy, end } = await openField()
    let there = 0
    return {
      /** The app that is measured has one from the beginning; the others are other apps'. */
      async growTo(size) {
        if (there === 0)
          await store.query(sql`
          insert into webhooks (app_id, topic, callback) values (${appId}, ${TOPIC}, 'https://avisos.example/rodado')`)
        const [from, until] = [Math.max(there, 1), size].map((count) => Math.ceil((count - 1) / TOPICS.length))
        await store.query(sql`
          with made as (
            insert into apps (app_key, nombre, modo)
            select md5(turn::text), 'App ' || turn, 'produccion'
            from generate_series(${(from ?? 0) + 1}::int, ${until ?? 0}::int) turn
            returning id
          )
          insert into webhooks (app_id, topic, callback)
          select made.id, topic, 'https://avisos.example/rodado' from made cross join unnest(${TOPICS}::text[]) topic`)
        there = size
        await tidy()
      },
      operations: async () => [
        { title: 'GET /v3/appnotificaciones', run: await getting(['/v3/appnotificaciones']) },
        ...outboxOperations(store, each, appId),
      ],
      yardstick,
      end,
    }
  },
})
