import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { eventOf } from '../../../tests/support/deliveries.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { setTopics } from '../../apps/store.ts'
import { insertEvents } from '../../webhooks/events.ts'
import { releaseOrdered } from '../../webhooks/ordered.ts'

const TOPIC = 'consulta.recibida'
const AT = `/v3/appnotificaciones/${TOPIC}`
const DESTINOS = `${AT}/destinos`
const CALLBACK = 'https://crm.example/avisos'

describe('destinos', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())
  const send = (method: string, path: string, body?: object, headers = {}) =>
    app.call(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
  const add = (more = {}) => send('POST', DESTINOS, { Callback: CALLBACK, ...more })
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()
  const fresh = async () => {
    app = await server.newApp()
  }
  /** Publishes an event about an agency; returns the numbers of the webhooks that get it. */
  const publish = async (agenciaId: number | null) => {
    const event = eventOf(app.app.id, TOPIC, { agenciaId })
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    const rows = await server.store.query<{ id: string }>(sql`
      select id from deliveries where id like ${`${event.id}%`} order by id`)
    return { id: event.id, destinos: rows.map(({ id }) => Number(id.slice(27)) || 1) }
  }

  it('201: up to five for a topic, numbered; the first is that of the specification’s routes', async () => {
    await fresh()
    const first = await add()
    assert.equal(first.status, 201)
    assert.equal(first.headers.location, `${DESTINOS}/1`)
    assert.match(first.json.Secret, /^whsec_/)
    const { Id, Agencias, EnOrden, Version, Topic } = first.json
    assert.deepEqual([Id, Agencias, EnOrden, Version, Topic], [1, null, false, 1, TOPIC])
    assert.equal((await app.get(AT)).json.Callback, CALLBACK)
    assert.equal((await send('POST', AT, { Callback: CALLBACK })).status, 409)
    for (const id of [2, 3, 4, 5]) assert.equal((await add({ Callback: `${CALLBACK}/${id}` })).json.Id, id)
    const sixth = await add()
    assert.deepEqual([sixth.status, sixth.json.Extensions.Codigos._], [400, ['limite-de-destinos']])
    const { json } = await app.get(DESTINOS)
    assert.deepEqual(
      json._entries.map((each: { Id: number; Callback: string }) => [each.Id, each.Callback]),
      [1, 2, 3, 4, 5].map((id) => [id, id === 1 ? CALLBACK : `${CALLBACK}/${id}`]),
    )
    assert.equal(json._links.agregar, undefined)
    assert.equal((await app.get('/v3/appnotificaciones')).json._entries.length, 10)
    assert.equal((await app.call('DELETE', `${DESTINOS}/3`)).status, 204)
    assert.equal((await app.get(`${DESTINOS}/3`)).status, 404)
    assert.equal((await add()).json.Id, 3)
    assert.equal((await app.call('DELETE', AT)).status, 204)
    assert.deepEqual([(await app.get(AT)).status, (await app.get(`${DESTINOS}/2`)).status], [404, 200])
    assert.equal((await send('POST', AT, { Callback: CALLBACK })).status, 201)
  })

  it('201: each of several at once gets a number of its own, and one too many 400', async () => {
    await fresh()
    const added = await Promise.all(Array.from({ length: 6 }, () => add()))
    assert.deepEqual(added.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 400])
    assert.deepEqual(added.flatMap(({ json }) => json.Id ?? []).sort(), [1, 2, 3, 4, 5])
  })

  it('201: an event has a delivery for each, and one that names agencies gets only theirs', async () => {
    await fresh()
    const [ana, bea] = [await makeAgencia(depsOf(server), app.app), await makeAgencia(depsOf(server), app.app)]
    await add()
    const filtered = await add({ Agencias: [ana.mail.toUpperCase()] })
    assert.deepEqual([filtered.status, filtered.json.Agencias], [201, [ana.mail]])
    assert.deepEqual((await publish(ana.agencia.id)).destinos, [1, 2])
    const { id, destinos } = await publish(bea.agencia.id)
    assert.deepEqual(destinos, [1])
    const simulate = (query: string) => app.call('POST', `${AT}/entregas/reenviar?${query}&simular=true`)
    assert.equal((await simulate(`todo=true&destino=2`)).json.Cantidad, 1, 'what it does not want is not missing')
    assert.equal((await simulate(`evento=${id}&destino=2`)).json.Cantidad, 0)
    assert.equal((await simulate('todo=true')).json.Cantidad, 2)
    const all = await send('PUT', `${DESTINOS}/2`, { Callback: CALLBACK })
    assert.deepEqual([all.status, all.json.Agencias], [200, null])
    assert.deepEqual((await publish(bea.agencia.id)).destinos, [1, 2])
    const none = await send('PUT', `${DESTINOS}/2`, { ...all.json, Agencias: [] })
    assert.deepEqual([none.status, none.json.Agencias], [200, []])
    assert.deepEqual((await publish(ana.agencia.id)).destinos, [1])
  })

  it('201: an agency named by its former address is shown under its present one, once', async () => {
    await fresh()
    const { mail, agencia } = await makeAgencia(depsOf(server), app.app)
    const former = `antes.${mail}`
    await server.store.query(sql`
      insert into agencia_aliases values ('produccion', ${former}, ${agencia.id}, now() + interval '1 day')`)
    await add()
    const { status, json } = await add({ Agencias: [former.toUpperCase(), mail] })
    assert.deepEqual([status, json.Agencias], [201, [mail]])
    assert.deepEqual((await publish(agencia.id)).destinos, [1, 2])
    const body = { Callback: CALLBACK, Agencias: [former] }
    assert.deepEqual((await send('PUT', `${DESTINOS}/2`, body)).json.Agencias, [mail])
    const foreign = await server.newApp()
    const refused = await foreign.call('POST', DESTINOS, { body: JSON.stringify(body) })
    assert.deepEqual(errorsOf(refused.json), ['Agencias[0]'])
  })

  it('200: each has its log; entries name event and destination', async () => {
    await fresh()
    await add()
    await add()
    const { id } = await publish(null)
    const of = async (query: string) => (await app.get(`${AT}/entregas${query}`)).json
    const [first, second] = [await of(''), await of('?destino=2')]
    assert.deepEqual(
      [first, second].map(({ _entries: [entry] }) => [entry.Id, entry.Evento, entry.Destino]),
      [
        [id, id, 1],
        [`${id}-2`, id, 2],
      ],
    )
    assert.equal(second._links.webhook.href, `${DESTINOS}/2`)
    assert.equal(second._links.reenviar.href, `${AT}/entregas/reenviar?estado=fallida&destino=2`)
    const detail = await app.get(second._entries[0]._links.self.href)
    assert.deepEqual([detail.status, detail.json.Payload.Id, detail.json.Destino], [200, id, 2])
    assert.equal((await app.get(`${AT}/entregas/${id}-3`)).status, 404)
    await server.store.query(sql`update deliveries set estado = 'fallida' where id like ${`${id}%`}`)
    await app.call('POST', `${AT}/entregas/reenviar?estado=fallida&destino=2`)
    const states = await server.store.query(sql`select estado from deliveries where id like ${`${id}%`} order by id`)
    assert.deepEqual(states, [{ estado: 'fallida' }, { estado: 'pendiente' }])
    const tested = await app.call('POST', `${AT}/prueba?destino=2`)
    assert.equal(tested.status, 202)
    assert.equal(tested.json._links.entrega.href, `${AT}/entregas/${tested.json.Id}-2`)
    assert.equal((await app.get(`${AT}/entregas/${tested.json.Id}`)).status, 404, 'the other gets no test')
    assert.equal((await app.call('POST', `${AT}/prueba?destino=4`)).status, 404)
  })

  it('200, 304, 412: the ETag covers what it has beyond the specification; Version stays until it is changed', async () => {
    await fresh()
    await add({ EnOrden: true })
    const { headers, json } = await app.get(`${DESTINOS}/1`)
    assert.equal((await send('GET', `${DESTINOS}/1`, undefined, { 'if-none-match': headers.etag })).status, 304)
    const { etag } = (await app.get(DESTINOS)).headers
    assert.equal((await send('GET', DESTINOS, undefined, { 'if-none-match': etag })).status, 304)
    const same = await send('PUT', `${DESTINOS}/1`, json, { 'if-match': headers.etag })
    assert.deepEqual([same.status, same.headers.etag, same.json.Secret], [200, headers.etag, json.Secret])
    const loose = await send('PUT', `${DESTINOS}/1`, { Callback: CALLBACK }, { 'if-match': headers.etag })
    assert.deepEqual([loose.status, loose.json.EnOrden, loose.json.Version], [200, false, 1])
    assert.equal((await send('PUT', `${DESTINOS}/1`, json, { 'if-match': headers.etag })).status, 412)
    await send('PUT', `${DESTINOS}/1`, json)
    await send('PUT', AT, { Callback: `${CALLBACK}/otro` })
    const { EnOrden, Callback } = (await app.get(`${DESTINOS}/1`)).json
    assert.deepEqual([EnOrden, Callback], [true, `${CALLBACK}/otro`], 'the specification’s PUT leaves it')
  })

  it('200: putting events in order, and resending one, uses no attempt of the first, which is retried later', async () => {
    await fresh()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    await add()
    const [first, second] = [await publish(agencia.id), await publish(agencia.id)]
    await server.store.query(sql`update deliveries set due_at = now() + interval '1 hour' where id = ${first.id}`)
    const isWaiting = () =>
      server.store.query<{ due: string }>(sql`
        select case when due_at = 'infinity' then 'after' when due_at > now() + interval '50 minutes' then 'later' else 'now' end as due
        from deliveries where id = any (${[first.id, second.id]}::text[]) order by id = ${second.id}`)
    await send('PUT', `${DESTINOS}/1`, { Callback: CALLBACK, EnOrden: true })
    assert.deepEqual(await isWaiting(), [{ due: 'later' }, { due: 'after' }])
    assert.equal((await app.call('POST', `${AT}/entregas/reenviar?evento=${second.id}`)).status, 202)
    assert.deepEqual(await isWaiting(), [{ due: 'later' }, { due: 'after' }])
  })

  it('400: a foreign or absent agency, an unknown version, a number that is none; 403, 404: another topic', async () => {
    await fresh()
    const other = await server.newApp()
    const { mail } = await makeAgencia(depsOf(server), other.app)
    const foreign = await add({ Agencias: [mail, 'nadie@agencia.test'] })
    assert.deepEqual([foreign.status, errorsOf(foreign.json)], [400, ['Agencias[0]', 'Agencias[1]']])
    assert.deepEqual(errorsOf((await add({ Version: 2 })).json), ['Version'])
    assert.deepEqual(errorsOf((await add({ Agencias: 'todas', EnOrden: 'si' })).json), ['Agencias', 'EnOrden'])
    assert.equal((await app.get(DESTINOS)).json._entries.length, 0)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { Callback: CALLBACK } : undefined
      assert.equal((await send(method, `${DESTINOS}/6`, body)).status, 400, method)
      assert.equal((await send(method, `${DESTINOS}/2`, body)).status, 404, method)
      assert.equal((await send(method, '/v3/appnotificaciones/nada/destinos/1', body)).status, 404, method)
    }
    assert.equal((await app.get('/v3/appnotificaciones/nada/destinos')).status, 404)
    assert.equal((await send('POST', '/v3/appnotificaciones/nada/destinos', { Callback: CALLBACK })).status, 403)
    const long = `/v3/appnotificaciones/${'a'.repeat(81)}/destinos`
    assert.equal((await app.get(long)).status, 400)
    await setTopics(server.store, app.app.appKey, null)
  })

  it('releasing stays below the cost from which PostgreSQL compiles a statement (jit_above_cost)', async () => {
    const costs: number[] = []
    const query: typeof server.store.query = async (statement) => {
      const text = `explain (format json) ${statement.text}`
      const [row] = await server.store.query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>({
        ...statement,
        text,
      })
      costs.push(row?.['QUERY PLAN'][0].Plan['Total Cost'] ?? Number.POSITIVE_INFINITY)
      return server.store.query(statement)
    }
    const store = { ...server.store, query }
    await releaseOrdered(store)
    await releaseOrdered(store, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) // as many as PostgreSQL expects of an array
    assert.ok(costs.length >= 2)
    assert.ok(Math.max(...costs) < 100_000, `jit_above_cost: ${costs}`)
  })
})
