import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { makeAgencia, needsOf } from '../support/agencia.ts'
import { openReceiver, type Received, type Receiver } from '../support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOPIC = 'agencia.registrada'
const WEBHOOK = `/v3/appnotificaciones/${TOPIC}`

/** As a partner writes it, from the documents alone. */
function isOurs({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest()
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((each) => Buffer.from(each.replace('v1,', ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

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
  const call = (method: string, path: string, body?: object) =>
    app.call(method, path, body && { body: JSON.stringify(body) })
  const estadoOf = async (id: string) => (await app.get(`${WEBHOOK}/entregas/${id}`)).json.Estado

  it('subscribes, tries it, is told, replaces the secret, fails, switches off, and catches up in one call', async () => {
    app = await server.newApp()
    const callback = `${receiver.url}/avisos`
    const custom = { HeaderCustom01: { Name: 'Authorization', Value: 'Bearer propio' } }
    const { Secret } = (await call('POST', WEBHOOK, { Callback: callback, ...custom })).json

    // A test arrives, signed, with the partner's own header.
    const { Id } = (await call('POST', `${WEBHOOK}/prueba`)).json
    const [test] = await receiver.waitFor(1, '/avisos')
    assert.ok(test && isOurs(test, Secret))
    assert.deepEqual([test.id, JSON.parse(test.body).Prueba, test.headers.authorization], [Id, true, 'Bearer propio'])
    await until(async () => (await app.get(WEBHOOK)).json.Salud.Estado === 'bien')
    const [attempt] = (await app.get(`${WEBHOOK}/entregas/${Id}`)).json.Intentos
    assert.deepEqual([attempt.Status, attempt.Error, attempt.Direccion], [200, null, '127.0.0.1'])

    // The true thing arrives as the feed has it, byte for byte.
    const { mail } = await makeAgencia(needsOf(server), app.app)
    const [, told] = await receiver.waitFor(2, '/avisos')
    assert.equal(JSON.parse(told?.body ?? '').AdminMail, mail)
    await until(async () => (await app.get('/v3/eventos')).text.includes(told?.body ?? ''))

    // Both secrets verify while one replaces the other.
    const next = 'un secreto propio, bien largo'
    await call('PUT', WEBHOOK, { Callback: callback, Secret: next })
    await call('POST', `${WEBHOOK}/prueba`)
    const [, , rotated] = await receiver.waitFor(3, '/avisos')
    assert.ok(rotated && isOurs(rotated, Secret))
    assert.ok(isOurs(rotated, `whsec_${Buffer.from(next).toString('base64')}`))
    assert.equal(rotated.headers.authorization, undefined, 'left out of the PUT')

    // Its server is broken, then the webhook is off: both kinds are caught up with in one call.
    const path = '/despues'
    await call('PUT', WEBHOOK, { Callback: `${receiver.url}${path}`, Secret: null })
    receiver.answer(500)
    const failed = (await call('POST', `${WEBHOOK}/prueba`)).json.Id
    await until(async () => (await app.get(WEBHOOK)).json.Salud.Estado === 'fallando')
    await call('PUT', WEBHOOK, { Callback: `${receiver.url}${path}`, Activo: false })
    await until(async () => (await estadoOf(failed)) === 'descartada')
    const { agencia } = await makeAgencia(needsOf(server), app.app)
    receiver.answer(200)
    receiver.received.length = 0
    await call('PUT', WEBHOOK, { Callback: `${receiver.url}${path}` })
    const resent = await call('POST', `${WEBHOOK}/entregas/reenviar?estado=fallida,descartada&desde=2020-01-01`)
    assert.equal(resent.json.Cantidad, 2)
    const caught = await receiver.waitFor(2, path)
    assert.deepEqual(caught.map(({ id }) => id).sort()[0], failed)
    assert.ok(caught.some(({ body }) => JSON.parse(body).AdminMail === agencia.adminMail))
    for (const { headers } of caught) assert.equal(headers['webhook-signature'], undefined, 'without a secret')
    await until(async () => (await estadoOf(failed)) === 'entregada')
    assert.equal((await app.get(`${WEBHOOK}/entregas/${failed}`)).json.Intentos.length, 2)
  })

  it('202: asking for everything again and again while it is being sent loses nothing and disturbs nobody', async () => {
    app = await server.newApp()
    await call('POST', WEBHOOK, { Callback: `${receiver.url}/otra` })
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload)
      select '01JNG3Y4Z5' || lpad(n::text, 16, '0'), ${app.app.id}, ${TOPIC}, '{}' from generate_series(1, 2000) n`)
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([1, 2].map(() => call('POST', `${WEBHOOK}/entregas/reenviar`)))
      for (const { status, json } of answers) assert.deepEqual([status, json.Cantidad], [202, 2000])
    }
    await until(async () => (await app.get(`${WEBHOOK}/entregas?estado=pendiente`)).json._entries.length === 0, 60_000)
    const ids = new Set((await receiver.waitFor(2000, '/otra')).map(({ id }) => id))
    assert.equal(ids.size, 2000)
    const [counted] = await server.store.query(sql`
      select count(*) from deliveries where app_id = ${app.app.id} and estado = 'entregada'`)
    assert.deepEqual(counted, { count: 2000 })
    assert.doesNotMatch(server.logged(), /"level":50/)
  })
})
