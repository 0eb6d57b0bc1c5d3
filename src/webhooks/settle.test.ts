import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { WEBHOOK_VERSION } from './destinations.ts'
import { settleDeliveries } from './settle.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

it('a 410 of the former address does not disable a webhook, even if the present one answers at the same time', async () => {
  const { app } = await server.newApp()
  const [webhook] = await server.store.query<{ id: number; version: string }>(sql`
    insert into webhooks as w (app_id, topic, callback) values (${app.id}, 'consulta.recibida', 'https://a.test')
    returning id, ${WEBHOOK_VERSION} as version`)
  assert.ok(webhook)
  const ended = (id: string, version: string, status: number) => ({
    row: { id, queue: webhook.id, result: { sent: sentWith(status), ...RESULT, appId: app.id, version } } as never,
    outcome: status < 300 ? { kind: 'delivered' as const } : { kind: 'failed' as const, reason: 'No.' },
    settlement: { usesAttempt: true },
  })
  const settle = (...all: ReturnType<typeof ended>[]) =>
    server.store.transaction((tx) => settleDeliveries(tx, server, all, 0))
  const isOff = async () => {
    const [row] = await server.store.query<{ off: boolean }>(sql`
      select disabled_at is not null as off from webhooks where id = ${webhook.id}`)
    return row?.off
  }
  assert.deepEqual(await settle(ended('a', 'former', 410), ended('b', webhook.version, 204)), [])
  assert.equal(await isOff(), false)
  const gone = await settle(ended('c', webhook.version, 410), ended('d', webhook.version, 204))
  assert.deepEqual([gone, await isOff()], [[{ id: webhook.id, state: 'off' }], true])
})

const RESULT = { startedMs: 0, ms: 1, modo: 'produccion', isProbe: false }

const sentWith = (status: number) => ({
  address: null,
  status,
  answer: null,
  error: status < 300 ? null : `El receptor respondió ${status}.`,
  code: null,
  retryAfterSeconds: undefined,
})
