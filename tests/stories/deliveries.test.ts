import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { verifyWebhook } from '@rodado/client'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { setTopics } from '../../src/apps/store.ts'
import { WEBHOOKS } from '../../src/resources/appnotificaciones/document.ts'
import { insertEvents } from '../../src/webhooks/events.ts'
import type { Topic } from '../../src/webhooks/topics.ts'
import { startServer } from '../secrets/watched.ts'
import {
  attemptsOf,
  deliveriesOf,
  endPauses,
  eventOf,
  hook,
  LOOPBACK,
  makeDue,
  SECRET,
  settled,
  storeEvents,
  tried,
} from '../support/deliveries.ts'
import { freePort } from '../support/free-port.ts'
import { type Answer, openReceiver, type Receiver, receiverCa } from '../support/receiver.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOPIC: Topic = 'consulta.recibida'
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const STANDARD = `whsec_${Buffer.from('bytes de otra biblioteca').toString('base64')}`
const IMPATIENT = { totalMs: 100 }

describe('story: the delivery of an event', () => {
  let server: TestServer
  let hurried: TestServer
  let receiver: Receiver
  let app: TestApp
  /** Of each delivery that was measured, whether it succeeded at its first attempt. */
  const firsts: boolean[] = []
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({
      env: LOOPBACK,
      worker: { observe: (_, atFirstAttempt) => firsts.push(atFirstAttempt) },
    })
    hurried = await startServer({ env: LOOPBACK, worker: { sending: { times: IMPATIENT } } })
  })
  afterEach(() => {
    receiver.release()
    receiver.received.length = 0
  })
  after(async () => {
    await server.stop()
    await hurried.stop()
    await receiver.close()
  })

  /** A new app whose webhook calls the receiver, or another URL. */
  async function listening(at = `${receiver.url}/hook`, more = {}, on = server): Promise<number> {
    app = await on.newApp()
    return hook(on, app, TOPIC, at, more)
  }
  const one = async (on = server) => (await storeEvents(on, app, TOPIC))[0] as string
  const webhook = async (id: number, on = server) => {
    const [row] = await on.store.query<Record<string, unknown>>(sql`select * from webhooks where id = ${id}`)
    return row ?? assert.fail('there is no webhook')
  }
  const salud = async () => (await app.client.verWebhook({ topic: TOPIC })).Salud

  it('is verified by the library of Standard Webhooks as it is, under a secret of the app’s own and under ours', async () => {
    for (const [path, Secret] of [['propio', 'una señal 🔑 de ñandú'], ['nuestro'], ['estandar', STANDARD]] as const) {
      app = await server.newApp()
      const body = JSON.stringify({ Callback: `${receiver.url}/${path}`, Secret })
      const { json: webhook } = await app.call('POST', `/v3/appnotificaciones/${TOPIC}`, { body })
      await settled(server, [await one()])
      const [delivery] = await receiver.waitFor(1, `/${path}`)
      const { body: received = '', headers = {} } = delivery ?? {}
      const given = Secret === undefined ? webhook.Secret : webhook.SecretEstandar
      for (const secret of [given, ...(Secret ? [Secret] : [])])
        assert.equal((await verifyWebhook(headers, received, secret)).Topic, TOPIC, path)
      const verify = (text: string) => new Webhook(given).verify(text, headers as Record<string, string>)
      assert.deepEqual(verify(received), JSON.parse(received))
      assert.throws(() => verify(`${received} `), /No matching signature/)
    }
  })

  it('arrives at once, byte for byte, signed in both ways, with all headers', async () => {
    const id = await listening(`${receiver.url}/hook?token=oculto`, { HeaderCustom01: { Name: 'X-Mine', Value: 'si' } })
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'
    const event = eventOf(app.app.id, TOPIC, { traceparent })
    receiver.answer({ status: 201, body: 'gracias' })
    await server.store.transaction((tx) => insertEvents(tx, [event]))
    const [delivery] = await receiver.waitFor(1)
    assert.equal(delivery?.body, event.payload)
    assert.equal(delivery?.path, '/hook?token=oculto')
    const headers = delivery?.headers ?? {}
    new Webhook(Buffer.from(SECRET), { format: 'raw' }).verify(event.payload, headers as Record<string, string>)
    assert.equal(headers['notification-hook-id'], event.id)
    assert.equal(headers['notification-timestamp'], headers['webhook-timestamp'])
    assert.equal(headers['notification-topic'], TOPIC)
    assert.match(headers['notification-signature'] ?? '', /^[\w+/]{43}=$/)
    assert.equal(headers['webhook-attempt'], '1')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['user-agent'], `Rodado/${version} (+${server.config.publicUrl})`)
    assert.match(headers.traceparent ?? '', /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-00$/)
    assert.equal(headers['x-mine'], 'si')
    const described = (WEBHOOKS[TOPIC]?.post?.parameters ?? []).flatMap((each) =>
      'name' in each && each.name !== 'Notification-Signature-Anterior' ? each.name.toLowerCase() : [],
    )
    const others = ['host', 'connection', 'content-type', 'content-length', 'x-mine']
    assert.deepEqual(Object.keys(headers).sort(), [...described, ...others].sort(), 'all are in the document')

    const [settledRow] = await settled(server, [event.id])
    assert.deepEqual([settledRow?.estado, settledRow?.attempts, settledRow?.last_error], ['entregada', 1, null])
    const [attempt] = await attemptsOf(server, event.id)
    assert.deepEqual(
      { ...attempt, ms: 0 },
      {
        delivery_id: event.id,
        ms: 0,
        address: '127.0.0.1',
        status: 201,
        answer: 'gracias',
        error: null,
      },
    )
    const { Estado, UltimaEntrega, UltimoError } = await salud()
    assert.deepEqual([Estado, typeof UltimaEntrega, UltimoError], ['bien', 'string', null])

    const line = server
      .logged()
      .split('\n')
      .map((text) => (text ? JSON.parse(text) : {}))
      .find((each) => each.id === event.id)
    const { app: appId, webhook: hookId, topic, host, address, outcome, attempt: turn } = line
    assert.deepEqual(
      [appId, hookId, topic, host, address],
      [app.app.id, id, TOPIC, new URL(receiver.url).host, '127.0.0.1'],
    )
    assert.deepEqual([outcome, turn], ['delivered', 1])
    assert.ok(!server.logged().includes('oculto'))
    const metrics = await server.metrics.metrics()
    assert.match(
      metrics,
      /rodado_outbox_attempt_duration_seconds_count\{table="deliveries",outcome="delivered"\} [1-9]/,
    )
    assert.match(metrics, /rodado_outbox_queued\{table="deliveries"\} 0/)
    assert.match(metrics, /rodado_outbox_in_flight\{table="deliveries"\} 0/)
    assert.match(metrics, /rodado_outbox_behind_seconds\{table="deliveries"\} 0/)
  })

  it('without a secret has no signature, and a new trace if it had none', async () => {
    await listening(receiver.url, { Secret: null })
    await one()
    const [delivery] = await receiver.waitFor(1)
    assert.ok(!Object.keys(delivery?.headers ?? {}).some((name) => name.includes('signature')))
    assert.match(delivery?.headers.traceparent ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })

  it('retries a refused delivery under the same id with a new time and signature', async () => {
    await listening()
    receiver.answer((_, turn) => (turn === 1 ? { status: 500, body: 'ay' } : 200))
    const id = await one()
    const [waiting] = await tried(server, [id], 1)
    assert.deepEqual([waiting?.estado, waiting?.last_error], ['pendiente', 'El receptor respondió 500.'])
    assert.ok(Math.abs((waiting?.wait ?? 0) - 5) <= 2, `due in ${waiting?.wait} s`)
    assert.deepEqual([(await salud()).Estado, (await salud()).FallasSeguidas], ['fallando', 1])
    await makeDue(server)
    await settled(server, [id])
    const [first, second] = await receiver.waitFor(2)
    assert.equal(first?.body, second?.body)
    assert.deepEqual([first?.headers['webhook-id'], second?.headers['webhook-id']], [id, id])
    assert.equal(second?.headers['webhook-attempt'], '2')
    assert.deepEqual(
      (await attemptsOf(server, id)).map(({ status }) => status),
      [500, 200],
    )
    assert.deepEqual([(await salud()).Estado, (await salud()).FallasSeguidas], ['bien', 0])
  })

  it('follows the retry schedule exactly, then fails, and can be resent', async () => {
    await listening()
    receiver.answer(503)
    const id = await one()
    const MINUTE = 60
    const HOUR = 60 * MINUTE
    const schedule = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
    for (const [at, seconds] of schedule.entries()) {
      const [row] = await tried(server, [id], at + 1)
      assert.deepEqual([row?.estado, row?.attempts], ['pendiente', at + 1])
      assert.ok(Math.abs((row?.wait ?? 0) - seconds) < 20, `attempt ${at + 2} is due in ${row?.wait} s`)
      await makeDue(server)
    }
    const [failed] = await settled(server, [id])
    assert.deepEqual([failed?.estado, failed?.attempts], ['fallida', 10])
    receiver.release()
    assert.equal((await app.client.reenviarEntregas({ topic: TOPIC, evento: id })).Cantidad, 1)
    await until(async () => (await deliveriesOf(server, [id]))[0]?.estado === 'entregada')
    assert.equal(receiver.received.at(-1)?.headers['webhook-attempt'], '11')
  })

  const OUTCOMES: [string, Answer, RegExp, number | null][] = [
    [
      'is redirected stays where it is',
      { status: 302, headers: { location: 'https://example.com/' } },
      /302.*redirec/,
      302,
    ],
    ['is cut off', 'reset', /se cortó/, null],
    ['gets an answer that is not HTTP', 'babble', /no es HTTP/, null],
  ]
  for (const [what, answer, words, status] of OUTCOMES)
    it(`that ${what} is retried`, async () => {
      await listening()
      receiver.answer(answer)
      const id = await one()
      const [row] = await tried(server, [id], 1)
      assert.equal(row?.estado, 'pendiente')
      assert.match(row?.last_error ?? '', words)
      assert.equal((await attemptsOf(server, id))[0]?.status, status)
      receiver.release()
      await makeDue(server)
      assert.equal((await settled(server, [id]))[0]?.estado, 'entregada')
      assert.ok(receiver.received.every(({ path }) => path === '/hook'))
    })

  it('reports why a receiver is unreachable: name, port, certificate', async () => {
    const secure = await openReceiver({ tls: true })
    for (const [at, words] of [
      ['https://receptor.invalid/', /su nombre no existe/],
      [`http://127.0.0.1:${await freePort()}/`, /rechazó la conexión/],
      [secure.url, /autoridad conocida/],
    ] as const) {
      await listening(at)
      const [row] = await tried(server, [await one()], 1)
      assert.equal(row?.estado, 'pendiente')
      assert.match(row?.last_error ?? '', words)
    }
    assert.equal(secure.received.length, 0)
    await secure.close()
  })

  it('uses TLS if the certificate is valid', async () => {
    const secure = await openReceiver({ tls: true })
    const trusting = await startServer({ env: LOOPBACK, worker: { sending: { ca: receiverCa() } } })
    await listening(secure.url, {}, trusting)
    await one(trusting)
    await secure.waitFor(1)
    await trusting.stop()
    await secure.close()
  })

  it('a 2xx is a success however long the body is, of which 4 KiB are stored', async () => {
    await listening()
    receiver.answer('endless')
    const id = await one()
    assert.equal((await settled(server, [id]))[0]?.estado, 'entregada')
    assert.equal((await attemptsOf(server, id))[0]?.answer, 'x'.repeat(4_096))
  })

  it('waits for a slow receiver, up to a limit', async () => {
    await listening()
    receiver.answer('hang')
    const id = await one()
    await until(() => receiver.hanging() === 1)
    receiver.release()
    assert.equal((await settled(server, [id]))[0]?.estado, 'entregada')

    await listening(receiver.url, {}, hurried)
    receiver.answer('hang')
    const late = await one(hurried)
    const [row] = await tried(hurried, [late], 1)
    assert.deepEqual([row?.estado, row?.last_error], ['pendiente', 'No hubo respuesta en 15 s.'])
    await until(() => receiver.hanging() === 0)
    receiver.release()
    // Not left pending: it would come again in the midst of another test. On a busy machine it may be late once more.
    await until(async () => {
      await makeDue(hurried)
      return (await deliveriesOf(hurried, [late]))[0]?.estado === 'entregada'
    })
  })

  it('honours 429 with Retry-After, and the other deliveries wait too', async () => {
    const webhookId = await listening()
    receiver.answer({ status: 429, headers: { 'retry-after': '40' } })
    const id = await one()
    const [row] = await tried(server, [id], 1)
    assert.ok(Math.abs((row?.wait ?? 0) - 40) < 10, `due in ${row?.wait} s`)
    const { paused_until } = await webhook(webhookId)
    assert.ok(paused_until instanceof Date)
    const more = await storeEvents(server, app, TOPIC, 3)
    receiver.release()
    await makeDue(server)
    await endPauses(server)
    await settled(server, [id, ...more])
    assert.equal(receiver.received.length, 5)
  })

  it('a failed probe follows its own schedule and starts no new pause', async () => {
    const webhookId = await listening()
    receiver.answer((_, turn) => (turn === 1 ? { status: 429, headers: { 'retry-after': '1' } } : 500))
    const id = await one()
    await tried(server, [id], 1)
    await makeDue(server)
    await endPauses(server)
    await tried(server, [id], 2)
    assert.deepEqual([(await webhook(webhookId)).failures, (await webhook(webhookId)).paused_until], [2, null])
    receiver.release()
    await settled(server, [await one()])
    await makeDue(server)
    await settled(server, [id])
  })

  it('whose secret cannot be opened is not sent unsigned, and its app is notified', async () => {
    const webhookId = await listening()
    await server.store.query(
      sql`update webhooks set sealed_secret = '\\x0102', updated_at = now() where id = ${webhookId}`,
    )
    const id = await one()
    assert.equal((await tried(server, [id], 1))[0]?.estado, 'pendiente')
    const [attempt] = await attemptsOf(server, id)
    assert.equal(
      attempt?.error,
      'El Secret o los encabezados propios no se pueden leer: configúrelos de nuevo con PUT.',
    )
    assert.equal(receiver.received.length, 0)
    await app.client.editarWebhook({ topic: TOPIC }, { Callback: `${receiver.url}/hook`, Secret: SECRET })
    await makeDue(server)
    assert.equal((await settled(server, [id]))[0]?.estado, 'entregada')
  })

  it('resent before its first attempt does not count in the latency', async () => {
    const webhookId = await listening()
    const counted = async () => {
      const text = await server.metrics.metrics()
      const [, count] = /rodado_delivery_latency_seconds_count (\d+)/.exec(text) ?? assert.fail('it is not measured')
      return Number(count)
    }
    await server.store.query(sql`update webhooks set activo = false where id = ${webhookId}`)
    const missed = await storeEvents(server, app, TOPIC, 2)
    await settled(server, missed)
    await server.store.query(sql`update webhooks set activo = true where id = ${webhookId}`)
    const before = await counted()
    assert.equal((await app.client.reenviarEntregas({ topic: TOPIC, estado: 'descartada' })).Cantidad, missed.length)
    await settled(server, missed)
    assert.equal(await counted(), before)
    await settled(server, [await one()])
    assert.equal(await counted(), before + 1)
  })

  it('only those that succeed at their first attempt count in the latency of the status page', async () => {
    await listening()
    firsts.length = 0
    await settled(server, [await one()])
    assert.deepEqual(firsts, [true])
    receiver.answer(500)
    const id = await one()
    await tried(server, [id], 1)
    receiver.release()
    receiver.answer(204)
    await makeDue(server)
    await endPauses(server)
    await settled(server, [id])
    assert.deepEqual(firsts, [true, false])
    await server.store.query(sql`update webhooks set en_orden = true, updated_at = now() where app_id = ${app.app.id}`)
    firsts.length = 0
    await settled(server, await storeEvents(server, app, TOPIC, 2))
    assert.deepEqual(firsts, [true, true], 'those that are sent in order count too')
  })

  it('an attempt that the receiver asked for earlier is numbered and does not use up the schedule', async () => {
    await listening()
    receiver.answer({ status: 503, headers: { 'retry-after': '2' } })
    const id = await one()
    for (const times of [1, 2]) {
      assert.equal((await tried(server, [id], times))[0]?.attempts, 0)
      await makeDue(server)
      await endPauses(server)
    }
    await tried(server, [id], 3)
    receiver.release()
    await makeDue(server)
    await endPauses(server)
    await settled(server, [id])
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-attempt']),
      ['1', '2', '3', '4'],
    )
  })

  it('410 disables the webhook: its app is notified and pending deliveries are discarded', async () => {
    const webhookId = await listening()
    await server.store.query(sql`update apps set contacto = 'dev@crm.test' where id = ${app.app.id}`)
    receiver.answer('hang')
    const others = await storeEvents(server, app, TOPIC, 2)
    await until(() => receiver.hanging() === 2)
    await server.store.query(sql`
      insert into deliveries (id, app_id, webhook_id, due_at)
      values ('waiting', ${app.app.id}, ${webhookId}, now() + interval '1 hour')`)
    receiver.answer(410)
    const gone = await one()
    assert.equal((await settled(server, [gone]))[0]?.estado, 'fallida')
    assert.equal((await deliveriesOf(server, ['waiting']))[0]?.estado, 'descartada')
    assert.deepEqual([(await webhook(webhookId)).disabled_by, (await salud()).Estado], ['410', 'deshabilitado'])
    const [email] = await server.emails('dev@crm.test')
    assert.match(email?.subject ?? '', /quedó deshabilitado/)
    assert.match(email?.text ?? '', /410/)
    receiver.release()
    await settled(server, others)
    assert.equal((await settled(server, [await one()]))[0]?.estado, 'descartada')
    assert.deepEqual(
      (await settled(server, others)).map(({ estado }) => estado),
      ['entregada', 'entregada'],
    )
  })

  const inFlight = async () => {
    const [, count] = /rodado_outbox_in_flight\{table="deliveries"\} (\d+)/.exec(await server.metrics.metrics()) ?? []
    return Number(count)
  }

  it('after 410, deliveries that the worker has claimed already are not sent either', async () => {
    await listening()
    receiver.answer(({ id }) => (id === receiver.received[0]?.id ? 410 : 'hang'))
    const ids = await storeEvents(server, app, TOPIC, 60)
    await until(async () => (await salud()).Estado === 'deshabilitado')
    await until(async () => receiver.hanging() >= 15 && receiver.hanging() === (await inFlight()))
    const came = receiver.received.length
    receiver.release()
    const estados = (await settled(server, ids)).map(({ estado }) => estado)
    const count = (which: string) => estados.filter((estado) => estado === which).length
    assert.deepEqual([count('fallida'), count('entregada'), count('descartada')], [1, came - 1, 60 - came])
    assert.equal(receiver.received.length, came)
  })

  describe('no longer wanted', () => {
    const ways: [string, (webhookId: number) => Promise<unknown>][] = [
      [
        'it is switched off',
        (webhookId) => server.store.query(sql`update webhooks set activo = false where id = ${webhookId}`),
      ],
      ['it is removed', () => app.client.eliminarWebhook({ topic: TOPIC })],
      ['its topic is withdrawn', () => setTopics(server.store, app.app.appKey, [])],
      [
        'its app is disabled',
        () => server.store.query(sql`update apps set disabled_at = now() where id = ${app.app.id}`),
      ],
    ]
    for (const [what, end] of ways)
      it(`is discarded when ${what}, not sent`, async () => {
        const webhookId = await listening()
        receiver.answer(500)
        const ids = await storeEvents(server, app, TOPIC, 2)
        await tried(server, ids, 1)
        receiver.release()
        await end(webhookId)
        await makeDue(server)
        assert.deepEqual(
          (await settled(server, ids)).map(({ estado }) => estado),
          ['descartada', 'descartada'],
        )
        assert.equal(receiver.received.length, 2)
      })
  })
})
