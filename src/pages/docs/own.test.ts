import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { send } from '../../../tests/support/caller.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { type Visitor, visitor } from '../../../tests/support/visitor.ts'
import { setMember } from '../../accounts/members.ts'

let server: TestServer
let app: TestApp
let developer: Visitor
before(async () => {
  server = await startServer()
  app = await server.newApp({ nombre: 'CRM Propio' })
  developer = (await makeDeveloper(server, app)).visitor
})
after(() => server.stop())

const INVENTED = /ana@agencia\.example|ventas@agencia\.example|ana@automotores\.example/

test('200: the samples have the own AppKey and agency, the chosen one of several; nobody else sees them', async () => {
  const first = await makeAgencia(depsOf(server), app.app, { Nombre: 'Autos A' })
  const second = await makeAgencia(depsOf(server), app.app, { Nombre: 'Autos B' })
  const foreign = await makeAgencia(depsOf(server), (await server.newApp()).app)
  for (const path of ['/docs', '/docs/guia/firmar', '/docs/guia/consultas']) {
    const { text, headers } = await developer.get(path)
    assert.match(headers['cache-control'] ?? '', /private/, path)
    if (path !== '/docs/guia/consultas') assert.ok(text.includes(app.app.appKey), path)
    if (path !== '/docs/guia/firmar') assert.ok(text.includes(first.mail), path)
    assert.doesNotMatch(text, INVENTED, path)
    assert.match(text, /href="\/portal">Portal</, path)
    assert.ok(!text.includes(foreign.mail) && text.includes('Autos B'), path)
  }
  const { text: chosen, headers } = await developer.get(`/docs?app=${app.app.appKey}&agencia=${second.agencia.id}`)
  assert.ok(chosen.includes(`/v3/consultas/${second.mail}`))
  const [choice = ''] = /^ejemplos=[^;]+/.exec(headers['set-cookie'] ?? '') ?? []
  const later = await send(server.url, '/docs', { headers: { cookie: `${developer.cookie()}; ${choice}` } })
  assert.ok(later.text.includes(`/v3/consultas/${second.mail}`), 'the choice is remembered')
  const { text: others } = await developer.get(`/docs?app=${'f'.repeat(32)}&agencia=${foreign.agencia.id}`)
  assert.ok(others.includes(first.mail) && !others.includes(foreign.mail))

  const dealership = await visitor(server).enter(first.mail)
  for (const path of ['/docs', '/docs/cambios', '/problemas', '/estado']) {
    const { text } = await dealership.get(path)
    assert.ok(text.includes('href="/cuenta">Mi cuenta<') && !text.includes('href="/entrar"'), path)
    assert.doesNotMatch(text, /\b0 días/, path)
  }

  const { text: anonymous } = await send(server.url, '/docs')
  assert.match(anonymous, INVENTED)
  assert.ok(anonymous.includes('los ejemplos mostrarán su AppKey') && !anonymous.includes(app.app.appKey))
})

test('200: two apps of the same name, one of them for tests, can be told apart', async () => {
  const real = await server.newApp({ nombre: 'CRM Doble' })
  const trial = await server.newApp({ nombre: 'CRM Doble', modo: 'prueba' })
  const { visitor: both, account } = await makeDeveloper(server, real)
  await setMember(server.store, trial.app.id, account.id, 'titular')
  const { text } = await both.get('/docs/guia/firmar')
  assert.match(text, new RegExp(`value="${real.app.appKey}"[^>]*>CRM Doble<`))
  assert.match(text, new RegExp(`value="${trial.app.appKey}"[^>]*>CRM Doble \\(prueba\\)<`))
})
