import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { LOOPBACK, storeEvents } from '../../tests/support/deliveries.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { deliveryHandler } from './handler.ts'

describe('the handler of deliveries', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ env: LOOPBACK })
  })
  after(() => server.stop())

  it('an ordered webhook is released for a claim unless it is paused', async () => {
    const { store, seal, config, usage } = server
    const app = await server.newApp()
    const body = JSON.stringify({ Callback: 'http://127.0.0.1:9/a', EnOrden: true })
    const path = '/v3/appnotificaciones/consulta.recibida/destinos'
    assert.equal((await app.call('POST', path, { body })).status, 201)
    const [webhook] = await store.query<{ id: number }>(sql`
      update webhooks set paused_until = now() + interval '1 hour' where app_id = ${app.app.id} returning id`)
    const id = webhook?.id ?? assert.fail('there is no webhook')
    await storeEvents(server, app, 'consulta.recibida')
    const isDue = async () =>
      (
        await store.query<{ due: boolean }>(sql`select due_at <= now() as due from deliveries where webhook_id = ${id}`)
      )[0]?.due
    const handler = deliveryHandler({
      seal,
      config,
      usage,
      clock: () => new Date(),
      nowMs: () => performance.now(),
    })
    assert.deepEqual(await handler.queues?.admit?.(store, [id]), new Map())
    assert.equal(await isDue(), false)
    await store.query(sql`update webhooks set paused_until = null where id = ${id}`)
    // A delivery is released once no transaction is open that began before its event, in any database of the server.
    await until(async () => {
      assert.equal((await handler.queues?.admit?.(store, [id]))?.has(id), true)
      return isDue()
    })
    await handler.close?.()
  })
})
