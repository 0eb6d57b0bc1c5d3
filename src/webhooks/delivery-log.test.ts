import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { eventOf, hook, LOOPBACK, storeEvents } from '../../tests/support/deliveries.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import type { Cursor } from '../store/keyset.ts'
import { ulid } from '../ulid.ts'
import { type EstadoEntrega, type LogFilter, listAppLog, listStaffLog } from './delivery-log.ts'
import { insertEvents } from './events.ts'

describe('the log of an app across topics', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer({ env: LOOPBACK })
  })
  after(() => server.stop())

  /** An app with webhooks for two topics. */
  async function twoTopics(): Promise<TestApp> {
    app = await server.newApp()
    await hook(server, app, 'consulta.recibida', 'http://127.0.0.1:9/a')
    await hook(server, app, 'agencia.modificada', 'http://127.0.0.1:9/b')
    return app
  }
  const list = (filter: LogFilter = {}, page: Partial<Cursor> = {}, of: 'events' | 'deliveries' = 'deliveries') =>
    listAppLog(server.store, app.app, filter, { limit: 50, ...page }, of)
  const ids = async (...params: Parameters<typeof list>) => (await list(...params)).rows.map(({ id }) => id)
  const settle = (ids: string[], estado: EstadoEntrega) =>
    server.store.query(sql`update deliveries set estado = ${estado} where id = any (${ids}::text[])`)
  const newestFirst = (ids: string[]) => ids.toSorted().reverse()

  it('topics are merged, newest first; an event without a webhook has no delivery', async () => {
    await twoTopics()
    const told = [
      ...(await storeEvents(server, app, 'consulta.recibida', 3)),
      ...(await storeEvents(server, app, 'agencia.modificada', 3)),
    ]
    const unheard = await storeEvents(server, app, 'publicacion.archivada')
    assert.deepEqual(await ids(), newestFirst(told))
    assert.deepEqual(await ids({}, {}, 'events'), newestFirst([...told, ...unheard]))
    assert.deepEqual((await list({ topic: 'publicacion.archivada' }, {}, 'events')).rows[0]?.estado, null)
    assert.equal((await list({ topic: 'agencia.modificada' })).rows.length, 3)
  })

  it('events of another app are never found', async () => {
    await twoTopics()
    const others = await storeEvents(server, app, 'consulta.recibida', 2)
    await settle(others.slice(1), 'fallida')
    await twoTopics()
    const [own] = await storeEvents(server, app, 'consulta.recibida')
    assert.deepEqual(await ids(), [own])
    for (const about of others) assert.deepEqual(await ids({ about }), [])
    for (const estado of ['fallida', 'pendiente'] as const)
      assert.ok(!(await ids({ estados: [estado] })).some((id) => others.includes(id)))
  })

  it('a delivery is found behind more events without one than a page scans at first', async () => {
    await twoTopics()
    const sent = await storeEvents(server, app, 'consulta.recibida', 2)
    await storeEvents(server, app, 'publicacion.archivada', 20)
    const { rows, more } = await list({}, { limit: 1 })
    assert.deepEqual([rows.map(({ id }) => id), more], [sent.toSorted().slice(1), true])
  })

  it('pages lead on and back, with each delivery once', async () => {
    await twoTopics()
    const all = newestFirst(await storeEvents(server, app, 'consulta.recibida', 7))
    const first = await list({}, { limit: 3 })
    assert.deepEqual([first.rows.map(({ id }) => id), first.more], [all.slice(0, 3), true])
    const second = await list({}, { limit: 3, before: all[2] })
    assert.deepEqual([second.rows.map(({ id }) => id), second.more], [all.slice(3, 6), true])
    const last = await list({}, { limit: 3, before: all[5] })
    assert.deepEqual([last.rows.map(({ id }) => id), last.more], [all.slice(6), false])
    const back = await list({}, { limit: 3, after: all[5] })
    assert.deepEqual([back.rows.map(({ id }) => id), back.more], [all.slice(2, 5), true])
  })

  it('deliveries to all webhooks of a topic are listed, each once on pages in either direction; one can be chosen', async () => {
    await twoTopics()
    const body = JSON.stringify({ Callback: 'http://127.0.0.1:9/c' })
    await app.call('POST', '/v3/appnotificaciones/consulta.recibida/destinos', { body })
    const events = await storeEvents(server, app, 'consulta.recibida', 3)
    const all = newestFirst(events.flatMap((id) => [id, `${id}-2`]))
    const deliveries = async (...params: Parameters<typeof list>) =>
      (await list(...params)).rows.map(({ deliveryId }) => deliveryId)
    for (const filter of [{}, { estados: ['pendiente'] }, { topic: 'consulta.recibida' }] satisfies LogFilter[]) {
      assert.deepEqual(await deliveries(filter), all)
      assert.deepEqual(await deliveries(filter, { limit: 3 }), all.slice(0, 3))
      assert.deepEqual(await deliveries(filter, { limit: 3, before: all[2] }), all.slice(3))
      assert.deepEqual(await deliveries(filter, { limit: 3, after: all[3] }), all.slice(0, 3))
      assert.deepEqual(await deliveries(filter, { limit: 4, after: all[5] }), all.slice(1, 5))
    }
    assert.deepEqual(await deliveries({ destino: 2 }, { limit: 2, before: all[0] }), [all[2], all[4]])
    assert.deepEqual(await deliveries({ destino: 1, estados: ['pendiente'] }), newestFirst(events))
    assert.deepEqual(await deliveries({}, {}, 'events'), newestFirst(events))
    await settle([`${events[1]}-2`], 'fallida')
    assert.deepEqual(await deliveries({ estados: ['fallida'] }), [`${events[1]}-2`])
    const { rows } = await listStaffLog(server.store, {}, { limit: 6 })
    assert.deepEqual(
      rows.map(({ deliveryId }) => deliveryId),
      all,
    )
  })

  it('each state is found, alone and with others, and by its topic', async () => {
    await twoTopics()
    const [failed, dropped, arrived, waiting] = (await storeEvents(server, app, 'consulta.recibida', 4)) as [
      string,
      string,
      string,
      string,
    ]
    const [other] = (await storeEvents(server, app, 'agencia.modificada')) as [string]
    await settle([failed, other], 'fallida')
    await settle([dropped], 'descartada')
    await settle([arrived], 'entregada')
    assert.deepEqual(await ids({ estados: ['fallida'] }), newestFirst([failed, other]))
    assert.deepEqual(await ids({ estados: ['fallida', 'descartada'] }), newestFirst([failed, dropped, other]))
    assert.deepEqual(await ids({ estados: ['fallida'], topic: 'consulta.recibida' }), [failed])
    assert.deepEqual(await ids({ estados: ['pendiente'] }), [waiting])
    assert.deepEqual(await ids({ estados: ['entregada'] }), [arrived])
    assert.deepEqual(await ids({ estados: ['entregada', 'pendiente'] }), newestFirst([arrived, waiting]))
  })

  it('an inquiry is found by its sid, an event by its id, a period by when it happened', async () => {
    await twoTopics()
    const now = Date.now()
    const at = (ms: number, sid: string) => eventOf(app.app.id, 'consulta.recibida', { id: ulid(now + ms), sid })
    const [early, late] = [at(-60_000, ulid(now)), at(0, ulid(now + 1))]
    await server.store.transaction((tx) => insertEvents(tx, [early, late]))
    assert.deepEqual(await ids({ about: early.sid ?? '' }), [early.id])
    assert.deepEqual(await ids({ about: late.id }), [late.id])
    assert.deepEqual(await ids({ from: late.id }), [late.id])
    assert.deepEqual(await ids({ until: late.id }), [early.id])
    assert.deepEqual(await ids({ from: ulid(now + 1000) }), [])
  })

  it('each row has its last attempt', async () => {
    await twoTopics()
    const [id] = (await storeEvents(server, app, 'consulta.recibida')) as [string]
    await server.store.query(sql`
      insert into delivery_attempts (delivery_id, at, ms, status, error)
      values (${id}, now() - interval '1 minute', 12, 500, 'mal'), (${id}, now(), 34, 200, null)`)
    const [row] = (await list()).rows
    assert.deepEqual([row?.last?.status, row?.last?.ms, row?.last?.error], [200, 34, null])
  })

  it('a page scans at most twenty thousand rows: rare ones are found by going on', async () => {
    await twoTopics()
    const [rare] = (await storeEvents(server, app, 'consulta.recibida')) as [string]
    await settle([rare], 'entregada')
    const many = sql`from generate_series(1, 20000) n`
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload)
      select '7' || lpad(n::text, 25, '0'), ${app.app.id}, 'consulta.recibida', '{}' ${many}`)
    await server.store.query(sql`
      insert into deliveries (id, app_id, estado) select '7' || lpad(n::text, 25, '0'), ${app.app.id}, 'fallida' ${many}`)
    const first = await list({ estados: ['entregada'] })
    assert.deepEqual([first.rows, first.more], [[], false])
    assert.equal(first.searchedTo, `7${'1'.padStart(25, '0')}`)
    const on = await list({ estados: ['entregada'] }, { before: first.searchedTo })
    assert.deepEqual([on.rows.map(({ id }) => id), on.searchedTo], [[rare], undefined])
  })
})
