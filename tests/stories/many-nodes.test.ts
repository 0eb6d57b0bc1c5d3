import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { disableApp } from '../../src/apps/store.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import { openBalancer } from '../support/balancer.ts'
import { type Answer, callerFor, send } from '../support/caller.ts'
import { hook, LOOPBACK, settled, storeEvents } from '../support/deliveries.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type RodadoProcess, startRodado } from '../support/rodado-process.ts'
import type { TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOPIC = 'consulta.recibida'
const SLOTS = 16 // of a worker, for one webhook
const HIDDEN_MS = 1_000 // docs/decisions/api.md: a disabled app is refused within a second
const EVENTS = 100
const CALLERS = 8
const MANY = { RATE_PER_SECOND: '100000', RATE_BURST: '100000' }

describe('story: two API and two worker processes on one PostgreSQL', () => {
  let server: TestServer
  let receiver: Receiver
  let nodes: RodadoProcess[] = []
  let workers: RodadoProcess[] = []
  /** The User-Agent of a worker, by which receivers distinguish them. */
  const names = ['http://uno.test', 'http://dos.test']
  const node = () => startRodado(server.connection, server.masterKey, { ...MANY, ROLE: 'api' })
  const worker = (PUBLIC_URL: string) =>
    startRodado(server.connection, server.masterKey, { ...LOOPBACK, ROLE: 'worker', PUBLIC_URL })

  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK })
    nodes = await Promise.all([node(), node()])
    workers = await Promise.all(names.map(worker))
  })
  after(async () => {
    for (const each of [...nodes, ...workers]) await each.kill()
    await server.stop()
    await receiver.close()
  })

  it('401 repetida: a signature that one node has seen is refused by the other, also at the same moment', async () => {
    const app = await server.newApp()
    const path = `/v3/appnotificaciones/${TOPIC}`
    const body = JSON.stringify({ Callback: 'https://avisos.example/rodado' })
    const [first, second] = nodes as [RodadoProcess, RodadoProcess]
    await Promise.all(nodes.map(({ url }) => known(url, app)))

    const made = { method: 'POST', headers: app.signed('POST', path, { body }), body }
    assert.equal((await send(first.url, path, made)).status, 201)
    const again = await send(second.url, path, made)
    assert.deepEqual([again.status, again.json.Extensions.Codigo], [401, 'repetida'])

    for (let turn = 0; turn < 10; turn++) {
      const sent = { method: 'PUT', headers: app.signed('PUT', path, { body }), body }
      const both = await Promise.all(nodes.map(({ url }) => send(url, path, sent)))
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
    }
  })

  it('401: a disabled app is refused by every node within a second', async () => {
    const app = await server.newApp()
    await Promise.all(nodes.map(({ url }) => known(url, app)))
    await disableApp(server.store, app.app.appKey, true)
    const disabled = performance.now()
    await Promise.all(
      nodes.map(({ url }) =>
        until(async () => {
          const late = performance.now() - disabled > HIDDEN_MS
          const { status } = await callerFor(url, app.app.appKey, app.secret).get('/v3/colores')
          assert.ok(!late || status === 401, `still ${status} after a second`)
          return status === 401
        }),
      ),
    )
  })

  it('two workers share the deliveries, and each is sent once', async () => {
    const app = await server.newApp()
    await hook(server, app, TOPIC, `${receiver.url}/compartidas`)
    receiver.answer('hang')
    const ids = await storeEvents(server, app, TOPIC, EVENTS)
    await until(() => receiver.hanging() === names.length * SLOTS)
    const agents = receiver.received.map(({ headers }) => headers['user-agent'] ?? '')
    for (const name of names) assert.equal(agents.filter((agent) => agent.includes(name)).length, SLOTS, name)

    receiver.release()
    assert.ok((await settled(server, ids)).every(({ estado, attempts }) => estado === 'entregada' && attempts === 1))
    const came = receiver.received.filter(({ path }) => path === '/compartidas').map(({ id }) => id)
    assert.deepEqual(came.sort(), ids.toSorted())
  })

  it('a node that is killed and replaced costs no request behind a balancer that retries safe ones', async () => {
    const app = await server.newApp()
    const site = await server.newSitio()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    const { id: Aviso } = await makePublicacion(server.store, app.app, agencia)
    await Promise.all(nodes.map(({ url }) => known(url, app)))
    const [doomed, other] = nodes as [RodadoProcess, RodadoProcess]
    const balancer = await openBalancer()
    balancer.use(nodes.map(({ url }) => url))
    const caller = callerFor(balancer.url, app.app.appKey, app.secret)
    const statuses: number[] = []
    const deps: string[] = []
    let over = false

    /** The final status: a node on a busy machine may say that it is overloaded, and the same request is sent again. */
    async function answered(call: () => Promise<Answer>): Promise<number> {
      const { status, json } = await call()
      return json?.Extensions?.Codigo === 'sobrecargado' ? answered(call) : status
    }
    const inquire = async () => {
      const Email = `${randomUUID()}@correo.test`
      deps.push(Email)
      const body = JSON.stringify({ Aviso, OrigenLead: 'form', Interesado: { Nombre: 'Lucía', Email } })
      const headers = {
        authorization: `Bearer ${site.sitioKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      }
      return answered(() => send(balancer.url, '/interno/v1/consultas', { method: 'POST', headers, body }))
    }
    const calling = Array.from({ length: CALLERS }, async (_, at) => {
      while (!over) statuses.push(await (at % 2 ? inquire() : answered(() => caller.get('/v3/colores'))))
    })
    try {
      await until(() => balancer.answeredBy(doomed.url) > CALLERS * 2)
      await doomed.kill()
      await until(() => balancer.retried() > 0)
      const fresh = await node()
      nodes = [fresh, other]
      balancer.use(nodes.map(({ url }) => url))
      await until(() => balancer.answeredBy(fresh.url) > CALLERS * 2)
    } finally {
      over = true
      await Promise.all(calling)
      await balancer.close()
    }
    assert.deepEqual([...new Set(statuses)].sort(), [200, 201])
    const stored = await server.store.query<{ email: string }>(sql`
      select email from consultas where agencia_id = ${agencia.id} order by email`)
    assert.deepEqual(
      stored.map(({ email }) => email),
      deps.toSorted(),
      'every inquiry is kept, and once',
    )
  })

  it('503 on ready after SIGTERM, while requests go on and each ends its connection', async () => {
    const app = await server.newApp()
    const leaving = await startRodado(server.connection, server.masterKey, {
      ...MANY,
      ROLE: 'api',
      DRAIN_SECONDS: '600',
    })
    await known(leaving.url, app)
    const ended = leaving.stop()
    const ready = () => send(leaving.url, '/health/ready')
    await until(async () => (await ready()).status === 503)
    const { headers, json } = await ready()
    assert.deepEqual([headers.connection, json.reason], ['close', 'this process is stopping'])
    assert.deepEqual(json.checks, { database: 'ok', writes: 'ok', disk: 'ok', clock: 'ok' })
    const served = await callerFor(leaving.url, app.app.appKey, app.secret).get('/v3/colores')
    assert.deepEqual([served.status, served.headers.connection], [200, 'close'])
    await leaving.kill()
    await ended
  })

  /** Waits until that node knows the app. */
  const known = (url: string, { app, secret }: { app: { appKey: string }; secret: string }) =>
    until(async () => (await callerFor(url, app.appKey, secret).get('/v3/colores')).status === 200)
})
