import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { connect, detach } from '../../src/resources/agencias/associations.ts'
import { erasePerson } from '../../src/resources/consultas/erase-person.ts'
import { changeEstado } from '../../src/resources/consultas/estado.ts'
import { openReplicas } from '../../src/store/replicas.ts'
import { insertEvents } from '../../src/webhooks/events.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf } from '../support/agencia.ts'
import { type Answer, callerFor } from '../support/caller.ts'
import { insertConsulta } from '../support/consulta.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.ts'
import { eventOf, storeEvents } from '../support/deliveries.ts'
import { makeShop } from '../support/listing.ts'
import { type Replica, type Replicated, startReplicated } from '../support/replicated.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { visitor } from '../support/visitor.ts'

/** Long, so that a replica whose replay a test has paused stays within the bound. */
const MAX_LAG_MS = 25_000
/** Less than MAX_LAG_MS, after which the primary would be read in any case. */
const CHANGED_MS = 15_000
const CALLS = 40

describe('story: a primary and two replicas, one of them 30 s behind', () => {
  let cluster: Replicated
  let prompt: Replica
  let proxy: DatabaseProxy
  let node: TestServer
  let other: TestServer
  before(async () => {
    cluster = await startReplicated([{}, { recovery_min_apply_delay: '30s' }])
    const [first, delayed] = cluster.replicas as [Replica, Replica]
    prompt = first
    proxy = await openDatabaseProxy({ connectionString: prompt.url })
    const connection = { connectionString: cluster.primaryUrl }
    const replicas = { urls: [String(proxy.connection.connectionString), delayed.url], maxLagMs: MAX_LAG_MS }
    // A cluster whose leader changes is named with all its members.
    node = await startServer({ connection, replicas: { ...replicas, urls: [...replicas.urls, cluster.primaryUrl] } })
    other = await startServer({ connection, replicas, masterKey: node.masterKey })
  })
  after(async () => {
    await node?.stop()
    await other?.stop()
    await proxy?.close()
    await cluster?.stop()
  })

  const statesOf = (server: TestServer) => server.replicas().map(({ state }) => state)

  /** The reads that each server was chosen for: the primary, the prompt replica, the delayed one. */
  async function readsOf(server: TestServer): Promise<[number, number, number]> {
    const { values } = (await server.metrics.getSingleMetric('rodado_replica_reads_total')?.get()) ?? { values: [] }
    const names = ['primary', ...server.replicas().map(({ replica }) => replica)]
    return names.map((name) => values.find(({ labels }) => labels.replica === name)?.value ?? 0) as [
      number,
      number,
      number,
    ]
  }

  /** Calls until the prompt replica serves it, which is after it has replayed the client's last write. */
  const fromReplica = (server: TestServer, call: () => Promise<Answer>): Promise<Answer> =>
    until(async () => {
      const [, earlier] = await readsOf(server)
      const answer = await call()
      const [, later] = await readsOf(server)
      return later > earlier && answer
    })

  /** Calls once; the primary must serve it. */
  async function fromPrimary(server: TestServer, call: () => Promise<Answer>): Promise<Answer> {
    const [, earlier] = await readsOf(server)
    const answer = await call()
    assert.deepEqual((await readsOf(server))[1], earlier, 'the replica was not used')
    return answer
  }

  /** Nothing arrives at the prompt replica meanwhile. */
  async function whilePaused(work: () => Promise<void>): Promise<void> {
    await prompt.query('select pg_wal_replay_pause()')
    await until(async () => {
      const [row] = await prompt.query('select pg_get_wal_replay_pause_state() as state')
      return row?.state === 'paused'
    })
    try {
      await work()
    } finally {
      await prompt.query('select pg_wal_replay_resume()')
    }
  }

  /** The app on the other node. */
  const elsewhere = ({ app, secret }: TestApp) => callerFor(other.url, app.appKey, secret)

  async function setting() {
    const app = await node.newApp()
    const shop = await makeShop(node, app)
    assert.equal((await shop.post({ ExternalId: 'AB-1' })).status, 201)
    const consulta = await insertConsulta(node.store, { agencia: shop.agencia, fuente: app.app })
    await until(async () => (await elsewhere(app).get('/v3/eventos')).status === 200) // the other node knows the app
    return { app, shop, consulta, list: `/v3/consultas/${shop.mail}` }
  }

  it('the pool to a replica has the timeouts and the metrics of the settings', async () => {
    const metrics = new Registry()
    const observed: string[] = []
    const observe = (name: string) => {
      observed.push(name)
      return () => undefined
    }
    const replicas = openReplicas({
      store: node.store,
      connection: node.connection,
      urls: [prompt.url],
      maxLagMs: MAX_LAG_MS,
      log: pino({ level: 'silent' }),
      metrics,
      pool: { max: 3, observe, statementTimeoutMs: 7_000, lockTimeoutMs: 3_000 },
    })
    try {
      const db = await until(async () => {
        const reader = await replicas.store.reader('app:1')
        return reader !== replicas.store && reader
      })
      const [row] = await db.query(sql`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`)
      assert.deepEqual(row, { statement: '7s', lock: '3s' })
      assert.equal(observed.length, 1)
      assert.match(await metrics.metrics(), /^rodado_replica_pool_idle\{replica="[^"]+"\} 1$/m)
    } finally {
      await replicas.close()
    }
  })

  it('200: inquiries, listings, statistics, feed and delivery log come from the replica within the bound', async () => {
    const { app, shop, consulta, list } = await setting()
    const paths = [
      list,
      `${list}/${consulta.sid}`,
      '/v3/eventos',
      '/v3/appnotificaciones/consulta.recibida/entregas',
      shop.list,
      `${shop.list}/AB-1`,
      `${shop.list}/AB-1/estadisticas`,
    ]
    for (const path of paths) {
      const answer = await fromReplica(node, () => app.get(path))
      assert.equal(answer.status, 200, path)
      const adf = await app.get(`${list}/${consulta.sid}`, { accept: 'application/x-adf+xml' })
      assert.equal(adf.status, 200)
    }
    assert.deepEqual(statesOf(node), ['usable', 'late', 'primary'])
    assert.equal((await readsOf(node))[2], 0, 'the delayed one served nothing')
    const figures = await node.metrics.metrics()
    for (const name of ['reads_total', 'repeated_total', 'lag_seconds', 'usable'])
      assert.ok(figures.includes(`# HELP rodado_replica_${name} `), name)
    const usable = figures.match(/^rodado_replica_usable{.*$/gm) ?? []
    assert.deepEqual(
      usable.map((line) => line.at(-1)),
      ['1', '0'],
      'an alert on 0 does not fire for the primary',
    )
  })

  it('200: what a webhook is about is found, arrived or not, and an absent inquiry is 404', async () => {
    const { app, shop, consulta, list } = await setting()
    await fromReplica(node, () => app.get(`${list}/${consulta.sid}`))
    await whilePaused(async () => {
      const fresh = await insertConsulta(node.store, { agencia: shop.agencia, fuente: app.app })
      const page = await fromReplica(node, () => app.get(list))
      assert.equal(page.json.Total, 1, 'the replica does not have it')
      assert.equal((await app.get(`${list}/${fresh.sid}`)).json.OrigenLead, 'form')
      const { id: agenciaId } = shop.agencia
      const scope = { agenciaId, app: 'all' } as const
      await changeEstado(depsOf(node), { agencia: shop.agencia, scope, sid: consulta.sid, estado: 'contactada' })
      await until(async () => (await app.get(`${list}/${consulta.sid}`)).json.Estado === 'contactada', CHANGED_MS)
      assert.equal((await app.get(`${list}/${fresh.sid.slice(0, -4)}0000`)).status, 404)
      assert.equal((await app.get('/v3/consultas/nadie@agencia.test')).status, 404)
    })
  })

  it('200: what an app wrote on one node it reads back on every node', async () => {
    const { app, shop } = await setting()
    const reader = elsewhere(app)
    await fromReplica(other, () => reader.get(shop.list))
    await whilePaused(async () => {
      for (const ExternalId of ['AB-2', 'AB-3']) {
        assert.equal((await shop.post({ ExternalId })).status, 201)
        const page = await fromPrimary(other, () => reader.get(shop.list))
        assert.equal(page.json._entries[0].ExternalId, ExternalId)
      }
      assert.equal((await fromPrimary(node, () => app.get(shop.list))).json.Total, 3)
    })
    assert.equal((await fromReplica(other, () => reader.get(shop.list))).json.Total, 3)
  })

  it('200: what a person wrote on one node they read back on every node', async () => {
    const staff = await makeStaff(node)
    const elsewhere = visitor(other, staff.visitor.cookie())
    const page = await fromReplica(other, () => elsewhere.get('/consola/sitios'))
    const [, ultimo = ''] = /name="ultimo" value="(\d*)"/.exec(page.text) ?? []
    await whilePaused(async () => {
      const form = { Nombre: 'Sitio reciente', Modo: 'produccion', ultimo }
      assert.equal((await staff.visitor.post('/consola/sitios', form)).status, 201)
      const list = await fromPrimary(other, () => elsewhere.get('/consola/sitios'))
      assert.ok(list.text.includes('Sitio reciente'))
    })
  })

  it('404: what is withdrawn disappears from every node, although no replica has heard of it', async () => {
    const { app, shop, list } = await setting()
    const deps = depsOf(node)
    const all = { editar: true, consultasDeCatalogo: true, consultasDeOtros: true }
    await connect(deps, app.app, shop.agencia, all)
    const { sid } = await insertConsulta(node.store, { agencia: shop.agencia })
    const bystander = await setting()
    const nodes = [app, elsewhere(app)]
    for (const [at, reader] of nodes.entries())
      await until(async () => (await fromReplica(at ? other : node, () => reader.get(list))).json.Total === 2)
    await whilePaused(async () => {
      await connect(deps, app.app, shop.agencia, { ...all, consultasDeCatalogo: false })
      for (const reader of nodes) assert.equal((await reader.get(list)).json.Total, 1, 'a permission')

      await connect(deps, app.app, shop.agencia, all)
      await erasePerson(deps, { email: 'lucia@correo.test' }, { accountId: null, via: 'consola' })
      for (const reader of nodes) assert.equal((await reader.get(`${list}/${sid}`)).json.Interesado.Nombre, '')

      await node.store.transaction((tx) => detach(tx, deps, { app: app.app, agencia: shop.agencia, by: 'mercado' }))
      for (const reader of nodes) {
        assert.equal((await reader.get(list)).status, 404)
        const { _entries: events } = (await reader.get('/v3/eventos')).json
        assert.ok(events.every(({ Topic }: { Topic: string }) => Topic === 'agencia.desasociada'))
      }
      await fromPrimary(other, () => elsewhere(bystander.app).get(bystander.list))
    })
  })

  it('200: an event that commits late is not skipped on a replica', async () => {
    const app = await node.newApp()
    const [late] = [eventOf(app.app.id, 'agencia.modificada')]
    assert.ok(late)
    let cursor = '/v3/eventos'
    const seen: string[] = []
    const readOn = async () => {
      const { json } = await fromReplica(node, () => app.get(cursor))
      seen.push(...json._entries.map(({ Id }: { Id: string }) => Id))
      cursor = json._links.next.href
    }
    let early: string[] = []
    await node.store.transaction(async (tx) => {
      await insertEvents(tx, [late])
      early = await storeEvents(node, app, 'agencia.modificada', 2)
      await arrived()
      await readOn()
      assert.deepEqual(seen, [], 'what comes after a running transaction waits')
    })
    await arrived()
    await until(async () => {
      await readOn()
      return seen.length === 3
    })
    assert.deepEqual(seen, [late.id, ...early])
  })

  /** The prompt replica has replayed everything. */
  async function arrived(): Promise<void> {
    const [row] = await node.store.query<{ lsn: string }>(sql`select pg_current_wal_insert_lsn()::text as lsn`)
    await until(async () => {
      const [behind] = await prompt.query(`select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as done`)
      return behind?.done
    })
  }

  it('200: a replica that falls silent or dies is left out, as is a promoted one, and no call fails', async () => {
    const { app, shop, list } = await setting()
    const call = () => app.get(list)
    await fromReplica(node, call)
    const calls = async (during: () => unknown) => {
      const answers = Array.from({ length: CALLS }, call)
      await during()
      for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
    }
    await calls(() => proxy.stall())
    await until(() => statesOf(node)[0] === 'unreachable')
    assert.equal((await fromPrimary(node, call)).status, 200)
    proxy.restore()
    await fromReplica(node, call)

    await calls(() => prompt.kill())
    await until(() => statesOf(node)[0] === 'unreachable')
    assert.equal((await fromPrimary(node, call)).status, 200)

    // As a copy of the database that somebody tries something on.
    await cluster.replicas[1]?.query('select pg_promote(false)')
    await until(() => statesOf(node)[1] === 'not-a-replica')
    assert.equal((await app.call('DELETE', `${shop.list}/AB-1`)).status, 204, 'the primary stays the primary')
    assert.match(node.logged(), /"replica":"127\.0\.0\.1:\d+","state":"unreachable"/)
  })
})
