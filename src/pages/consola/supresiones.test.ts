import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import { countOf } from '../../resources/consultas/erase-person.ts'

describe('/consola/supresiones', () => {
  let server: TestServer
  let staff: MadeStaff
  let app: TestApp
  before(async () => {
    server = await startServer()
    ;[staff, app] = [await makeStaff(server, { nombre: 'Sol', apellido: 'Vega' }), await server.newApp()]
  })
  after(() => server.stop())

  /** Inquiries of one person, received as they are, so that there are events and emails. */
  async function ask(email: string, count: number, seen = true): Promise<void> {
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    await server.store.query(
      sql`update asociaciones set consultas_de_catalogo = ${seen} where agencia_id = ${agencia.id}`,
    )
    const sitio = await server.newSitio()
    for (let n = 0; n < count; n++) {
      const body = JSON.stringify({
        AdminMail: agencia.adminMail,
        Catalogo: { Marca: 'Fiat', Modelo: 'Cronos' },
        OrigenLead: 'form',
        Interesado: { Nombre: 'Lucía', Email: email, Telefono: `11 4555-000${n}` },
      })
      assert.equal((await sitio.call('POST', '/interno/v1/consultas', { body })).status, 201)
    }
  }

  it('404, 303: it is there for the staff alone', async () => {
    const developer = await makeDeveloper(server, app)
    for (const path of ['/consola/supresiones', '/consola/supresiones/01JNG3Y4Z5A6B7C8D9E0F1G2H3'])
      assert.deepEqual(
        [(await developer.visitor.get(path)).status, (await visitor(server).get(path)).status],
        [404, 303],
      )
    const form = { Email: 'x@y.test' }
    assert.equal((await developer.visitor.post('/consola/supresiones', form)).status, 404)
    assert.equal((await developer.visitor.post('/consola/supresiones/suprimir', form)).status, 404)
  })

  it('200: shows what it would reach, and touches nothing', async () => {
    await ask('uno@correo.test', 2)
    const { status, text } = await staff.visitor.post('/consola/supresiones', { Email: 'UNO@correo.test' })
    assert.equal(status, 200)
    assert.match(text, /<strong>2<\/strong> consultas en <strong>1<\/strong> agencia/)
    assert.match(text, /<strong>2<\/strong> eventos quedan sin los datos/)
    assert.match(text, /<strong>1<\/strong> app que pudo ver los datos/)
    assert.ok(text.includes('name="Email" value="UNO@correo.test"'))
    assert.equal(await countOf(server.store, { email: 'uno@correo.test' }, 'AR'), 2)
  })

  it('200: says so where no app could see the data', async () => {
    await ask('nadie-la-vio@correo.test', 1, false)
    const { text } = await staff.visitor.post('/consola/supresiones', { Email: 'nadie-la-vio@correo.test' })
    assert.match(text, /Ningún evento tiene los datos\..*Ninguna app pudo ver los datos\./s)
  })

  it('303: erases, and the receipt says what was reached and by whom, not whom', async () => {
    await ask('dos@correo.test', 3)
    const made = await staff.visitor.post('/consola/supresiones/suprimir', { Email: 'dos@correo.test' })
    assert.equal(made.status, 303)
    assert.equal(await countOf(server.store, { email: 'dos@correo.test' }, 'AR'), 0)
    const path = made.headers.location ?? ''
    const { text } = await staff.visitor.get(path)
    assert.ok(text.includes('Constancia de borrado') && text.includes('Sol Vega'))
    assert.match(text, /Consultas sin los datos de la persona<\/dt><dd>3</)
    assert.ok(!text.includes('dos@correo.test'))
    const list = await staff.visitor.get('/consola/supresiones')
    assert.ok(list.text.includes(`href="${path}"`))
    const [noted] = await server.store.query<{ via: string; accountId: number }>(
      sql`select via, account_id as "accountId" from audit_log where act = 'suprimir' and subject = ${path.split('/').at(-1)}`,
    )
    assert.deepEqual(noted, { via: 'consola', accountId: staff.account.id })
    const again = await staff.visitor.post('/consola/supresiones', { Email: 'dos@correo.test' })
    assert.match(again.text, /No hay datos de esa persona[\s\S]*Ya se pidió antes/)
    assert.ok(again.text.includes(`href="${path}"`))
    const twice = await staff.visitor.post('/consola/supresiones/suprimir', { Email: 'dos@correo.test' })
    assert.equal(twice.headers.location, path, 'the browser shows the answer to the second of two clicks')
    await server.store.query(sql`update suppressions set at = at - interval '1 minute'`)
    const nothing = await staff.visitor.post('/consola/supresiones/suprimir', { Email: 'dos@correo.test' })
    assert.match((await staff.visitor.get(nothing.headers.location ?? '')).text, /y no encontramos ninguno/)
    const csv = await staff.visitor.get('/consola/supresiones?formato=csv')
    assert.ok(csv.text.includes(path.split('/').at(-1) as string) && csv.text.includes(staff.email))
  })

  it('303: two clicks at once erase once, and both answers show what was erased', async () => {
    await ask('cinco@correo.test', 2)
    const send = () => staff.visitor.post('/consola/supresiones/suprimir', { Email: 'cinco@correo.test' })
    const [one, two] = await Promise.all([send(), send()])
    assert.deepEqual([one.status, one.headers.location], [303, two.headers.location])
    assert.match((await staff.visitor.get(two.headers.location ?? '')).text, /de la persona<\/dt><dd>2</)
  })

  it('303: by telephone, and in one mode alone', async () => {
    await ask('tres@correo.test', 1)
    await staff.visitor.post('/consola/supresiones/suprimir', { Email: 'tres@correo.test', Modo: 'prueba' })
    assert.equal(await countOf(server.store, { email: 'tres@correo.test' }, 'AR'), 1)
    await ask('cuatro@correo.test', 1)
    const [row] = await server.store.query<{ telefono: string }>(
      sql`select telefono from consultas where email = 'tres@correo.test'`,
    )
    const shared = await staff.visitor.post('/consola/supresiones', { Email: 'cuatro@correo.test' })
    assert.match(shared.text, /con un correo o un teléfono en común/, 'both left one telephone')
    await staff.visitor.post('/consola/supresiones/suprimir', { Telefono: row?.telefono ?? '', Modo: 'produccion' })
    assert.equal(await countOf(server.store, { email: 'tres@correo.test' }, 'AR'), 0)
  })

  it('400: nobody, what is no mail, half a telephone, no such mode; nothing is done by either step', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /Indique el correo o el teléfono/],
      [{ Email: 'sin arroba' }, /Escriba un correo/],
      [{ Telefono: '12' }, /número completo/],
      [{ Email: 'a@b.test', Modo: 'x' }, /Elija producción o prueba/],
    ]
    for (const [form, message] of cases)
      for (const path of ['/consola/supresiones', '/consola/supresiones/suprimir']) {
        const { status, text } = await staff.visitor.post(path, form)
        assert.equal(status, 400, path)
        assert.match(text, message)
      }
  })

  it('404: what is no receipt', async () => {
    assert.equal((await staff.visitor.get('/consola/supresiones/nada')).status, 404)
  })
})
