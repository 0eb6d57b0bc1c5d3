import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { hoursFaults, normalizeHours } from './sucursal.ts'

const SHIFTS = [
  { Desde: '09:00', Hasta: '13:00' },
  { Desde: '16:00', Hasta: '20:30' },
]
const PLACE = {
  Nombre: 'Casa central',
  Telefono: '011 4555-1234',
  WhatsApp: '+5491145551234',
  Email: 'Central@agencia.test',
  Region: 'bs as',
  Ciudad: 'lanus',
  Direccion: 'Av. 9 de Julio 1200',
  CodigoPostal: 'B1824',
  Horarios: { Lunes: [...SHIFTS].reverse(), Sabado: [{ Desde: '00:00', Hasta: '24:00' }], Domingo: null },
}

describe('sucursales', () => {
  let server: TestServer
  let one: TestApp
  let two: TestApp
  let mail: string
  let agenciaId: number
  let list: string
  before(async () => {
    server = await startServer()
    ;[one, two] = [await server.newApp({ nombre: 'Uno' }), await server.newApp({ nombre: 'Dos' })]
    const made = await makeAgencia(depsOf(server), one.app)
    ;({ mail } = made)
    agenciaId = made.agencia.id
    list = `/v3/sucursales/${mail}`
    await server.store.query(sql`insert into asociaciones (app_id, agencia_id) values (${two.app.id}, ${agenciaId})`)
  })
  after(() => server.stop())

  const post = (app: TestApp, body: object) => app.call('POST', list, { body: JSON.stringify(body) })
  const put = (app: TestApp, href: string, body: object, headers: Record<string, string> = {}) =>
    app.call('PUT', href, { body: JSON.stringify(body), headers })
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()

  it('201, 200, 204: added, read, edited and removed; the administrator hears of each, and the other app', async () => {
    const check = await schemaCheck(server)
    const { status, json, headers } = await post(one, PLACE)
    assert.equal(status, 201)
    const href = headers.location ?? ''
    assert.deepEqual([json.Ciudad, json.Email], ['Lanús', 'central@agencia.test'])
    assert.deepEqual(json.Horarios.Lunes, SHIFTS, 'in their order')
    assert.deepEqual([json.Horarios.Martes, json.Horarios.Domingo, json.Horarios.Feriados], [[], [], []])
    check('Sucursal', json)
    check('SucursalUpsert', json)
    assert.deepEqual((await one.get(href)).json, json)
    assert.equal((await one.get(href, { 'if-none-match': (await one.get(href)).headers.etag ?? '' })).status, 304)

    assert.deepEqual((await put(one, href, json)).json, json, 'what was read can be sent back')
    assert.equal((await emailsTo(server, mail)).filter(({ kind }) => kind === 'agencia-modificada').length, 1)
    const edited = await put(one, href, { Nombre: ' Casa  nueva ' })
    assert.deepEqual([edited.json.Nombre, edited.json.Horarios, edited.json.Ciudad], ['Casa nueva', null, null])
    check('Sucursales', (await one.get(list)).json)
    assert.equal((await one.get(list)).json._entries.length, 1)

    assert.equal((await one.call('DELETE', href)).status, 204)
    assert.equal((await one.get(href)).status, 404)
    assert.equal((await emailsTo(server, mail)).filter(({ kind }) => kind === 'agencia-modificada').length, 3)
    const told = (await eventsOf(server, two.app, agenciaId)).filter(({ Topic }) => Topic === 'agencia.modificada')
    assert.equal(told.length, 3)
  })

  it('400: every fault of form at once; hours that cannot be', async () => {
    const { status, json } = await post(one, {
      Nombre: ' ',
      Telefono: '((((((((((',
      Horarios: {
        Lunes: [{ Desde: '13:00', Hasta: '09:00' }],
        Martes: [
          { Desde: '09:00', Hasta: '13:00' },
          { Desde: '12:59', Hasta: '14:00' },
        ],
        Jueves: [
          { Desde: '09:00', Hasta: '13:00' },
          { Desde: '13:00', Hasta: '14:00' },
        ],
      },
    })
    assert.equal(status, 400)
    assert.deepEqual(errorsOf(json), ['Horarios.Lunes', 'Horarios.Martes', 'Nombre', 'Telefono'])
    const equal = hoursFaults(normalizeHours({ Jueves: [{ Desde: '09:00', Hasta: '09:00' }] }))
    assert.match(equal['Horarios.Jueves']?.[0]?.text ?? '', /^Abre y cierra a la misma hora \(09:00\): /)
    const form = await post(one, {
      Email: 'x',
      WhatsApp: '11',
      Horarios: { Lunes: [{ Desde: '9:00', Hasta: '25:00' }], Lundi: [], Martes: Array(5).fill(SHIFTS[0]) },
      Otro: 1,
    })
    assert.deepEqual(errorsOf(form.json), [
      'Email',
      'Horarios.Lundi',
      'Horarios.Lunes[0].Desde',
      'Horarios.Lunes[0].Hasta',
      'Horarios.Martes',
      'Nombre',
      'Otro',
      'WhatsApp',
    ])
    const place = await post(one, { Nombre: 'x', Region: 'Mendoza', Ciudad: 'San Xyz' })
    assert.deepEqual([errorsOf(place.json), Array.isArray(place.json.Extensions.Candidatos)], [['Ciudad'], true])
  })

  it('400: more than fifty', async () => {
    const { mail: full, agencia } = await makeAgencia(depsOf(server), one.app)
    await server.store.query(sql`
      insert into sucursales (agencia_id, nombre) select ${agencia.id}, 'x' from generate_series(1, 50)`)
    const { status, json } = await one.call('POST', `/v3/sucursales/${full}`, { body: JSON.stringify({ Nombre: 'y' }) })
    assert.deepEqual([status, errorsOf(json)], [400, ['_']])
  })

  it('412: a version that is not the present one', async () => {
    const { headers } = await post(one, PLACE)
    const href = headers.location ?? ''
    const { json, headers: read } = await one.get(href)
    assert.equal((await put(one, href, { Nombre: 'Otra' }, { 'if-match': read.etag ?? '' })).status, 200)
    assert.equal((await put(one, href, json, { 'if-match': read.etag ?? '' })).status, 412)
  })

  it('403: an app that may read and not edit is offered nothing to change, and refused', async () => {
    const { headers } = await post(one, PLACE)
    const href = headers.location ?? ''
    const { json } = await two.get(href)
    assert.deepEqual(Object.keys(json._links), ['self', 'sucursales', 'agencia'])
    assert.equal((await post(two, PLACE)).status, 403)
    assert.equal((await put(two, href, PLACE)).status, 403)
    assert.equal((await two.call('DELETE', href)).status, 403)
  })

  it('404: another’s agency, another agency’s place, one that never was; 400 for an id that is none; 304', async () => {
    const stranger = await server.newApp()
    const { headers } = await post(one, PLACE)
    const href = headers.location ?? ''
    assert.equal((await stranger.get(list)).status, 404)
    assert.equal((await post(stranger, PLACE)).status, 404)
    for (const method of ['GET', 'DELETE']) assert.equal((await stranger.call(method, href)).status, 404)
    assert.equal((await put(stranger, href, PLACE)).status, 404)

    const { mail: other } = await makeAgencia(depsOf(server), one.app)
    const elsewhere = href.replace(mail, other)
    assert.equal((await one.get(elsewhere)).status, 404)
    assert.equal((await put(one, elsewhere, PLACE)).status, 404)
    assert.equal((await one.call('DELETE', elsewhere)).status, 404)
    for (const method of ['GET', 'DELETE']) assert.equal((await one.call(method, `${list}/abc`)).status, 400)
    assert.equal((await put(one, `${list}/abc`, PLACE)).status, 400)
    assert.equal((await one.get('/v3/sucursales/nada')).status, 400)
    const { headers: read } = await one.get(list)
    assert.equal((await one.get(list, { 'if-none-match': read.etag ?? '' })).status, 304)
  })
})
