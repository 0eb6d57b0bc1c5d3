import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { LOOPBACK } from '../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import type { Visitor } from '../../tests/support/visitor.ts'
import { alertFailing, latestAlerts } from './alerts.ts'
import { warnFailing } from './failure-warnings.ts'

describe('alerts of failing webhooks', () => {
  let server: TestServer
  let channel: Receiver
  let app: TestApp
  let dana: Visitor
  let email: string
  let path: string
  let webhook: string
  before(async () => {
    server = await startServer({ env: LOOPBACK, worker: {} })
    channel = await openReceiver()
    app = await server.newApp({ nombre: 'Gestor' })
    ;({ visitor: dana, email } = await makeDeveloper(server, app))
    path = `/portal/${app.app.appKey}/alertas`
    webhook = `/portal/${app.app.appKey}/webhooks/consulta.recibida`
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
    assert.equal((await app.call('POST', '/v3/appnotificaciones/consulta.recibida', { body })).status, 201)
  })
  after(async () => {
    await server.stop()
    await channel.close()
  })

  const texts = async (count: number) =>
    (await channel.waitFor(count)).map(({ body }) => (JSON.parse(body) as { text: string }).text)
  const run = () => alertFailing(server.store, { config: server.config })
  const failFor = (minutes: number | null) =>
    server.store.query(sql`
      update webhooks set failing_since = now() - make_interval(mins => ${minutes}), last_error = 'Respondió 500.', warnings = 0
      where app_id = ${app.app.id} and topic = 'consulta.recibida'`)
  const states = async () => (await latestAlerts(server.store, app.app.id)).map(({ estado }) => estado)

  it('400: an address that callbacks may not reach, and 409: a test without an address', async () => {
    for (const Url of ['', 'nada', 'ftp://x.example/', 'https://10.0.0.1/x', 'http://10.0.0.1/x']) {
      const { status, text } = await dana.post(path, { Url, Minutos: '15' })
      assert.equal(status, 400, Url)
      assert.match(text, /campo-Url-error/)
    }
    assert.equal((await dana.post(path, { Url: `${channel.url}/x`, Minutos: '7' })).status, 400)
    assert.equal((await dana.post(`${path}/prueba`, {})).status, 409)
  })

  it('303: the address is saved, not shown again; a test message arrives; a sixth in a minute is refused', async () => {
    const saved = await dana.post(path, { Url: `${channel.url}/services/T0/B0/zzzzSECRET`, Minutos: '15' })
    assert.equal(saved.status, 303)
    for (let sent = 0; sent < 5; sent++) assert.equal((await dana.post(`${path}/prueba`, {})).status, 303)
    assert.equal((await dana.post(`${path}/prueba`, {})).status, 409)
    const [first] = await texts(5)
    assert.match(first ?? '', /^Gestor: mensaje de prueba/)
    const [{ headers, path: at } = {}] = channel.received
    assert.deepEqual([headers?.['content-type'], at], ['application/json', '/services/T0/B0/zzzzSECRET'])
    const { text } = await dana.get(path)
    assert.ok(!text.includes('zzzzSECRET') && text.includes('…CRET'))
    await until(async () => (await states()).every((estado) => estado === 'entregada'))
  })

  it('one message, with its webhook and a link, when a failure has lasted long enough, one when it ends', async () => {
    await failFor(10)
    await run()
    await failFor(4_400)
    await run()
    await run()
    const { publicUrl } = server.config
    assert.equal(
      (await texts(6))[5],
      `Gestor: el webhook consulta.recibida falla desde hace 3 días. Respondió 500. Vea qué pasa en ${publicUrl}${webhook}`,
    )
    assert.match((await dana.get(path)).text, /Un webhook necesita atención/)
    await server.store.query(sql`update webhooks set description = 'CRM <!channel>' where app_id = ${app.app.id}`)
    await failFor(null)
    await run()
    assert.equal((await states()).length, 6, 'another address, or enabled again: nothing was delivered yet')
    await server.store.query(sql`update webhooks set last_delivery_at = now() where app_id = ${app.app.id}`)
    await run()
    await run()
    assert.match((await texts(7))[6] ?? '', /recibida «CRM &lt;!channel&gt;» volvió a funcionar/)
    assert.equal(channel.received.length, 7)
    assert.match((await dana.get(path)).text, /Ningún webhook falla/)
  })

  it('a message that is not accepted is tried again; 404 is final; one whose channel is gone is discarded', async () => {
    const retry = () => server.store.query(sql`update alerts set due_at = now() where estado = 'pendiente'`)
    await server.store.query(sql`update alerts set created_at = now() - interval '1 hour'`)
    channel.answer(500)
    await dana.post(`${path}/prueba`, {})
    await texts(8)
    await until(async () => (await latestAlerts(server.store, app.app.id))[0]?.error !== null)
    assert.equal((await states())[0], 'pendiente')
    channel.answer(404)
    await retry()
    await until(async () => {
      await server.store.transaction(async (tx) => tx.notify('alerts'))
      return (await states())[0] === 'fallida'
    })
    channel.release()
    assert.equal((await dana.post(`${path}/quitar`, {})).status, 303)
    await server.store.query(sql`insert into alerts (app_id, texto) values (${app.app.id}, 'x')`)
    await until(async () => (await states())[0] === 'descartada')
  })

  it('another address gets the next message, although the connection to the former one is still open', async () => {
    const other = await openReceiver()
    const send = async ({ url }: Receiver) => {
      await server.store.query(sql`update alerts set created_at = now() - interval '1 hour'`)
      assert.equal((await dana.post(path, { Url: `${url}/canal`, Minutos: '15' })).status, 303)
      assert.equal((await dana.post(`${path}/prueba`, {})).status, 303)
    }
    const before = channel.received.length
    await send(channel)
    await channel.waitFor(before + 1)
    await send(other)
    await other.waitFor(1)
    assert.equal(channel.received.length, before + 1)
    await other.close()
  })

  it('emails: to the contact, and to members who want them', async () => {
    await server.store.query(sql`
      insert into events (id, app_id, topic, payload) values ('01JNG3Y4Z5A6B7C8D9E0F1G2H3', ${app.app.id}, 'consulta.recibida', '{}')`)
    await server.store.query(sql`
      insert into deliveries (id, webhook_id, app_id, due_at, attempts, last_error)
      select '01JNG3Y4Z5A6B7C8D9E0F1G2H3', id, app_id, now() + interval '1 day', 1, 'Respondió 500.' from webhooks
      where app_id = ${app.app.id} and topic = 'consulta.recibida'`)
    const emailsTo = () =>
      server.store.query<{ to: string }>(sql`select to_address as to from mails where to_address = ${email}`)
    await failFor(7 * 60)
    await warnFailing(server.store, server)
    assert.equal((await emailsTo()).length, 0)
    assert.equal((await dana.post(`${path}/correo`, { quiere: 'si' })).status, 303)
    await failFor(7 * 60)
    await warnFailing(server.store, server)
    assert.equal((await emailsTo()).length, 1)
    assert.match((await dana.get(path)).text, /Usted recibe esos correos[\s\S]*Dejar de recibirlos/)
    await server.store.query(sql`update apps set contacto = ${email} where id = ${app.app.id}`)
    const asContact = (await dana.get(path)).text
    assert.match(asContact, /porque es el contacto/)
    assert.doesNotMatch(asContact, /Dejar de recibirlos/)
  })

  it('the bell leads to the endpoint that fails', async () => {
    const body = JSON.stringify({ Callback: 'https://crm.example/otro' })
    const { json } = await app.call('POST', '/v3/appnotificaciones/consulta.recibida/destinos', { body })
    assert.equal(json.Id, 2)
    await server.store.query(
      sql`update webhooks set failing_since = now() where app_id = ${app.app.id} and destino = 2`,
    )
    assert.match((await dana.get(path)).text, /href="[^"]*\/webhooks\/consulta\.recibida\/destinos\/2"/)
  })
})
