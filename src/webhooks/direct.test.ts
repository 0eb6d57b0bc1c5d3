import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { openDatabaseProxy } from '../../tests/support/database-proxy.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import { startRodado } from '../../tests/support/rodado-process.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import type { Timing } from '../outbox/worker.ts'
import { createLogMonths } from './sweep.ts'

const HOUR_MS = 3_600_000
const AT_A_TIME = 16
const TOPIC = 'consulta.recibida'
const ENV = { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' }

describe('an inquiry and its webhook on one node', () => {
  let database: TestDatabase
  let receiver: Receiver
  let setUp: TestServer
  let subjects: { aviso: object; externalId: object }
  let sitioKey: string
  let configure: (callback: string) => Promise<unknown>
  let makeAnew: (callback: string) => Promise<unknown>
  before(async () => {
    ;[database, receiver] = [await createDatabase(), await openReceiver()]
    await createLogMonths(database.store, new Date())
    setUp = await startServer({ connection: database.connection, env: ENV })
    const app = await setUp.newApp()
    const { agencia } = await makeAgencia(depsOf(setUp), app.app)
    const { id, externalId } = await makePublicacion(setUp.store, app.app, agencia)
    subjects = { aviso: { Aviso: id }, externalId: { AdminMail: agencia.adminMail, ExternalId: externalId } }
    sitioKey = (await setUp.newSitio()).sitioKey
    const body = (Callback: string) => JSON.stringify({ Callback })
    assert.equal((await app.call('POST', `/v3/appnotificaciones/${TOPIC}`, { body: body(receiver.url) })).status, 201)
    configure = (callback) => app.call('PUT', `/v3/appnotificaciones/${TOPIC}`, { body: body(callback) })
    makeAnew = async (callback) => {
      assert.equal((await app.call('DELETE', `/v3/appnotificaciones/${TOPIC}`)).status, 204)
      await app.call('POST', `/v3/appnotificaciones/${TOPIC}`, { body: body(callback) })
    }
  })
  after(async () => {
    await setUp.stop()
    await receiver.close()
    await database.drop()
  })

  /** A node that looks for due deliveries only where it is notified. */
  const startNode = (timing: Partial<Timing> = {}, connection = database.connection) =>
    startServer({ connection, env: ENV, worker: { timing: { pollMs: HOUR_MS, ...timing } } })
  let people = 0
  interface Posting {
    headers?: Record<string, string>
    status?: number
    /** What the inquiry is about; a listing by its number if it is left out. */
    subject?: object
  }
  async function post({ url }: { url: string }, posting: Posting = {}): Promise<string> {
    const { headers, status = 201, subject = subjects.aviso } = posting
    const response = await fetch(`${url}/interno/v1/consultas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sitioKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        ...subject,
        OrigenLead: 'form',
        Interesado: { Nombre: 'Ana', Email: `ana${++people}@correo.test`, Telefono: `+54 341 55${people}` },
      }),
    })
    assert.equal(response.status, status)
    return (response.headers.get('location') ?? '').split('/').at(-1) ?? ''
  }
  const received = (sid: string) => until(() => receiver.received.find(({ body }) => body.includes(sid)))
  const delivery = async (sid: string) => {
    const [row] = await database.store.query<{ estado: string; attempts: number; lease: string | null }>(sql`
      select d.estado, d.attempts, d.lease from deliveries d join events using (id) where sid = ${sid}`)
    return row
  }

  /** What PostgreSQL counted while a node that was just started received and delivered so many inquiries. */
  async function countersOf(inquiries: number, subject: object) {
    const read = () =>
      database.store.query<{ name: string; scans: number; updates: number }>(sql`
        select relname as name, seq_scan + coalesce(idx_scan, 0) as scans, n_tup_upd as updates
        from pg_stat_user_tables order by relname`)
    const connections = async () => {
      const [{ count } = { count: 0 }] = await database.store.query<{ count: number }>(sql`
        select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
      return count
    }
    const [start, idle] = [await read(), await connections()]
    const node = await startNode()
    await received(await post(node)) // through the queue; from then on the node knows the webhook
    for (let nth = 0; nth < inquiries; nth++) await received(await post(node, { subject }))
    await node.stop()
    await until(async () => (await connections()) <= idle) // a connection reports what it did when it closes
    const end = await read()
    const since = end.map(({ name, scans, updates }, at) => ({
      name,
      scans: scans - (start[at]?.scans ?? 0),
      updates: updates - (start[at]?.updates ?? 0),
    }))
    return new Map(since.map((each) => [each.name, each]))
  }

  for (const subject of ['aviso', 'externalId'] as const)
    it(`begin at most 14 scans, by ${subject}, and the delivery is written twice: inserted and settled`, async () => {
      const [few, many] = [8, 48]
      const between = many - few
      const [less, more] = [await countersOf(few, subjects[subject]), await countersOf(many, subjects[subject])]
      const perInquiry = [...more].map(([name, { scans, updates }]) => ({
        name,
        scans: (scans - (less.get(name)?.scans ?? 0)) / between,
        updates: (updates - (less.get(name)?.updates ?? 0)) / between,
      }))
      // Rounded: what a node reads as it starts differs by a few scans.
      const scanned = perInquiry
        .map(({ name, scans }) => ({ name, scans: Math.round(scans) }))
        .filter(({ scans }) => scans > 0)
      const text = JSON.stringify(scanned)
      const sum = scanned.reduce((all, { scans }) => all + scans, 0)
      assert.ok(sum <= 14, text)
      assert.ok(scanned.filter(({ name }) => name.startsWith('consultas_')).length <= 2, text)
      assert.deepEqual(
        perInquiry
          .filter(({ name, updates }) => name.startsWith('deliver') && updates > 0)
          .map(({ updates }) => updates),
        [1],
      )
      for (const table of ['events', 'deliveries', 'delivery_attempts'])
        assert.ok(scanned.filter(({ name }) => name.startsWith(`${table}_`)).length <= 1, text)
      const scansOf = (table: string) => scanned.find(({ name }) => name === table)?.scans ?? 0
      for (const name of ['publicaciones', 'agencias', 'operadores', 'accounts']) assert.equal(scansOf(name), 1, text)
      for (const name of ['apps', 'sitios']) assert.equal(scansOf(name), 0, text)
    })

  it('reach the partner after two database round trips', async () => {
    const proxy = await openDatabaseProxy(database.connection)
    const node = await startNode({}, proxy.connection)
    /** Until the call arrives: what is settled afterwards delays nobody. */
    const roundTrips = async () => {
      const before = proxy.roundTrips()
      let arrived = 0
      receiver.answer(() => {
        arrived = proxy.roundTrips()
        return 200
      })
      const sid = await post(node)
      await until(async () => (await delivery(sid))?.estado === 'entregada')
      assert.equal(receiver.received.filter(({ body }) => body.includes(sid)).length, 1)
      return arrived - before
    }
    assert.ok((await roundTrips()) > 2) // the first goes through the queue: notified, claimed
    const counts: number[] = []
    for (let nth = 0; nth < 5; nth++) counts.push(await roundTrips())
    // The fewest, because a busy machine that delays the listener's heartbeat makes the node read the site's key again.
    assert.equal(Math.min(...counts), 2, `${counts}`)
    await node.stop()
    await proxy.close()
    receiver.release()
  })

  it('are not sent to a webhook that another node paused', async () => {
    const node = await startNode()
    const first = await post(node)
    await until(async () => (await delivery(first))?.estado === 'entregada') // which ends a pause
    await database.store.query(sql`update webhooks set paused_until = now() + interval '1 hour'`)
    const sid = await post(node)
    assert.deepEqual(await delivery(sid), { estado: 'pendiente', attempts: 0, lease: null })
    await database.store.query(sql`update webhooks set paused_until = null`)
    const next = await post(node) // the node wakes for the first, and delivers both
    await Promise.all([received(sid), received(next)])
    await node.stop()
  })

  it('reach the new address at once after another node changed it', async () => {
    const node = await startNode()
    await received(await post(node))
    await configure(`${receiver.url}/nueva`)
    const { path } = await received(await post(node))
    assert.match(path, /nueva$/)
    await node.stop()
  })

  it('are taken over by another node where the first one is cut off before it can say that it delivered', async () => {
    const proxy = await openDatabaseProxy(database.connection)
    const cut = await startNode({ leaseSeconds: 2, attemptMs: 1_000 }, proxy.connection)
    await received(await post(cut))
    receiver.answer('hang')
    const sid = await post(cut)
    await received(sid)
    assert.equal((await delivery(sid))?.attempts, 1)
    proxy.cut()
    receiver.answer(200)
    const heir = await startNode({ pollMs: 50 })
    await until(async () => (await delivery(sid))?.estado === 'entregada')
    assert.equal((await delivery(sid))?.attempts, 1)
    receiver.release()
    await Promise.all([heir.stop(), cut.stop()])
    await proxy.close()
  })

  it('reach the new webhook after another node deleted it and made it anew', async () => {
    const node = await startNode()
    await received(await post(node))
    await makeAnew(`${receiver.url}/otra`)
    const { path } = await received(await post(node))
    assert.match(path, /otra$/)
    await node.stop()
  })

  for (const [what, off, on] of [
    ['the webhook', sql`update webhooks set activo = false`, sql`update webhooks set activo = true`],
    ['the app', sql`update apps set disabled_at = now()`, sql`update apps set disabled_at = null`],
    ['the topic', sql`update apps set topics = '{agencia.modificada}'`, sql`update apps set topics = null`],
  ] as const)
    it(`are discarded at once where another node switched off ${what}`, async () => {
      const node = await startNode()
      await received(await post(node))
      await database.store.query(off)
      const sid = await post(node)
      await database.store.query(on)
      assert.deepEqual(await delivery(sid), { estado: 'descartada', attempts: 0, lease: null })
      await received(await post(node))
      assert.ok(!receiver.received.some(({ body }) => body.includes(sid)))
      await node.stop()
    })

  it('are delivered once each where one of a batch cannot be stored', async () => {
    const node = await startNode()
    await received(await post(node))
    await database.store.query(sql`alter table deliveries add constraint refused check (traceparent is null)`)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const first = post(node) // alone; the others share a batch
    const [refused, ...sids] = await Promise.all([
      post(node, { headers: { traceparent }, status: 500 }),
      ...Array.from({ length: 8 }, () => post(node)),
      first,
    ])
    assert.equal(refused, '')
    await Promise.all(sids.map(received))
    await database.store.query(sql`alter table deliveries drop constraint refused`)
    await until(async () => (await Promise.all(sids.map(delivery))).every((row) => row?.estado === 'entregada'))
    for (const sid of sids) assert.equal(receiver.received.filter(({ body }) => body.includes(sid)).length, 1)
    await node.stop()
  })

  it('all reach the partner where kill -9 ends the process that receives and delivers them', async () => {
    const acknowledged: string[] = []
    const before = receiver.received.length
    const killed = await startRodado(database.connection, setUp.masterKey, ENV)
    const postUntilKilled = async () => {
      for (;;) {
        const sid = await post(killed).catch(() => undefined)
        if (!sid) return
        acknowledged.push(sid)
      }
    }
    const posting = Array.from({ length: AT_A_TIME }, postUntilKilled)
    await until(() => receiver.received.length - before > 10 * AT_A_TIME)
    await killed.kill()
    await Promise.all(posting)
    await database.store.query(sql`update deliveries set leased_until = now() where lease is not null`) // 45 s later
    const heir = await startNode()
    const pending = () => database.store.query(sql`select 1 from deliveries where estado = 'pendiente' limit 1`)
    await until(async () => (await pending()).length === 0)
    const bodies = receiver.received.map(({ body }) => body).join()
    assert.ok(acknowledged.length > 0 && acknowledged.every((sid) => bodies.includes(sid)))
    await heir.stop()
  })

  it('are given back where the process is stopped while it inserts them', async () => {
    const program = await startRodado(database.connection, setUp.masterKey, ENV)
    await received(await post(program))
    let posting = Promise.resolve('')
    let stopping: Promise<number | null> = Promise.resolve(null)
    await database.store.transaction(async (tx) => {
      await tx.query(sql`select from asociaciones for update`)
      posting = post(program)
      await until(async () => {
        const [row] = await database.store.query<{ count: number }>(sql`
          select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        return row?.count
      })
      stopping = program.stop()
      await until(() =>
        fetch(program.url).then(
          () => false,
          () => true,
        ),
      ) // it no longer listens
    })
    const sid = await posting
    assert.equal(await stopping, 0)
    const row = await delivery(sid)
    assert.ok(row?.estado === 'entregada' || row?.lease === null, JSON.stringify(row))
  })
})
