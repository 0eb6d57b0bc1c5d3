import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'
import { SECOND_MS } from '../clock.ts'
import { setLimits } from './store.ts'

const AS_EVERYONE = { ratePerSecond: null, rateBurst: null, invitesPerDay: null }

describe('an app’s own limits', () => {
  let [one, other]: TestServer[] = []
  let server: TestServer
  let app: TestApp

  before(async () => {
    const env = { RATE_PER_SECOND: '7', RATE_BURST: '70', INVITES_PER_DAY: '2' }
    one = await startServer({ env, nowMs: () => 0 })
    server = one
    other = await startServer({ env, nowMs: () => 0, connection: server.connection })
    app = await server.newApp()
  })
  after(async () => {
    await other?.stop()
    await one?.stop()
  })

  const policyAt = async ({ url }: TestServer, path = '/v3/colores'): Promise<string | undefined> => {
    const headers = app.signed('GET', path)
    return (await fetch(url + path, { headers })).headers.get('ratelimit-policy') ?? undefined
  }

  it('200: within a second every node goes by the new ones, and by the general ones once they are removed', async () => {
    for (const node of [one, other] as TestServer[]) assert.equal(await policyAt(node), '"app";q=70;w=10')
    await setLimits(server.store, app.app.appKey, { ...AS_EVERYONE, ratePerSecond: 3, rateBurst: 30 })
    for (const node of [one, other] as TestServer[])
      await until(async () => (await policyAt(node)) === '"app";q=30;w=10', SECOND_MS)
    await setLimits(server.store, app.app.appKey, { ...AS_EVERYONE, rateBurst: 35 })
    await until(async () => (await policyAt(server)) === '"app";q=35;w=5', SECOND_MS)
    await setLimits(server.store, app.app.appKey, AS_EVERYONE)
    await until(async () => (await policyAt(server)) === '"app";q=70;w=10', SECOND_MS)
  })

  it('429: one that may ask twice is refused the third time, and another app is not', async () => {
    const [small, neighbour] = [await server.newApp(), await server.newApp()]
    await setLimits(server.store, small.app.appKey, { ...AS_EVERYONE, rateBurst: 2 })
    await until(async () => (await small.get('/v3/colores')).headers['ratelimit-policy']?.includes('q=2;'))
    const statuses = []
    for (let turn = 0; turn < 3; turn++) statuses.push((await small.get('/v3/colores')).status)
    assert.equal(statuses.at(-1), 429)
    assert.equal((await neighbour.get('/v3/colores')).status, 200)
  })

  it('429: an app invites as often as it may, not as often as the general limit allows', async () => {
    const [few, none, many] = [await server.newApp(), await server.newApp(), await server.newApp()]
    const invite = (who: TestApp, mail: string) =>
      who.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: mail }) })
    await setLimits(server.store, few.app.appKey, { ...AS_EVERYONE, rateBurst: 11, invitesPerDay: 1 })
    await setLimits(server.store, none.app.appKey, { ...AS_EVERYONE, rateBurst: 11, invitesPerDay: 0 })
    await setLimits(server.store, many.app.appKey, { ...AS_EVERYONE, rateBurst: 11, invitesPerDay: 3 })
    for (const who of [few, none, many])
      await until(async () => (await who.get('/v3/colores')).headers['ratelimit-policy']?.includes('q=11;'))

    assert.equal((await invite(few, 'uno@limites.test')).status, 202)
    assert.equal((await invite(few, 'dos@limites.test')).status, 429)
    const refused = await invite(none, 'tres@limites.test')
    assert.equal(refused.status, 429)
    assert.match(refused.json.Detail, /no puede enviar invitaciones/)
    for (const name of ['cuatro', 'cinco', 'seis'])
      assert.equal((await invite(many, `${name}@limites.test`)).status, 202, name)
  })
})
