import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { disableApp } from '../../src/apps/store.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import { callerFor, send } from '../support/caller.ts'
import { insertConsulta } from '../support/consulta.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { visitor } from '../support/visitor.ts'
import { CONFIGURED, EXPECTED, pathOf } from './expectations.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('isolation: every route as every caller', () => {
  let server: TestServer
  let owner: TestApp
  let other: TestApp
  let test: TestApp
  let disabled: TestApp
  /** Issued before the app was disabled. */
  let tokenOfDisabled: string
  before(async () => {
    server = await startServer()
    ;[owner, other, disabled] = [await server.newApp(), await server.newApp(), await server.newApp()]
    test = await server.newApp({ modo: 'prueba' })
    const form = { grant_type: 'client_credentials', client_id: disabled.app.appKey, client_secret: disabled.secret }
    tokenOfDisabled = (await visitor(server).post('/oauth/token', form)).json.access_token
    await disableApp(server.store, disabled.app.appKey, true)
    await until(async () => (await disabled.get('/v3')).status === 401)
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
    for (const topic of CONFIGURED) await owner.call('POST', `/v3/appnotificaciones/${topic}`, { body })
  })
  after(() => server.stop())

  async function addPlace(mail: string): Promise<string> {
    const body = JSON.stringify({ Nombre: 'Casa central' })
    const { headers } = await owner.call('POST', `/v3/sucursales/${mail}`, { body })
    return headers.location?.split('/').at(-1) ?? ''
  }

  it('the table has every route and no other', () => {
    const declared = server.routes.map(({ method, url }) => `${method} ${url}`).sort()
    assert.deepEqual(declared, [...EXPECTED.keys()].sort())
  })

  for (const [route, expectation] of EXPECTED) {
    if (expectation.sitio) continue // sitio.test.ts
    const [method = '', url = ''] = route.split(' ')
    const path = pathOf(url, expectation)

    if (expectation.open) {
      it(`${route}: public, and reveals nothing of an app`, async () => {
        const { status } = await send(server.url, path, { method })
        assert.ok(expectation.open?.includes(status), String(status))
      })
      continue
    }

    it(`401 ${route}: without a credential, with a wrong signature or token, as a disabled app`, async () => {
      const forger = callerFor(server.url, owner.app.appKey, 'not the secret')
      const attempts = {
        'sin-credenciales': await send(server.url, path, { method }),
        'firma-invalida': await forger.call(method, path),
        'firma-invalida ': await disabled.call(method, path),
        'token-invalido': await send(server.url, path, { method, headers: { authorization: 'Bearer eyJ.eyJ.no' } }),
        'token-invalido ': await send(server.url, path, { method, headers: bearer(tokenOfDisabled) }),
      }
      for (const [code, answer] of Object.entries(attempts)) {
        assert.equal(answer.status, 401)
        if (method !== 'HEAD') assert.equal(answer.json.Extensions.Codigo, code.trim())
      }
    })

    if (expectation.shared && !route.includes('/prueba/'))
      it(`${route}: an app of test mode sees the same`, async () => {
        const [own, foreign] = [await owner.call(method, path), await test.call(method, path)]
        assert.deepEqual([foreign.status, foreign.text], [own.status, own.text])
      })

    it(`${route}: another app sees ${expectation.shared ? 'the same' : 'nothing of the owner’s'}`, async () => {
      if (expectation.shared) {
        const [own, foreign] = [await owner.call(method, path), await other.call(method, path)]
        assert.equal(foreign.status, own.status)
        assert.equal(foreign.text, own.text)
        return
      }
      const { mail, agencia } = await makeAgencia(depsOf(server), owner.app) // its own, because the route may change it
      const { sid } = await insertConsulta(server.store, { agencia, fuente: owner.app })
      const log = await owner.get(`/v3/appnotificaciones/agencia.registrada/entregas?adminMail=${mail}`)
      const { externalId: externalid } = await makePublicacion(server.store, owner.app, agencia)
      const id = url.startsWith('/v3/sucursales/') ? await addPlace(mail) : log.json._entries[0].Id
      const params = { adminMail: mail, sid, externalid, id, ...expectation.params }
      const there = pathOf(url, { ...expectation, params })
      const options = expectation.body ? { body: JSON.stringify(expectation.body) } : {}
      const foreign = await other.call(method, there, options)
      assert.ok(expectation.foreign?.includes(foreign.status), String(foreign.status))
      assert.ok(!foreign.text.replaceAll(there, '').includes(mail), 'contains data of the owner')
      assert.equal((await owner.call(method, there, options)).status, expectation.own)
    })
  }
})
