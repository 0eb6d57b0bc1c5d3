import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import type { Modo } from '../../src/apps/app.ts'
import { warnFailing } from '../../src/webhooks/failure-warnings.ts'
import { TOPICS, type Topic } from '../../src/webhooks/topics.ts'
import { startServer } from '../secrets/watched.ts'
import {
  attemptsOf,
  deliveriesOf,
  endPauses,
  hook,
  LOOPBACK,
  makeDue,
  SECRET,
  settled,
  storeEvents,
  tried,
} from '../support/deliveries.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOPIC: Topic = 'agencia.registrada'
const CONTACT = 'dev@crm.test'

describe('story: failing receivers', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK, worker: {} })
  })
  afterEach(() => {
    receiver.release()
    receiver.received.length = 0
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })

  async function listening(more = {}, modo: Modo = 'produccion'): Promise<number> {
    app = await server.newApp({ modo })
    await server.store.query(sql`update apps set contacto = ${CONTACT} where id = ${app.app.id}`)
    return hook(server, app, TOPIC, `${receiver.url}/${app.app.id}`, more)
  }
  const webhook = async (id: number) => {
    const [row] = await server.store.query<{
      failures: number
      paused_until: Date | null
      failing_since: Date | null
      warnings: number
      disabled_by: string | null
    }>(sql`select * from webhooks where id = ${id}`)
    return row ?? assert.fail('there is no webhook')
  }
  const salud = async () => (await app.client.verWebhook({ topic: TOPIC })).Salud
  const put = (body: { Activo?: boolean; Secret?: string }) =>
    app.client.editarWebhook({ topic: TOPIC }, { Callback: `${receiver.url}/${app.app.id}`, ...body })
  const resend = async (which: { estado?: string; evento?: string; desde?: string }) =>
    (await app.client.reenviarEntregas({ topic: TOPIC, ...which })).Cantidad

  it('one failure opens nothing: later deliveries leave at once, and it is retried when due', async () => {
    const webhookId = await listening()
    receiver.answer(500)
    const ids = await storeEvents(server, app, TOPIC)
    await tried(server, ids, 1)
    assert.deepEqual([(await webhook(webhookId)).failures, (await webhook(webhookId)).paused_until], [1, null])
    await server.store.query(sql`update deliveries set due_at = now() where id = any (${ids})`)
    await tried(server, ids, 2)
    receiver.release()
    assert.equal((await settled(server, await storeEvents(server, app, TOPIC)))[0]?.estado, 'entregada')
    assert.equal((await deliveriesOf(server, ids))[0]?.estado, 'pendiente')
  })

  it('the breaker opens after ten failures in a row; pending deliveries are not tried and lose no attempt', async () => {
    const webhookId = await listening()
    receiver.answer(500)
    const first = await storeEvents(server, app, TOPIC, 12)
    await until(async () => (await webhook(webhookId)).paused_until !== null)
    assert.ok((await webhook(webhookId)).failures >= 10)
    await server.store.query(sql`update webhooks set paused_until = now() + interval '1 hour' where id = ${webhookId}`)
    await until(async () => (await deliveriesOf(server, first)).every(({ leased }) => !leased))
    const calls = receiver.received.length
    assert.ok(calls >= 10)
    const later = await storeEvents(server, app, TOPIC, 20)
    const other = await server.newApp() // when its event has come, the worker has looked at that queue too
    await hook(server, other, TOPIC, `${receiver.url}/other`)
    receiver.answer(({ path }) => (path === '/other' ? 200 : 500))
    await settled(server, await storeEvents(server, other, TOPIC))
    assert.equal(receiver.received.filter(({ path }) => path !== '/other').length, calls)
    assert.ok(
      (await deliveriesOf(server, later)).every(({ attempts, estado }) => attempts === 0 && estado === 'pendiente'),
    )

    // Half open: one delivery probes, and fails.
    await server.store.query(sql`update webhooks set paused_until = now() where id = ${webhookId}`)
    await receiver.waitFor(calls + 2)
    await until(async () => (await webhook(webhookId)).failures === calls + 1)
    await server.store.query(sql`update webhooks set paused_until = now() + interval '1 hour' where id = ${webhookId}`)
    assert.equal(receiver.received.filter(({ path }) => path !== '/other').length, calls + 1)

    receiver.release()
    await makeDue(server)
    await endPauses(server)
    assert.ok((await settled(server, [...first, ...later])).every(({ estado }) => estado === 'entregada'))
    const { failures, paused_until, failing_since } = await webhook(webhookId)
    assert.deepEqual([failures, paused_until, failing_since], [0, null, null])
  })

  it('test mode retries within minutes, and the breaker pauses for seconds', async () => {
    const wait = async (modo: Modo) => {
      const webhookId = await listening({}, modo)
      receiver.answer(500)
      await server.store.query(sql`
        update webhooks set failures = 99, failing_since = now() - interval '1 day', paused_until = now() + interval '1 hour'
        where id = ${webhookId}`)
      const ids = await storeEvents(server, app, TOPIC)
      await server.store.query(sql`update deliveries set attempts = 8 where id = any (${ids})`)
      await endPauses(server)
      const [delivery] = await tried(server, ids, 1)
      const until = (await webhook(webhookId)).paused_until ?? assert.fail('the breaker is closed')
      const pause = (until.getTime() - Date.now()) / 1000
      receiver.release()
      await makeDue(server)
      await endPauses(server)
      await settled(server, ids) // it is well again, and in nobody's way
      return { delivery: delivery?.wait ?? 0, pause }
    }
    const [production, test] = [await wait('produccion'), await wait('prueba')]
    assert.ok(production.delivery > 69_000 && production.pause > 200, JSON.stringify(production))
    assert.ok(test.delivery > 400 && test.delivery <= 720 && test.pause <= 5, JSON.stringify(test))
  })

  it('emails the app’s contact after 6, 24 and 72 hours, once each, and when it is disabled after 5 days', async () => {
    const webhookId = await listening()
    receiver.answer(500)
    const ids = await storeEvents(server, app, TOPIC, 2)
    await tried(server, ids, 1)
    const after = async (hours: number) => {
      await server.store.query(sql`
        update webhooks set failing_since = now() - make_interval(mins => ${hours * 60}::int) where id = ${webhookId}`)
      for (let twice = 0; twice < 2; twice++) await warnFailing(server.store, server)
      return (await server.emails(CONTACT)).map(({ subject }) => subject)
    }
    assert.deepEqual(await after(5.9), [])
    assert.equal((await after(6)).length, 1)
    assert.equal((await after(23.9)).length, 1)
    assert.match((await after(24.1))[0] ?? '', /24 horas/)
    assert.match((await after(73))[0] ?? '', /3 días/)
    assert.equal((await after(119)).length, 3)
    assert.equal((await salud()).Estado, 'fallando')
    assert.match((await after(120.1))[0] ?? '', /deshabilitado/)
    assert.equal((await after(500)).length, 4)
    const [, warning] = await server.emails(CONTACT)
    assert.match(warning?.text ?? '', /Hay 2 notificaciones en espera/)
    assert.match(warning?.text ?? '', /El receptor respondió 500/)
    assert.deepEqual([(await salud()).Estado, (await webhook(webhookId)).disabled_by], ['deshabilitado', 'fallas'])
    assert.ok((await deliveriesOf(server, ids)).every(({ estado }) => estado === 'descartada'))
  })

  it('an event that is being sent for the first time is no failure: it does not disable a webhook that failed last week', async () => {
    const webhookId = await listening()
    const before = (await server.emails(CONTACT)).length
    await server.store.query(sql`
      update webhooks set failing_since = now() - interval '6 days', warnings = 3, failures = 10 where id = ${webhookId}`)
    receiver.answer('hang')
    const ids = await storeEvents(server, app, TOPIC)
    await until(() => receiver.hanging() === 1)
    await warnFailing(server.store, server)
    receiver.release()
    const [delivery] = await settled(server, ids)
    assert.deepEqual([delivery?.estado, (await webhook(webhookId)).disabled_by], ['entregada', null])
    assert.equal((await server.emails(CONTACT)).length, before)
  })

  it('a failure long after the last one starts the five days again: it neither warns nor disables', async () => {
    const webhookId = await listening()
    receiver.answer(500)
    const ids: string[] = []
    const failAgain = async () => {
      const events = await storeEvents(server, app, TOPIC)
      ids.push(...events)
      await tried(server, events, 1)
      await server.store.query(sql`update deliveries set due_at = now() + interval '1 day' where id = any (${events})`)
      await warnFailing(server.store, server)
      const { failures, warnings, failing_since, disabled_by } = await webhook(webhookId)
      const hours = (Date.now() - (failing_since?.getTime() ?? assert.fail('it does not fail'))) / 3_600_000
      return { failures, warnings, hours: Math.round(hours), disabled_by }
    }
    const failedHoursAgo = (hours: number) =>
      server.store.query(sql`
        update webhooks set failing_since = now() - interval '4 days', warnings = 3, failures = 1,
          last_failed_at = now() - make_interval(hours => ${hours})
        where id = ${webhookId}`)
    await failedHoursAgo(29)
    assert.deepEqual(await failAgain(), { failures: 2, warnings: 3, hours: 96, disabled_by: null })
    const before = (await server.emails(CONTACT)).length
    await failedHoursAgo(31)
    assert.deepEqual(await failAgain(), { failures: 2, warnings: 0, hours: 0, disabled_by: null })
    assert.equal((await server.emails(CONTACT)).length, before)
    receiver.release()
    await makeDue(server)
    await settled(server, ids) // none is retried during another test
  })

  it('a success resets everything', async () => {
    const webhookId = await listening()
    await server.store.query(sql`
      update webhooks set failing_since = now() - interval '4 days', warnings = 3, failures = 9 where id = ${webhookId}`)
    await settled(server, await storeEvents(server, app, TOPIC))
    const { warnings, failures, failing_since } = await webhook(webhookId)
    assert.deepEqual([warnings, failures, failing_since], [0, 0, null])
  })

  it('disabled, repaired and enabled again: one call resends everything missed', async () => {
    await listening()
    receiver.answer(410)
    const gone = await storeEvents(server, app, TOPIC)
    await settled(server, gone)
    const missed = await storeEvents(server, app, TOPIC, 3)
    assert.ok((await deliveriesOf(server, missed)).every(({ estado }) => estado === 'descartada'))
    receiver.release()
    receiver.received.length = 0
    await put({ Activo: true })
    assert.notEqual((await salud()).Estado, 'deshabilitado')
    const [email] = await server.emails(CONTACT)
    const [, query = ''] = /entregas\/reenviar\?(\S+)/.exec(email?.text ?? '') ?? []
    assert.equal(await resend(Object.fromEntries(new URLSearchParams(query))), 4, 'as the email says')
    assert.deepEqual((await receiver.waitFor(4)).map(({ id }) => id).sort(), [...gone, ...missed].sort())
    await settled(server, [...gone, ...missed])
  })

  it('suspended (Activo: false) and enabled again: the same', async () => {
    await listening()
    await put({ Activo: false })
    const missed = await storeEvents(server, app, TOPIC, 3)
    await put({ Activo: true })
    await resend({ estado: 'descartada' })
    assert.deepEqual((await receiver.waitFor(3)).map(({ id }) => id).sort(), missed.sort())
    await settled(server, missed)
  })

  it('a replaced secret signs beside the new one for a day', async () => {
    const webhookId = await listening()
    const renewed = `whsec_${Buffer.from('una clave nueva de 32 octetos...').toString('base64')}`
    await put({ Secret: renewed })
    const verify = async (secret: string | Buffer) => {
      const { body, headers } = receiver.received.at(-1) ?? assert.fail('nothing came')
      const webhook = typeof secret === 'string' ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
      webhook.verify(body, headers as Record<string, string>)
      return headers
    }
    await settled(server, await storeEvents(server, app, TOPIC))
    await verify(renewed)
    assert.ok((await verify(Buffer.from(SECRET)))['notification-signature-anterior'])
    await server.store.query(sql`update webhooks set former_secret_until = now() where id = ${webhookId}`)
    await settled(server, await storeEvents(server, app, TOPIC))
    await verify(renewed)
    await assert.rejects(verify(Buffer.from(SECRET)))
  })

  it('resent during an attempt: not sent twice at once, and not forgotten', async () => {
    await listening()
    receiver.answer('hang')
    const ids = await storeEvents(server, app, TOPIC)
    await until(() => receiver.hanging() === 1)
    await resend({ evento: ids[0] ?? '' })
    assert.equal(receiver.received.length, 1)
    receiver.answer(200)
    receiver.release()
    assert.equal((await settled(server, ids))[0]?.estado, 'entregada')
    assert.equal((await attemptsOf(server, ids[0] ?? '')).length, 1)
  })

  it('deliveries in progress when the server stops are finished and settled; pending ones stay', async () => {
    const stopping = await startServer({ env: LOOPBACK, worker: {}, connection: server.connection })
    await listening()
    await server.store.query(sql`update webhooks set activo = true`)
    receiver.answer('hang')
    const ids = await storeEvents(server, app, TOPIC, 40)
    await until(() => receiver.hanging() > 16) // all slots of both are busy
    const stopped = stopping.stop()
    receiver.release()
    await stopped
    assert.ok((await settled(server, ids)).every(({ estado, attempts }) => estado === 'entregada' && attempts === 1))
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, receiver.received.length, 'nothing came twice')
  })

  it('a call that hangs when the server stops is stored as an attempt, and the schedule does not count it', async () => {
    const resting = await startServer({ env: LOOPBACK })
    const { connection } = resting
    const stopping = await startServer({ env: LOOPBACK, worker: { timing: { drainMs: 0 } }, connection })
    app = await stopping.newApp()
    const webhookId = await hook(stopping, app, TOPIC, receiver.url)
    receiver.answer('hang')
    const [id = ''] = await storeEvents(stopping, app, TOPIC)
    await until(() => receiver.hanging() === 1)
    await stopping.stop()
    receiver.release()
    const next = await startServer({ env: LOOPBACK, worker: {}, connection })
    await settled(next, [id])
    const errors = (await attemptsOf(next, id)).map(({ error }) => error)
    assert.deepEqual(errors, ['El servidor que enviaba se detuvo antes de la respuesta: se envía de nuevo.', null])
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-attempt']),
      ['1', '2'],
    )
    const [{ failures } = { failures: -1 }] = await next.store.query<{ failures: number }>(sql`
      select failures from webhooks where id = ${webhookId}`)
    assert.equal(failures, 0)
    await next.stop()
    await resting.stop()
  })
})

describe('story: one hanging receiver among fifty', () => {
  const EACH = 5
  let server: TestServer
  let receiver: Receiver
  let hanging: Receiver
  before(async () => {
    ;[receiver, hanging] = await Promise.all([openReceiver(), openReceiver()])
    server = await startServer({ env: LOOPBACK, worker: { timing: { drainMs: 0 } } })
    hanging.answer('hang')
  })
  after(async () => {
    await server.stop()
    await Promise.all([receiver.close(), hanging.close()])
  })

  // By how much the others wait longer is a matter of time, and so of `npm run drill:slow`.
  it('delays no other: everything else arrives while it still hangs', async () => {
    const apps = await Promise.all(Array.from({ length: 5 }, () => server.newApp()))
    const targets = apps.flatMap((app) => TOPICS.map((topic) => ({ app, topic })))
    const [slow, ...healthy] = targets as [(typeof targets)[number], ...typeof targets]
    for (const { app, topic } of healthy) await hook(server, app, topic, receiver.url)
    await hook(server, slow.app, slow.topic, hanging.url)
    await storeEvents(server, slow.app, slow.topic, 100)
    await until(() => hanging.hanging() === 16) // all slots of its queue
    const ids = (await Promise.all(healthy.map(({ app, topic }) => storeEvents(server, app, topic, EACH)))).flat()
    assert.ok((await settled(server, ids)).every(({ estado, attempts }) => estado === 'entregada' && attempts === 1))
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, ids.length)
    assert.equal(hanging.hanging(), 16)
  })
})
