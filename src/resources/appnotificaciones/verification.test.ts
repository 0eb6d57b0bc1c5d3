import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook } from '@rodado/client'
import sql from 'sql-template-tag'
import { createEmptyDatabase } from '../../../tests/support/database.ts'
import { LOOPBACK, SECRET, storeEvents } from '../../../tests/support/deliveries.ts'
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { MIGRATIONS_DIR, migrate, migrationNames } from '../../store/migrate.ts'

const TOPIC = 'consulta.recibida'
const AT = `/v3/appnotificaciones/${TOPIC}`

describe('a callback belongs to the app', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  before(async () => {
    receiver = await openReceiver({ verifications: true })
    server = await startServer({ env: LOOPBACK, worker: {} })
    await server.store.query(sql`alter table webhooks alter column verified_at drop default`)
  })
  after(async () => {
    await server.stop()
    await receiver.close()
  })
  const send = (method: string, path: string, body?: object) =>
    app.call(method, path, body && { body: JSON.stringify(body) })
  const resend = (query = '?todo=true') => send('POST', `${AT}/entregas/reenviar${query}`)
  const refusals = async () => {
    const { status, json } = await resend()
    return [status, json.Extensions?.Codigos?._]
  }
  const REFUSED = [400, ['callback-sin-verificar']]

  it('a new one gets a signed webhook.prueba; bulk resends wait for its first 2xx, single ones do not', async () => {
    app = await server.newApp()
    const [event = ''] = await storeEvents(server, app, TOPIC) // before there was a webhook
    receiver.answer(500)
    assert.equal((await send('POST', AT, { Callback: `${receiver.url}/uno`, Secret: SECRET })).status, 201)
    const [first] = await receiver.waitFor(1, '/uno')
    assert.ok(first)
    const { headers, body } = first
    assert.equal(headers['notification-topic'], 'webhook.prueba')
    const payload = (await verifyWebhook(headers, body, SECRET)) as unknown as Record<string, unknown>
    assert.deepEqual(
      [payload.Topic, payload.Prueba, payload.Webhook],
      ['webhook.prueba', true, { href: `/v3/appnotificaciones/${TOPIC}` }],
    )
    assert.deepEqual(await refusals(), REFUSED)
    assert.equal((await resend('?todo=true&simular=true')).status, 202)
    const { _entries } = (await app.get('/v3/appnotificaciones/webhook.prueba/entregas')).json
    assert.equal(_entries[0].Id, payload.Id, 'it is in the log')

    receiver.answer(200)
    assert.equal((await resend(`?evento=${event}`)).json.Cantidad, 1)
    await until(async () => (await resend()).status === 202)
  })

  it('one that changes gets it again; other settings do not, and a topic with a verified address need not wait', async () => {
    const verifications = () =>
      server.store.query(sql`select id from events where app_id = ${app.app.id} and topic = 'webhook.prueba'`)
    const before = await verifications()
    assert.equal((await send('PUT', AT, { Callback: `${receiver.url}/uno`, Description: 'otra' })).status, 200)
    assert.deepEqual(await verifications(), before)
    receiver.answer(({ path }) => (path === '/dos' ? 500 : 200))
    assert.equal((await send('PUT', AT, { Callback: `${receiver.url}/dos` })).status, 200)
    await receiver.waitFor(1, '/dos')
    assert.deepEqual(await refusals(), REFUSED)
    assert.equal((await verifications()).length, before.length + 1)

    const other = '/v3/appnotificaciones/consulta.modificada'
    assert.equal((await send('POST', other, { Callback: `${receiver.url}/tres` })).status, 201)
    await receiver.waitFor(1, '/tres')
    await until(async () => (await send('POST', `${other}/entregas/reenviar?todo=true`)).status === 202)
    assert.equal((await send('PUT', AT, { Callback: `${receiver.url}/tres` })).status, 200)
    assert.equal((await resend()).status, 202)
  })

  it('one without a Secret gets it unsigned, and one that is not active when it is', async () => {
    app = await server.newApp()
    const settings = { Callback: `${receiver.url}/cuatro`, Secret: null }
    assert.equal((await send('POST', AT, { ...settings, Activo: false })).status, 201)
    const pending = await server.store.query(sql`select from deliveries where app_id = ${app.app.id}`)
    assert.equal(pending.length, 0)
    assert.equal((await send('PUT', AT, settings)).status, 200)
    const [first] = await receiver.waitFor(1, '/cuatro')
    assert.deepEqual(
      [first?.headers['notification-topic'], first?.headers['webhook-signature']],
      ['webhook.prueba', undefined],
    )
  })

  it('test mode is left out', async () => {
    app = await server.newApp({ modo: 'prueba' })
    assert.equal((await send('POST', AT, { Callback: 'https://crm.example/avisos' })).status, 201)
    assert.equal((await server.store.query(sql`select from events where app_id = ${app.app.id}`)).length, 0)
    assert.equal((await resend()).status, 202)
  })

  it('those that exist at the upgrade count as verified', async () => {
    const database = await createEmptyDatabase()
    const dir = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'migrations-'))
    try {
      const names = await migrationNames()
      for (const name of names.slice(0, names.indexOf('0024_app_state_of_webhooks') + 1))
        await copyFile(join(MIGRATIONS_DIR, `${name}.sql`), join(dir, `${name}.sql`))
      await migrate(database.connection, { dir })
      await database.store.query(sql`
        with app as (
          insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'Old', 'produccion') returning id)
        insert into webhooks (app_id, topic, callback) select id, ${TOPIC}, 'https://crm.example' from app`)
      await migrate(database.connection)
      const rows = await database.store.query(sql`select verified_at is not null as verified from webhooks`)
      assert.deepEqual(rows, [{ verified: true }])
    } finally {
      await database.drop()
      await rm(dir, { recursive: true })
    }
  })
})
