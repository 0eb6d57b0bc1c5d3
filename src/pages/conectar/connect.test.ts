import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, eventsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeAccount, PASSWORD, visitor } from '../../../tests/support/visitor.ts'
import { disableApp } from '../../apps/store.ts'
import { asociacionesOf } from '../../resources/agencias/read.ts'

describe('connecting a registered agency', () => {
  let server: TestServer
  let first: TestApp
  let second: TestApp
  before(async () => {
    server = await startServer()
    ;[first, second] = [await server.newApp({ nombre: 'Gestor Uno' }), await server.newApp({ nombre: 'Gestor Dos' })]
  })
  after(() => server.stop())
  const pathOf = ({ app }: TestApp) => `/conectar/${app.appKey}`

  it('303: the administrator signs in, sees what the app asks for, ticks what it may do, accepts; the app hears of it', async () => {
    const { mail, agencia } = await makeAgencia(depsOf(server), first.app)
    const ana = visitor(server)
    const response = await ana.get(pathOf(second))
    assert.match(response.text, /Asociar Gestor Dos a su agencia/)
    const entered = await ana.post('/entrar', { Email: mail, Clave: PASSWORD, volver: pathOf(second) })
    assert.equal(entered.headers.location, pathOf(second))
    const offer = await ana.get(pathOf(second))
    assert.match(offer.text, /Gestor Dos quiere trabajar con Automotores del Sur/)
    assert.equal(offer.text.match(/type="checkbox"/g)?.length, 3)
    assert.doesNotMatch(offer.text, /checked/, 'nothing is ticked beforehand')

    const accepted = await ana.post(pathOf(second), { consultasDeCatalogo: 'si' })
    assert.deepEqual([accepted.status, accepted.headers.location], [303, '/cuenta'])
    const [, association] = await asociacionesOf(server.store, agencia.id)
    assert.equal(association?.app.nombre, 'Gestor Dos')
    assert.deepEqual(
      [association?.editar, association?.consultasDeCatalogo, association?.consultasDeOtros],
      [false, true, false],
    )
    assert.deepEqual(
      (await eventsOf(server, second.app, agencia.id)).map(({ Topic }) => Topic),
      ['agencia.registrada'],
    )

    assert.equal((await ana.get(pathOf(second))).text.match(/checked/g)?.length, 1)
    await ana.post(pathOf(second), { editar: 'si' })
    const [, changed] = await asociacionesOf(server.store, agencia.id)
    assert.deepEqual([changed?.editar, changed?.consultasDeCatalogo], [true, false])
    assert.equal((await eventsOf(server, second.app, agencia.id)).length, 1, 'it began once')
  })

  it('404: an unknown or disabled app, and one of the other mode', async () => {
    const { mail } = await makeAgencia(depsOf(server), first.app)
    const ana = await visitor(server).enter(mail)
    const [test, closed] = [await server.newApp({ modo: 'prueba' }), await server.newApp()]
    await disableApp(server.store, closed.app.appKey, true)
    for (const path of [pathOf(test), pathOf(closed), `/conectar/${'0'.repeat(32)}`, '/conectar/nada']) {
      const [seen, posted] = [await ana.get(path), await ana.post(path, { editar: 'si' })]
      assert.deepEqual([seen.status, posted.status], [404, 404], path)
      assert.match(seen.text, /<html lang="es">[\s\S]*No encontramos esa página/)
    }
    assert.equal((await visitor(server).get(pathOf(closed))).status, 404)
  })

  it('403: a vendedor is told who decides, somebody without an agency what to do; neither connects anything', async () => {
    const { mail, agencia } = await makeAgencia(depsOf(server), first.app)
    const seller = await makeAccount(server, { email: 'vende@agencia.test' })
    await makeAccount(server, { email: 'solo@agencia.test' })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${seller.id}, 'vendedor')`)
    const luis = await visitor(server).enter('vende@agencia.test')
    const seen = await luis.get(pathOf(second))
    assert.equal(seen.status, 403)
    assert.ok(seen.text.includes(mail))
    assert.match((await luis.get(pathOf(first))).text, /ya trabaja con /)
    assert.equal((await luis.post(pathOf(second), { editar: 'si' })).status, 403)
    const solo = await visitor(server).enter('solo@agencia.test')
    assert.equal((await solo.post(pathOf(second), { editar: 'si' })).status, 403)
    assert.equal((await visitor(server).post(pathOf(second), { editar: 'si' })).status, 200) // the form to sign in
    assert.equal((await asociacionesOf(server.store, agencia.id)).length, 1)
  })

  it('303: with one mail and one password in both modes, the app’s mode decides who signs in', async () => {
    const test = await server.newApp({ nombre: 'Ensayo', modo: 'prueba' })
    const { mail } = await makeAgencia(depsOf(server), first.app)
    await makeAgencia(depsOf(server), test.app, { mail, Nombre: 'Autos de Ensayo' })
    const ana = visitor(server)
    const [, modo = ''] = /name="modo" value="([^"]+)"/.exec((await ana.get(pathOf(test))).text) ?? []
    await ana.post('/entrar', { Email: mail, Clave: PASSWORD, modo, volver: pathOf(test) })
    assert.match((await ana.get(pathOf(test))).text, /Autos de Ensayo/)
  })
})
