import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { hook, LOOPBACK, tell, tried } from '../../tests/support/deliveries.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'

const TOPIC = 'consulta.recibida'
const PATH = `/v3/appnotificaciones/${TOPIC}`

describe('a callback on a server that allows private ranges', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ worker: {}, env: LOOPBACK })
  })
  after(() => server.stop())

  /** What a partner reads of the first attempt at a callback that was permitted when it was configured. */
  async function attemptAt(callback: string) {
    const app = await server.newApp()
    const id = await hook(server, app, TOPIC, 'https://receptor.test/')
    await server.store.query(sql`update webhooks set callback = ${callback} where id = ${id}`)
    const ids = await tell(server, app, TOPIC)
    await tried(server, ids, 1)
    const [intento] = (await app.get(`${PATH}/entregas/${ids[0]}`)).json.Intentos
    const { Momento: _at, DuracionMs: _ms, ...seen } = intento
    return { ...seen, UltimoError: (await app.get(PATH)).json.Salud.UltimoError }
  }

  it('400: the server itself, at whichever address of this machine', async () => {
    const app = await server.newApp()
    const { port } = new URL(server.url)
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost']) {
      const body = JSON.stringify({ Callback: `http://${host}:${port}/metrics` })
      const { status, json } = await app.call('POST', PATH, { body })
      assert.deepEqual([status, Object.keys(json.Errors)], [400, ['Callback']], host)
    }
  })

  it('is not delivered to the server itself, and reads like a name that does not exist', async () => {
    const own = await attemptAt(`${server.url}/health/live`)
    assert.equal(own.Status, null)
    assert.match(own.Error, /No encontramos una dirección pública del receptor/)
    assert.deepEqual(await attemptAt('https://receptor.invalid/'), own)
    assert.deepEqual(await attemptAt('https://10.1.2.3/'), own)
    assert.match(server.logged(), /"code":"closed-address"/)
    assert.match(server.logged(), /"code":"ENOTFOUND"/)
  })
})
