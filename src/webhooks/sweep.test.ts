import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { ulid } from '../ulid.ts'
import { knownTrace, traceOf } from './headers.ts'
import { measureDeliveries } from './metrics.ts'
import { sweepEvents } from './sweep.ts'

const NOW = new Date('2025-06-01T12:00:00Z')
const daysAgo = (days: number) => ulid(NOW.getTime() - days * 86_400_000)

describe('what is old', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
    await database.store.query(sql`insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'x', 'prueba')`)
  })
  after(() => database.drop())

  it('goes after 90 days: events, deliveries and attempts, however many; what is younger stays', async () => {
    const old = Array.from({ length: 5_001 }, () => daysAgo(90.01))
    const young = [daysAgo(89.9), daysAgo(0)]
    const ids = [...old, ...young]
    await database.store.query(sql`
      insert into events (id, app_id, topic, payload) select id, 1, 'x', '{}' from unnest(${ids}::text[]) id`)
    await database.store.query(sql`insert into deliveries (id, app_id) select id, 1 from unnest(${ids}::text[]) id`)
    await database.store.query(sql`
      insert into delivery_attempts (delivery_id, at, ms) select id, now(), 1 from unnest(${ids}::text[]) id`)
    await sweepEvents(database.store, NOW)
    const left = await database.store.query<{ id: string }>(sql`
      select id from events union all select id from deliveries union all select delivery_id from delivery_attempts`)
    assert.deepEqual(left.map(({ id }) => id).sort(), [...young, ...young, ...young].sort())
  })

  it('metrics: how long events take to arrive, and how webhooks do', async () => {
    await database.store.query(sql`
      insert into webhooks (app_id, topic, callback, activo, failing_since, paused_until, disabled_at)
      select 1, n::text, 'https://x.test', n <> 9, case when n < 4 then now() end, case when n < 3 then now() end,
        case when n < 2 then now() end from generate_series(1, 9) n`)
    const registry = new Registry()
    const observe = measureDeliveries(registry, database.store)
    observe(0.02)
    const text = await registry.metrics()
    assert.match(text, /rodado_delivery_latency_seconds_bucket\{le="0.03"\} 1/)
    for (const [estado, count] of Object.entries({ bien: 5, fallando: 1, pausado: 1, deshabilitado: 1 }))
      assert.ok(text.includes(`rodado_webhooks{estado="${estado}"} ${count}`), estado)
  })
})

describe('traceparent', () => {
  const span = '0123456789abcdef'

  it('goes on with a span of its own, and begins with the event where there was none or no true one', () => {
    const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
    assert.equal(traceOf(parent, 'x', span), '00-4bf92f3577b34da6a3ce929d0e0e4736-0123456789abcdef-00')
    const own = '00-0195f3e0000000000000000000000000-0123456789abcdef-01'
    const id = ulid(0x0195f3e00000, Buffer.alloc(10))
    for (const none of [
      null,
      '',
      'x',
      `ff${parent.slice(2)}`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `${parent}\r\nX: y`,
    ])
      assert.equal(traceOf(none, id, span), own)
  })

  it('is kept with the event as it came, where it is one', () => {
    const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
    assert.equal(knownTrace(parent), parent)
    for (const none of [undefined, '', 'x', `ff${parent.slice(2)}`, parent.replace('00f067aa0ba902b7', '0'.repeat(16))])
      assert.equal(knownTrace(none), null)
  })
})
