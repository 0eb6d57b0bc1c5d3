import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook, WebhookError } from '@rodado/client'
import sql from 'sql-template-tag'
import { startServer } from '../secrets/watched.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import { openReceiver, type Received, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Enough that they are being sent while they are resent. */
const MANY = 500
const TOPIC = 'agencia.registrada'
const AT = { topic: TOPIC }

describe('story: a partner and its webhooks', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  before(async () => {
    server = await startServer({ worker: {}, env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' } })
    receiver = await openReceiver()
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })
  const saludOf = async () => (await app.client.verWebhook(AT)).Salud.Estado
  const estadoOf = async (id: string) => (await app.client.verEntrega({ ...AT, id })).Estado
  const verify = ({ headers, body }: Received, secret: string) => verifyWebhook(headers, body, secret)

  it('subscribes, tests, is notified, replaces the secret, fails, switches off, and catches up in one call', async () => {
    app = await server.newApp()
    const callback = `${receiver.url}/avisos`
    const custom = { HeaderCustom01: { Name: 'Authorization', Value: 'Bearer propio' } }
    const { Secret } = await app.client.configurarWebhook(AT, { Callback: callback, ...custom })
    assert(Secret)

    // A test arrives, signed, with the partner's own header.
    const { Id } = await app.client.probarWebhook(AT)
    const [test] = await receiver.waitFor(1, '/avisos')
    assert(test)
    assert.deepEqual(
      [(await verify(test, Secret)).Id, JSON.parse(test.body).Prueba, test.headers.authorization],
      [Id, true, 'Bearer propio'],
    )
    await until(async () => (await saludOf()) === 'bien')
    const [attempt] = (await app.client.verEntrega({ ...AT, id: Id })).Intentos
    assert.deepEqual([attempt?.Status, attempt?.Error, attempt?.Direccion], [200, null, '127.0.0.1'])

    // The true thing arrives as the feed has it, byte for byte.
    const { mail } = await makeAgencia(depsOf(server), app.app)
    const [, delivered] = await receiver.waitFor(2, '/avisos')
    assert.equal(JSON.parse(delivered?.body ?? '').AdminMail, mail)
    await until(async () => (await app.get('/v3/eventos')).text.includes(delivered?.body ?? ''))

    // Both secrets verify while one replaces the other.
    const next = 'un secreto propio, bien largo'
    await app.client.editarWebhook(AT, { Callback: callback, Secret: next })
    await app.client.probarWebhook(AT)
    const [, , rotated] = await receiver.waitFor(3, '/avisos')
    assert(rotated)
    for (const secret of [Secret, next]) await verify(rotated, secret)
    await assert.rejects(verify(rotated, 'otro secreto, de nadie'), WebhookError)
    assert.equal(rotated.headers.authorization, undefined, 'left out of the PUT')

    // Its server is broken, then the webhook is off: both kinds are caught up with in one call.
    const path = '/despues'
    await app.client.editarWebhook(AT, { Callback: `${receiver.url}${path}`, Secret: null })
    receiver.answer(500)
    const { Id: failed } = await app.client.probarWebhook(AT)
    await until(async () => (await saludOf()) === 'fallando')
    await app.client.editarWebhook(AT, { Callback: `${receiver.url}${path}`, Activo: false })
    await until(async () => (await estadoOf(failed)) === 'descartada')
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    receiver.answer(200)
    receiver.received.length = 0
    await app.client.editarWebhook(AT, { Callback: `${receiver.url}${path}` })
    const since = { estado: 'fallida,descartada', desde: '2020-01-01' }
    assert.equal((await app.client.reenviarEntregas({ ...AT, ...since, simular: true })).Cantidad, 2)
    assert.equal((await app.client.reenviarEntregas({ ...AT, ...since })).Cantidad, 2)
    const caught = await receiver.waitFor(2, path)
    assert.deepEqual(caught.map(({ id }) => id).sort()[0], failed)
    assert.ok(caught.some(({ body }) => JSON.parse(body).AdminMail === agencia.adminMail))
    for (const { headers } of caught) assert.equal(headers['webhook-signature'], undefined, 'without a secret')
    await until(async () => (await estadoOf(failed)) === 'entregada')
    assert.equal((await app.client.verEntrega({ ...AT, id: failed })).Intentos.length, 2)
  })

  it('202: resending everything again and again while it is being sent loses nothing', async () => {
    app = await server.newApp()
    await app.client.configurarWebhook(AT, { Callback: `${receiver.url}/otra` })
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload)
      select '01JNG3Y4Z5' || lpad(n::text, 16, '0'), ${app.app.id}, ${TOPIC}, '{}' from generate_series(1, ${MANY}::int) n`)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([1, 2].map(() => app.client.reenviarEntregas({ ...AT, todo: true })))
      for (const { Cantidad } of answers) assert.equal(Cantidad, MANY)
    }
    const pending = async () => (await app.client.listarEntregas({ ...AT, estado: 'pendiente' }))._entries
    await until(async () => (await pending()).length === 0, 60_000)
    const ids = new Set((await receiver.waitFor(MANY, '/otra')).map(({ id }) => id))
    assert.equal(ids.size, MANY)
    const [counted] = await server.store.query(sql`
      select count(*) from deliveries where app_id = ${app.app.id} and estado = 'entregada'`)
    assert.deepEqual(counted, { count: MANY })
    assert.doesNotMatch(server.logged(), /"level":50/)
  })
})
