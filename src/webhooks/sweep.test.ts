import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { ulid } from '../ulid.ts'
import { knownTrace, traceOf } from './headers.ts'
import { measureDeliveries, measureWebhooks } from './metrics.ts'
import { createLogMonths, maintainLog } from './sweep.ts'

const NOW = new Date('2025-06-01T12:00:00Z')
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('what is old', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
    await database.store.query(sql`insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'x', 'prueba')`)
  })
  after(() => database.drop())

  it('goes by months, 90 days after the last day of each: events, deliveries and attempts', async () => {
    const [dropped, kept] = [
      [ulid(Date.parse('2025-01-15T12:00:00Z')), ulid(Date.parse('2025-02-28T23:59:59.999Z'))],
      [ulid(Date.parse('2025-03-01T00:00:00Z')), ulid(NOW.getTime()), ulid(Date.parse('2025-09-01T00:00:00Z'))],
    ]
    const ids = [...dropped, ...kept]
    await database.store.query(sql`
      insert into events (id, app_id, topic, payload) select id, 1, 'x', '{}' from unnest(${ids}::text[]) id`)
    await database.store.query(sql`insert into deliveries (id, app_id) select id, 1 from unnest(${ids}::text[]) id`)
    await database.store.query(sql`
      insert into delivery_attempts (delivery_id, at, ms) select id, now(), 1 from unnest(${ids}::text[]) id`)
    const logged: { created: string[]; dropped: string[] }[] = []
    const log = { ...silent, info: (about: unknown) => void logged.push(about as (typeof logged)[0]) }
    await maintainLog({ store: database.store, log }, NOW)
    const left = await database.store.query<{ id: string; table: string }>(sql`
      select id, tableoid::regclass::text as table from events
      union all select id, tableoid::regclass::text from deliveries
      union all select delivery_id, tableoid::regclass::text from delivery_attempts`)
    assert.deepEqual(left.map(({ id }) => id).sort(), [...kept, ...kept, ...kept].sort())
    assert.deepEqual([...new Set(left.map(({ table }) => table.slice(-7)))].sort(), ['2025_03', '2025_06', '2025_09'])
    assert.deepEqual(
      logged.at(-1)?.dropped.filter((name) => name.startsWith('events')),
      ['events_2025_01', 'events_2025_02'],
    )
    assert.ok(logged.at(-1)?.created.includes('deliveries_2025_07'), 'the next month is there before it begins')
    await maintainLog({ store: database.store, log }, NOW)
    assert.equal(logged.length, 1)
  })

  it('a month of deliveries leaves room for updates, as its table did', async () => {
    await createLogMonths(database.store, NOW)
    const [row] = await database.store.query(sql`select reloptions from pg_class where relname = 'deliveries_2025_06'`)
    assert.deepEqual(row, { reloptions: ['fillfactor=45'] })
  })

  it('metrics: how long events take to arrive, and how webhooks do', async () => {
    await database.store.query(sql`
      insert into webhooks (app_id, topic, callback, activo, failing_since, paused_until, disabled_at)
      select 1, n::text, 'https://x.test', n <> 9, case when n < 4 then now() end, case when n < 3 then now() end,
        case when n < 2 then now() end from generate_series(1, 9) n`)
    const registry = new Registry()
    const observe = measureDeliveries(registry)
    measureWebhooks(registry, database.store)
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
