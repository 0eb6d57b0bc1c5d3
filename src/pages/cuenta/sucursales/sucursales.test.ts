import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { listSucursales } from '../../../resources/sucursales/store.ts'

const LIST = '/cuenta/sucursales'
const NEW = `${LIST}/nueva`
const PLACE = {
  Nombre: 'Casa central',
  Telefono: '011 4555-1234',
  WhatsApp: '+54 9 11 4555-1234',
  Email: 'Central@agencia.test',
  Region: 'Buenos Aires',
  Ciudad: 'Lanús',
  Direccion: 'Av. 9 de Julio 1200',
  CodigoPostal: 'B1824',
  'Lunes.1.Desde': '09:00',
  'Lunes.1.Hasta': '13:00',
  'Lunes.2.Desde': '16:00',
  'Lunes.2.Hasta': '20:30',
  'Sabado.1.Desde': '18:00',
  'Sabado.1.Hasta': '00:00',
}

describe('/cuenta/sucursales', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  async function setUp() {
    const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
    return { agencia, mail, admin: await visitor(server).enter(mail) }
  }
  const rowsOf = (agenciaId: number) => listSucursales(server.store, agenciaId)
  const versionIn = (text: string) => /name="Version" value="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? ''

  it('303: a place is added with its hours, changed and removed; apps are told, nobody is mailed', async () => {
    const { admin, agencia, mail } = await setUp()
    assert.match((await admin.get(LIST)).text, /Todavía no hay sucursales/)
    assert.match((await admin.get(NEW)).text, /value="Temperley"/)
    const added = await admin.post(NEW, PLACE)
    assert.deepEqual([added.status, added.headers.location], [303, LIST])
    const [row = assert.fail()] = await rowsOf(agencia.id)
    assert.deepEqual([row.ciudad, row.email, row.whatsapp], ['Lanús', 'central@agencia.test', '+5491145551234'])
    assert.deepEqual(row.horarios?.Lunes.at(-1), { Desde: '16:00', Hasta: '20:30' })
    assert.deepEqual(row.horarios?.Sabado, [{ Desde: '18:00', Hasta: '24:00' }])

    const list = (await admin.get(LIST)).text
    for (const words of ['Lunes: 9:00 a 13:00 y 16:00 a 20:30', 'Martes a viernes: cerrado', 'Sábado: 18:00 a 24:00'])
      assert.ok(list.includes(words), words)
    const path = `${LIST}/${row.id}`
    const { text } = await admin.get(path)
    assert.match(text, /name="Sabado.1.Hasta" value="00:00"/)
    const edited = await admin.post(path, { Nombre: 'Casa nueva', Version: versionIn(text) })
    assert.equal(edited.status, 303)
    const [now] = await rowsOf(agencia.id)
    assert.deepEqual([now?.nombre, now?.horarios, now?.telefono], ['Casa nueva', null, null])

    assert.match((await admin.get(`${path}/quitar`)).text, /¿Quitar Casa nueva\?/)
    assert.equal((await rowsOf(agencia.id)).length, 1, 'asking removes nothing')
    assert.equal((await admin.post(`${path}/quitar`)).status, 303)
    assert.equal((await rowsOf(agencia.id)).length, 0)
    assert.equal((await admin.get(path)).status, 404)
    const events = (await eventsOf(server, app.app, agencia.id)).filter(({ Topic }) => Topic === 'agencia.modificada')
    assert.equal(events.length, 3)
    assert.equal((await emailsTo(server, mail)).filter(({ kind }) => kind === 'agencia-modificada').length, 0)
    assert.match((await admin.get('/cuenta/datos')).text, /Sucursal: <del>Casa nueva<\/del>/)
  })

  it('200: Monday’s hours are put on the working days before anything is saved', async () => {
    const { admin, agencia } = await setUp()
    const { status, text } = await admin.post(NEW, { ...PLACE, Acto: 'copiar' })
    assert.equal(status, 200)
    for (const dia of ['Martes', 'Viernes']) assert.match(text, new RegExp(`name="${dia}.2.Hasta" value="20:30"`))
    assert.match(text, /name="Sabado.1.Desde" value="18:00"/)
    assert.doesNotMatch(text, /name="Domingo.1.Desde" value="\d/)
    assert.equal((await rowsOf(agencia.id)).length, 0)
    const lost = await admin.post(NEW, { ...PLACE, Region: 'Provincia Perdida', Acto: 'copiar' })
    assert.match(lost.text, /<option value="Provincia Perdida" selected/)
  })

  it('400: every fault at once beside its field; half a shift, a day that closes before it opens', async () => {
    const { admin, agencia } = await setUp()
    const { status, text } = await admin.post(NEW, {
      Nombre: '',
      Telefono: '12',
      WhatsApp: '11',
      Email: 'nada',
      Region: 'Mendoza',
      Ciudad: 'San Xyz',
      'Lunes.1.Desde': '09:00',
      'Martes.1.Desde': '13:00',
      'Martes.1.Hasta': '09:00',
      'Miercoles.1.Desde': '25:99',
      'Miercoles.1.Hasta': '26:00',
    })
    assert.equal(status, 400)
    const faulty = [...text.matchAll(/id="campo-([\w.]+)-error"/g)].map(([, name]) => name)
    assert.deepEqual(faulty, [
      'Nombre',
      'Telefono',
      'WhatsApp',
      'Email',
      'Ciudad',
      'Horarios.Lunes',
      'Horarios.Martes',
      'Horarios.Miercoles',
    ])
    for (const words of ['Falta la hora en que cierra.', 'es anterior a la hora en que abre', '¿Es alguna de estas?'])
      assert.ok(text.includes(words), words)
    for (const [, href = ''] of text.matchAll(/<a href="#(campo-[^"]+)"/g))
      assert.ok(text.includes(`id="${href}"`), `${href} leads somewhere`)
    assert.match(text, /name="Martes.1.Desde" value="13:00"/)
    assert.equal((await rowsOf(agencia.id)).length, 0)
  })

  it('400: the fifty-first is refused on the form, and what was typed stands there', async () => {
    const { admin, agencia } = await setUp()
    await server.store.query(sql`
      insert into sucursales (agencia_id, nombre) select ${agencia.id}, 'x' from generate_series(1, 50)`)
    const { status, text } = await admin.post(NEW, PLACE)
    assert.equal(status, 400)
    assert.match(text, /Una agencia puede tener hasta 50 sucursales/)
    assert.ok(text.includes('value="Casa central"'))
  })

  it('409: what an app changed meanwhile is shown beside what was typed, and the second try stands', async () => {
    const { admin, agencia, mail } = await setUp()
    await admin.post(NEW, PLACE)
    const [row = assert.fail()] = await rowsOf(agencia.id)
    const path = `${LIST}/${row.id}`
    const Version = versionIn((await admin.get(path)).text)
    const day = { Lunes: [], Martes: [], Miercoles: [], Jueves: [], Viernes: [], Sabado: [], Domingo: [], Feriados: [] }
    const Horarios = {
      ...day,
      Lunes: [
        { Desde: '09:00', Hasta: '13:00' },
        { Desde: '16:00', Hasta: '20:30' },
      ],
      Martes: [{ Desde: '10:00', Hasta: '24:00' }],
    }
    const body = JSON.stringify({ Nombre: 'De la app', Region: 'Buenos Aires', Ciudad: 'Morón', Horarios })
    assert.equal((await app.call('PUT', `/v3/sucursales/${mail}/${row.id}`, { body })).status, 200)
    const late = await admin.post(path, { ...PLACE, Version })
    assert.equal(late.status, 409)
    assert.match(late.text, /Alguien cambió la sucursal/)
    const stored = [...late.text.matchAll(/Ahora dice: ([^<]*)</g)].map(([, value]) => value)
    assert.deepEqual(stored, [
      'De la app',
      '(vacío)',
      '(vacío)',
      '(vacío)',
      'Morón',
      '(vacío)',
      '(vacío)',
      '10:00 a 24:00',
      'cerrado',
    ])
    assert.match(late.text, /name="Martes.1.Desde"[^>]* aria-describedby="campo-Horarios.Martes-ayuda"/)
    assert.ok(late.text.includes(`value="${PLACE.Telefono}"`))
    assert.equal((await rowsOf(agencia.id))[0]?.nombre, 'De la app')
    assert.equal((await admin.post(path, { ...PLACE, Version: versionIn(late.text) })).status, 303)
    assert.equal((await rowsOf(agencia.id))[0]?.nombre, 'Casa central')
  })

  it('403, 404, 303: a vendedor, another agency’s administrator and nobody at all change nothing', async () => {
    const { admin, agencia } = await setUp()
    await admin.post(NEW, PLACE)
    const [row = assert.fail()] = await rowsOf(agencia.id)
    const seller = await makeAccount(server, { email: newMail('vende') })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${seller.id}, 'vendedor')`)
    const [vendedor, foreign] = [await visitor(server).enter(seller.email), (await setUp()).admin]
    assert.match((await vendedor.get(LIST)).text, /Casa central/)
    for (const path of [`${LIST}/${row.id}`, `${LIST}/${row.id}/quitar`]) {
      assert.deepEqual([(await vendedor.get(path)).status, (await vendedor.post(path, PLACE)).status], [403, 403])
      assert.deepEqual([(await foreign.get(path)).status, (await foreign.post(path, PLACE)).status], [404, 404])
      assert.match((await visitor(server).get(path)).headers.location ?? '', /^\/entrar\?volver=/)
      assert.equal((await visitor(server).post(path, PLACE)).status, 303)
    }
    assert.equal((await vendedor.post(NEW, PLACE)).status, 403)
    for (const path of [`${LIST}/x`, `${LIST}/999999`]) assert.equal((await admin.get(path)).status, 404)
    assert.deepEqual(await rowsOf(agencia.id), [row])
  })
})
