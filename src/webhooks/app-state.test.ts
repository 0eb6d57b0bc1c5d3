import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const addWebhook = (appId: number, topic: string) =>
  server.store.query(sql`insert into webhooks (app_id, topic, callback) values (${appId}, ${topic}, 'https://a.test')`)
const stateOf = (appId: number) =>
  server.store.query(sql`
    select topic, app_allows as allowed, private_callbacks as ranges from webhooks where app_id = ${appId} order by topic`)
const WITHDRAWN = sql`topics = '{agencia.registrada}', private_callbacks = '{10.0.0.0/8}'`
const EXPECTED = [
  { topic: 'agencia.registrada', allowed: true, ranges: ['10.0.0.0/8'] },
  { topic: 'consulta.recibida', allowed: false, ranges: ['10.0.0.0/8'] },
]

it("webhooks have their app's settings, whichever came first", async () => {
  const { id } = (await server.newApp()).app
  await addWebhook(id, 'consulta.recibida')
  await server.store.query(sql`update apps set ${WITHDRAWN} where id = ${id}`)
  await addWebhook(id, 'agencia.registrada')
  assert.deepEqual(await stateOf(id), EXPECTED)

  await server.store.query(sql`update apps set disabled_at = now() where id = ${id}`)
  assert.deepEqual(
    await stateOf(id),
    EXPECTED.map((row) => ({ ...row, allowed: false })),
  )
  await server.store.query(sql`update apps set disabled_at = null, topics = null where id = ${id}`)
  assert.deepEqual(
    await stateOf(id),
    EXPECTED.map((row) => ({ ...row, allowed: true })),
  )
})

it("webhooks have their app's settings where both are written at the same time", async () => {
  const { id } = (await server.newApp()).app
  let adding: Promise<unknown> = Promise.resolve()
  await server.store.transaction(async (tx) => {
    await tx.query(sql`update apps set ${WITHDRAWN} where id = ${id}`)
    adding = Promise.all([addWebhook(id, 'consulta.recibida'), addWebhook(id, 'agencia.registrada')])
    await until(async () => {
      const waiting = await server.store.query(sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return waiting.length === 2
    })
  })
  await adding
  assert.deepEqual(await stateOf(id), EXPECTED)
})
