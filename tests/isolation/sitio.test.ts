import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { revokeSitio } from '../../src/sitios/store.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import { send } from '../support/caller.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../support/server.ts'
import { until } from '../support/until.ts'
import { EXPECTED, pathOf } from './expectations.ts'

describe('isolation: every route of the site API as every caller', () => {
  let server: TestServer
  let app: TestApp
  let own: TestSitio
  let test: TestSitio
  let revoked: TestSitio
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    ;[own, test, revoked] = [
      await server.newSitio(),
      await server.newSitio({ modo: 'prueba' }),
      await server.newSitio(),
    ]
    await revokeSitio(server.store, revoked.sitio.id)
    await until(async () => (await revoked.call('GET', '/interno/v1')).status === 401)
  })
  after(() => server.stop())

  it('the table has every route under /interno', () => {
    const declared = server.routes
      .filter(({ url }) => url.startsWith('/interno/v1'))
      .map(({ method, url }) => `${method} ${url}`)
    assert.deepEqual(
      declared.filter((route) => !EXPECTED.get(route)?.sitio),
      [],
    )
  })

  for (const [route, expectation] of EXPECTED) {
    const { sitio } = expectation
    if (!sitio) continue
    const [method = '', url = ''] = route.split(' ')

    it(`401 ${route}: without a key, with one that is unknown or revoked, as an app`, async () => {
      const path = pathOf(url, { params: { id: '1', adminMail: 'a@b.test' } })
      const key = (value: string) => send(server.url, path, { method, headers: { authorization: `Bearer ${value}` } })
      const attempts = {
        'sin-credenciales': [await send(server.url, path, { method }), await app.call(method, path)],
        'token-invalido': [await key('sitio_x'), await key(revoked.sitioKey), await key(app.secret)],
      }
      for (const [code, answers] of Object.entries(attempts))
        for (const answer of answers) assert.deepEqual([answer.status, answer.json.Extensions.Codigo], [401, code])
    })

    it(`${route}: a site of test sees nothing of production`, async () => {
      const { agencia } = await makeAgencia(depsOf(server), app.app)
      const { id } = await makePublicacion(server.store, app.app, agencia)
      const there = sitio({ aviso: id, adminMail: agencia.adminMail })
      const path = pathOf(url, { ...there, params: { id: String(id), adminMail: agencia.adminMail, ...there.params } })
      const options = there.body ? { body: JSON.stringify(there.body) } : {}
      const foreign = await test.call(method, path, options)
      assert.ok(expectation.foreign?.includes(foreign.status), String(foreign.status))
      assert.ok(!foreign.text.replaceAll(path, '').includes(agencia.adminMail), 'contains data of production')
      assert.equal((await own.call(method, path, options)).status, expectation.own)
    })
  }
})
