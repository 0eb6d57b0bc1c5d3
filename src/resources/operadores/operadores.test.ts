import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeAccount } from '../../../tests/support/visitor.ts'

describe('operadores', () => {
  let server: TestServer
  let one: TestApp
  let two: TestApp
  let mail: string
  let seller: string
  let agenciaId: number
  before(async () => {
    server = await startServer()
    ;[one, two] = [await server.newApp({ nombre: 'Uno' }), await server.newApp({ nombre: 'Dos' })]
    const made = await makeAgencia(depsOf(server), one.app)
    ;({ mail } = made)
    agenciaId = made.agencia.id
    seller = newMail('beto')
    const { id } = await makeAccount(server, { email: seller, nombre: 'Beto', apellido: 'Luna' })
    await server.store.query(sql`insert into asociaciones (app_id, agencia_id) values (${two.app.id}, ${agenciaId})`)
    await server.store.query(
      sql`insert into operadores (agencia_id, account_id, rol) values (${agenciaId}, ${id}, 'vendedor')`,
    )
    await makeAgencia(depsOf(server), one.app)
  })
  after(() => server.stop())

  const href = () => `/v3/operadores/${mail}`
  const put = (app: TestApp, Operadores: object[], headers: Record<string, string> = {}) =>
    app.call('PUT', href(), { body: JSON.stringify({ Operadores }), headers })
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()
  type Person = { Email: string; Nombre: string | null; Telefono: string | null }
  const sellerOf = (json: { Operadores: Person[] }) => json.Operadores.find(({ Email }) => Email === seller)

  it('200: the people of every associated agency, or of those where one works', async () => {
    const check = await schemaCheck(server)
    const all = await one.get('/v3/operadores')
    check('OperadoresLista', all.json)
    assert.equal(all.json._entries.length, 2)
    const { json } = await one.get(`/v3/operadores?operador=${seller.toUpperCase()}`)
    assert.deepEqual(
      json._entries.map(({ AdminMail }: { AdminMail: string }) => AdminMail),
      [mail],
    )
    assert.deepEqual(sellerOf(json._entries[0]), {
      Email: seller,
      Nombre: 'Beto',
      Apellido: 'Luna',
      Rol: 'vendedor',
      Telefono: null,
      WhatsApp: null,
    })
    assert.deepEqual((await one.get('/v3/operadores?operador=nadie@agencia.test')).json._entries, [])
    assert.equal((await one.get('/v3/operadores?operador=x')).status, 400)
    assert.equal((await (await server.newApp()).get('/v3/operadores')).json._entries.length, 0)
    for (const path of [href(), '/v3/operadores']) {
      const { headers } = await one.get(path)
      assert.equal((await one.get(path, { 'if-none-match': headers.etag ?? '' })).status, 304)
    }
    assert.equal((await one.get('/v3/operadores/nada')).status, 400)
  })

  it('200: how they are presented is edited; their accounts stay, and what is left out is the account’s again', async () => {
    const edited = await put(one, [
      { Email: seller, Nombre: 'Alberto', Telefono: '011 4555-9999', WhatsApp: '+5491145559999' },
    ])
    assert.equal(edited.status, 200)
    assert.deepEqual(sellerOf(edited.json), {
      Email: seller,
      Nombre: 'Alberto',
      Apellido: 'Luna',
      Rol: 'vendedor',
      Telefono: '011 4555-9999',
      WhatsApp: '+5491145559999',
    })
    assert.equal(edited.json.Operadores[0].Nombre, 'Ana', 'who is not named stays')
    const [account] = await server.store.query<{ nombre: string }>(
      sql`select nombre from accounts where email = ${seller}`,
    )
    assert.equal(account?.nombre, 'Beto')
    const { json } = await one.get(`/v3/agencias/${mail}`)
    assert.equal(sellerOf(json)?.Nombre, 'Alberto')

    const countEmails = async () =>
      (await emailsTo(server, mail)).filter(({ kind }) => kind === 'agencia-modificada').length
    assert.equal(await countEmails(), 1)
    const again = await one.call('PUT', href(), { body: JSON.stringify(edited.json) })
    assert.deepEqual([again.status, again.json], [200, edited.json], 'what was read can be sent back')
    assert.equal(await countEmails(), 1)
    assert.equal(sellerOf((await put(one, [{ Email: seller }])).json)?.Nombre, 'Beto')
    const events = (await eventsOf(server, two.app, agenciaId)).filter(({ Topic }) => Topic === 'agencia.modificada')
    assert.equal(events.length, 2)
  })

  it('400: names at most 100 people who do not work there, then says there are more', async () => {
    const strangers = Array.from({ length: 101 }, (_, index) => ({ Email: `x${index}@agencia.test` }))
    const { status, json } = await put(one, strangers)
    assert.equal(status, 400)
    const { _: more, ...named } = json.Errors
    assert.equal(Object.keys(named).length, 100)
    assert.deepEqual(more, ['Hay más errores: solo se muestran los primeros 100.'])
    assert.equal(errorsOf((await put(one, strangers.slice(1))).json).includes('_'), false)
  })

  it('400: form; who does not work there, or is named twice', async () => {
    const form = await put(one, [
      { Nombre: 'n'.repeat(51), Otro: 1 },
      { Email: seller, Telefono: '((((((((((' },
    ])
    assert.deepEqual(errorsOf(form.json), ['Operadores[0].Email', 'Operadores[0].Nombre', 'Operadores[0].Otro'])
    assert.deepEqual(errorsOf((await put(one, [{ Email: seller, Telefono: '((((((((((' }])).json), [
      'Operadores[0].Telefono',
    ])
    const nobody = await put(one, [{ Email: seller }, { Email: 'nadie@agencia.test' }])
    assert.deepEqual([nobody.status, errorsOf(nobody.json)], [400, ['Operadores[1].Email']])
    const twice = await put(one, [{ Email: seller }, { Email: seller.toUpperCase() }])
    assert.deepEqual(errorsOf(twice.json), ['Operadores[1].Email'])
  })

  it('403, 404, 412: an app that may not edit, another’s agency, a version that is not the present one', async () => {
    assert.equal((await put(two, [])).status, 403)
    assert.equal('editar' in (await two.get(href())).json._links, false)
    const stranger = await server.newApp()
    assert.equal((await put(stranger, [])).status, 404)
    assert.equal((await stranger.get(href())).status, 404)
    assert.equal((await put(one, [], { 'if-match': '"otro"' })).status, 412)
    assert.equal((await put(one, [], { 'if-match': (await one.get(href())).headers.etag ?? '' })).status, 200)
  })
})
