import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, eventsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { LISTING, makeShop, type Shop } from '../../../tests/support/listing.ts'
import { REF } from '../../../tests/support/names.ts'
import { schemaCheck } from '../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { dayOf } from '../../http/dates.ts'

const MEMBERS = [
  'Aviso',
  'ExternalId',
  'RefStock',
  'Estado',
  'Activa',
  'Suspension',
  'Exposicion',
  'ExposicionOtorgada',
  'OperadorResponsable',
  'Marca',
  'Modelo',
  'Version',
  'VersionYear',
  'Kilometraje',
  'Color',
  'Carroceria',
  'Propulsion',
  'Transmision',
  'Precio',
  'Descripcion',
  'Region',
  'Ciudad',
  'Fotos',
  'DatosTecnicosCustom',
  'Creada',
  'Modificada',
  '_links',
]
/** Of the marketplace's zone, not the machine's: on New Year's Eve they differ. */
const NOW_YEAR = Number(dayOf(new Date(), 'America/Argentina/Buenos_Aires').slice(0, 4))

describe('publicaciones', () => {
  let server: TestServer
  let one: TestApp
  let two: TestApp
  let shop: Shop
  let check: Awaited<ReturnType<typeof schemaCheck>>
  before(async () => {
    server = await startServer()
    ;[one, two] = [await server.newApp({ nombre: 'Uno' }), await server.newApp({ nombre: 'Dos' })]
    shop = await makeShop(server, one)
    check = await schemaCheck(server)
  })
  after(() => server.stop())

  let made = 0
  const newId = () => `NEW-${++made}`
  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()

  it('201: every member, its values matched, with a Location that leads to it', async () => {
    const { status, json, headers } = await shop.post({})
    assert.equal(status, 201)
    assert.equal(headers.location, `/v3/publicaciones/${shop.mail}/AB-1023`)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers.etag, (await shop.get('AB-1023')).headers.etag, 'it can be edited under If-Match at once')
    assert.deepEqual(Object.keys(json), MEMBERS)
    assert.ok(Number.isInteger(json.Aviso))
    assert.deepEqual(
      [json.Estado, json.Activa, json.Suspension, json.Exposicion, json.ExposicionOtorgada],
      ['Activa', true, null, null, 'Alta'],
    )
    assert.deepEqual([json.Marca, json.Modelo, json.Color, json.Carroceria], ['Fiat', 'Cronos', 'Blanco', 'Sedán'])
    assert.deepEqual([json.OperadorResponsable, json.Region, json.Ciudad], [shop.mail, 'Buenos Aires', 'Temperley'])
    assert.deepEqual(json.Precio, LISTING.Precio)
    assert.deepEqual(json.Fotos, LISTING.Fotos)
    assert.deepEqual(json.DatosTecnicosCustom, LISTING.DatosTecnicosCustom)
    assert.equal(json.Descripcion, LISTING.Descripcion)
    assert.match(json.Creada, /-03:00$/)
    assert.deepEqual(json._links.editar, { href: headers.location, method: 'PUT' })
    assert.deepEqual(json._links.consultas, { href: `/v3/consultas/${shop.mail}?externalid=AB-1023` })
    for (const rel of ['marca', 'color', 'carroceria', 'region', 'ciudad'])
      assert.equal((await one.get(json._links[rel].href)).status, 200, rel)
    assert.deepEqual((await one.get(headers.location ?? '')).json, json)
    assert.deepEqual((await shop.get('AB-1023', { accept: REF })).json, {
      href: headers.location,
      title: 'Fiat Cronos (AB-1023)',
    })
  })

  it('201 and 200: every answer has the shape that the document promises', async () => {
    const { json } = await shop.post({ ExternalId: newId() })
    check('Publicacion', json)
    check('PublicacionEdit', json)
    check('PublicacionFila', json)
    check('Publicaciones', (await shop.get()).json)
    check('PublicacionesRef', (await shop.get('', { accept: REF })).json)
    assert.throws(() => check('PublicacionCreate', json))
  })

  it('201: make and model are enough; the rest is null, or what it is by default', async () => {
    const body = JSON.stringify({ ExternalId: newId(), Marca: 'VW', Modelo: '  Un  modelo\u200b raro ' })
    const { status, json } = await one.call('POST', shop.list, { body })
    assert.equal(status, 201)
    assert.deepEqual([json.Marca, json.Modelo, json.Version], ['Volkswagen', 'Un modelo raro', null])
    assert.deepEqual([json.VersionYear, json.Kilometraje, json.Precio, json.Color], [null, null, null, null])
    assert.deepEqual([json.Fotos, json.DatosTecnicosCustom, json.Region], [[], [], 'Buenos Aires'])
    assert.equal('modelo' in json._links, false)
  })

  it('201: model and version as the catalogue has them, also where one field holds both; unknown ones as written', async () => {
    const publish = async (car: object) => (await shop.post({ ExternalId: newId(), ...car })).json
    const known = await publish({
      Marca: 'vw',
      Modelo: 'amarok',
      Version: 'V6 Extreme',
      Transmision: 'AT',
      Propulsion: 'TDI',
    })
    assert.deepEqual(
      [known.Marca, known.Modelo, known.Propulsion, known.Transmision],
      ['Volkswagen', 'Amarok', 'diesel', 'automatica'],
    )
    assert.equal((await one.get(known._links.modelo.href)).json.Nombre, 'Amarok')
    assert.equal((await one.get(known._links.version.href)).json.Nombre, known.Version)

    const both = await publish({ Marca: 'Fiat', Modelo: 'Cronos edición Zapala', Version: null })
    assert.deepEqual([both.Modelo, both.Version], ['Cronos', 'edición Zapala'])
    assert.ok('modelo' in both._links && !('version' in both._links))
    const unknown = await publish({ Marca: 'Fiat', Modelo: 'Zapatilla 3000', Version: 'Cordones' })
    assert.deepEqual([unknown.Modelo, unknown.Version], ['Zapatilla 3000', 'Cordones'])
    assert.ok(!('modelo' in unknown._links || 'version' in unknown._links))
  })

  it('400: every fault of form at once, by name', async () => {
    const { status, json } = await shop.post({
      ExternalId: 'a/b',
      RefStock: 'r'.repeat(26),
      Activa: 'true',
      Exposicion: 'alta',
      OperadorResponsable: 'x',
      VersionYear: 1907,
      Kilometraje: 999_001,
      Color: 'c'.repeat(51),
      Precio: { Moneda: 'pesos', Importe: '1' },
      Descripcion: 'd'.repeat(2001),
      Fotos: [
        'http://fotos.example/1.jpg',
        'https://a:b@fotos.example/1.jpg',
        'javascript:alert(1)',
        'https://fotos.example/1.jpg',
        'https://1.2.3.999/1.jpg',
        'https://fotos.example/a b.jpg',
      ],
      DatosTecnicosCustom: [{ Nombre: 'x' }],
      Otro: 1,
      _links: {},
    })
    assert.equal(status, 400)
    assert.deepEqual(errorsOf(json), [
      'Activa',
      'Color',
      'DatosTecnicosCustom[0].Valor',
      'Descripcion',
      'Exposicion',
      'ExternalId',
      'Fotos[0]',
      'Fotos[1]',
      'Fotos[2]',
      'Fotos[4]',
      'Fotos[5]',
      'Kilometraje',
      'OperadorResponsable',
      'Otro',
      'Precio.Importe',
      'Precio.Moneda',
      'RefStock',
      'VersionYear',
      '_links',
    ])
    const many = {
      Fotos: Array(21).fill(LISTING.Fotos[0]),
      DatosTecnicosCustom: Array(51).fill({ Nombre: 'a', Valor: 'b' }),
    }
    assert.deepEqual(errorsOf((await shop.post({ ExternalId: newId(), ...many })).json), [
      'DatosTecnicosCustom',
      'Fotos',
    ])
    const nothing = await one.call('POST', shop.list, { body: '{}' })
    assert.deepEqual(errorsOf(nothing.json), ['ExternalId', 'Marca', 'Modelo'])
  })

  it('400: an ExternalId that is no segment of a path, too short, too long, or an address of ours', async () => {
    const wrong = [
      'a',
      '..',
      'a b',
      'ñandú',
      'a%20b',
      'a?b',
      'a#b',
      'a\\b',
      'lote',
      'LOTE',
      'x'.repeat(256),
      '<script>',
    ]
    for (const ExternalId of wrong) {
      const { status, json } = await shop.post({ ExternalId })
      assert.deepEqual([status, errorsOf(json)], [400, ['ExternalId']], ExternalId)
    }
    for (const ExternalId of ["A.b_c~!$&'()*+,;=:@-9", 'x'.repeat(255), '...']) {
      const { status, headers } = await shop.post({ ExternalId })
      assert.equal(status, 201, ExternalId)
      assert.equal((await one.get(headers.location ?? '')).json.ExternalId, ExternalId)
    }
    for (const method of ['GET', 'DELETE']) {
      const bad = await one.call(method, `${shop.list}/a`)
      assert.deepEqual([bad.status, errorsOf(bad.json)], [400, ['externalid']])
    }
    assert.equal((await one.get('/v3/publicaciones/nada/AB-1')).status, 400)
  })

  it('400: what the catalogue does not know is refused with what came near, by member, all at once', async () => {
    const { status, json } = await shop.post({
      ExternalId: newId(),
      Marca: 'zapatillas',
      Color: 'zapatilla',
      Carroceria: 'zapato',
      Propulsion: 'vapor',
      Transmision: 'a pedal',
      Region: 'Mendoza',
      Ciudad: 'San Xyz',
      OperadorResponsable: 'nadie@agencia.test',
      Precio: { Moneda: 'ARS', Importe: 1.005 },
    })
    assert.equal(status, 400)
    assert.deepEqual(errorsOf(json), [
      'Carroceria',
      'Ciudad',
      'Color',
      'Marca',
      'OperadorResponsable',
      'Precio.Importe',
      'Propulsion',
      'Transmision',
    ])
    for (const candidate of json.Extensions.Candidatos)
      assert.deepEqual(Object.keys(candidate).sort(), ['Campo', 'Score', 'href', 'title'])
    assert.ok(json.Extensions.Candidatos.some(({ Campo }: { Campo: string }) => Campo === 'Ciudad'))
    check('ValidationProblemDetails', json)
  })

  it('400: what would be kept as something else than was sent', async () => {
    const blank = [
      { Nombre: 'Airbags', Valor: '6' },
      { Nombre: ' ', Valor: '\u200b' },
    ]
    const { status, json } = await shop.post({
      ExternalId: newId(),
      DatosTecnicosCustom: blank,
      Precio: { Moneda: 'ARS', Importe: 10.00001 },
    })
    assert.equal(status, 400)
    assert.deepEqual(errorsOf(json), [
      'DatosTecnicosCustom[1].Nombre',
      'DatosTecnicosCustom[1].Valor',
      'Precio.Importe',
    ])
  })

  it('400: 0 km is for a new car, and an old one is not believed to be new; read back, it stays', async () => {
    const old = await shop.post({ ExternalId: newId(), Kilometraje: 0, VersionYear: NOW_YEAR - 3 })
    assert.deepEqual([old.status, errorsOf(old.json)], [400, ['Kilometraje']])
    const id = newId()
    assert.equal((await shop.post({ ExternalId: id, Kilometraje: 0, VersionYear: NOW_YEAR - 2 })).status, 201)
    await server.store.query(
      sql`update publicaciones set version_year = ${NOW_YEAR - 5} where lower(external_id) = ${id.toLowerCase()}`,
    )
    const { json } = await shop.get(id)
    assert.equal((await shop.put(id, json)).status, 200)
    assert.equal((await shop.put(id, { ...json, VersionYear: NOW_YEAR - 6 })).status, 400)
  })

  it('409: a live ExternalId again, in any case; another app’s and an archived one are no matter', async () => {
    const id = newId()
    const first = await shop.post({ ExternalId: id })
    const { status, json } = await shop.post({ ExternalId: id.toLowerCase() })
    assert.equal(status, 409)
    assert.deepEqual(errorsOf(json), ['ExternalId'])
    assert.equal(json.Extensions.Publicacion.href, first.headers.location)
    check('ValidationProblemDetails', json)
    assert.equal((await shop.post({ ExternalId: id, Marca: 'zzz' })).status, 400)

    assert.equal((await shop.remove(id.toLowerCase())).status, 204)
    const again = await shop.post({ ExternalId: id.toLowerCase() })
    assert.equal(again.status, 201)
    assert.notEqual(again.json.Aviso, first.json.Aviso)
  })

  it('409: of ten that publish one ExternalId at once, one does', async () => {
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.post({ ExternalId: id })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
  })

  it('404: an agency that is another’s, absent, or only invited, for every method', async () => {
    const invited = 'invitada@agencia.test'
    await one.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: invited }) })
    const body = { body: JSON.stringify(LISTING) }
    const edit = { body: JSON.stringify({}) }
    for (const [app, mail] of [
      [two, shop.mail],
      [two, 'nadie@agencia.test'],
      [one, invited],
    ] as const) {
      const list = `/v3/publicaciones/${mail}`
      assert.equal((await app.get(list)).status, 404)
      assert.equal((await app.call('POST', list, body)).status, 404)
      assert.equal((await app.get(`${list}/AB-1023`)).status, 404)
      assert.equal((await app.call('PUT', `${list}/AB-1023`, edit)).status, 404)
      assert.equal((await app.call('DELETE', `${list}/AB-1023`)).status, 404)
    }
  })

  it('404: an app sees only its own listings of an agency that both are associated with', async () => {
    const deps = depsOf(server)
    const { mail, agencia } = await makeAgencia(deps, one.app)
    await server.store.query(sql`insert into asociaciones (app_id, agencia_id) values (${two.app.id}, ${agencia.id})`)
    const list = `/v3/publicaciones/${mail}`
    const hidden = JSON.stringify({ ...LISTING, Activa: false })
    assert.equal((await one.call('POST', list, { body: hidden })).status, 201)
    assert.equal((await two.get(`${list}/AB-1023`)).status, 404)
    assert.equal((await two.get(list)).json.Total, 0)
    assert.equal((await two.call('PUT', `${list}/AB-1023`, { body: '{}' })).status, 404)
    assert.equal((await two.call('DELETE', `${list}/AB-1023`)).status, 404)
    assert.equal((await two.call('POST', list, { body: hidden })).status, 201, 'the same ExternalId is another listing')
    assert.equal((await one.get(list)).json.Total, 1)
  })

  describe('PUT', () => {
    it('200: what was read can be sent back, and changes nothing', async () => {
      const id = newId()
      await shop.post({ ExternalId: id })
      const { json } = await shop.get(id)
      const { status, json: after } = await shop.put(id, json)
      assert.equal(status, 200)
      assert.deepEqual(after, json)
    })

    it('200: what is left out becomes null; the car stays the same one, whatever is said of it', async () => {
      const id = newId()
      const { json: before } = await shop.post({ ExternalId: id })
      const { status, json } = await shop.put(id.toLowerCase(), { Marca: 'Ford', Modelo: 'Ka', ExternalId: 'OTRO' })
      assert.equal(status, 200)
      assert.deepEqual([json.Marca, json.Modelo, json.ExternalId], ['Fiat', 'Cronos', id])
      assert.deepEqual([json.Aviso, json.Precio, json.Color, json.Fotos], [before.Aviso, null, null, []])
      assert.ok(json.Modificada > before.Modificada)
      assert.equal(json.Creada, before.Creada)
    })

    it('412: a version that is not the present one; 200 with the ETag of either form', async () => {
      const id = newId()
      await shop.post({ ExternalId: id })
      const [entry, ref] = [await shop.get(id), await shop.get(id, { accept: REF })]
      assert.equal((await shop.put(id, entry.json, { 'if-match': '"otro"' })).status, 412)
      assert.equal((await shop.put(id, entry.json, { 'if-match': `W/${entry.headers.etag}` })).status, 412)
      for (const etag of [entry.headers.etag, ref.headers.etag, '*'])
        assert.equal((await shop.put(id, entry.json, { 'if-match': etag ?? '' })).status, 200)
      assert.equal((await shop.put(id, { RefStock: 'X' }, { 'if-match': entry.headers.etag ?? '' })).status, 200)
      assert.equal((await shop.put(id, { RefStock: 'Y' }, { 'if-match': entry.headers.etag ?? '' })).status, 412)
      assert.equal((await shop.get(id, { 'if-none-match': (await shop.get(id)).headers.etag ?? '' })).status, 304)
    })

    it('400: faults of form and of meaning; unknown members are named', async () => {
      const id = newId()
      await shop.post({ ExternalId: id })
      assert.deepEqual(errorsOf((await shop.put(id, { Kilometraje: -1, Otro: 1 })).json), ['Kilometraje', 'Otro'])
      assert.deepEqual(errorsOf((await shop.put(id, { Color: 'zzz', Ciudad: 'Rosario' })).json), ['Color', 'Region'])
    })
  })

  it('204 and 404: archived for good, still to be read, and never again edited', async () => {
    const id = newId()
    await shop.post({ ExternalId: id })
    assert.equal((await shop.remove(id)).status, 204)
    const { status, json } = await shop.get(id)
    assert.deepEqual([status, json.Estado, json.Activa], [200, 'Archivada', false])
    assert.equal('editar' in json._links || 'eliminar' in json._links, false)
    assert.equal((await shop.put(id, {})).status, 404)
    assert.equal((await shop.remove(id)).status, 404)
  })

  it('no event tells an app what it did itself', async () => {
    const id = newId()
    await shop.post({ ExternalId: id })
    await shop.put(id, { Activa: false })
    await shop.put(id, {})
    await shop.remove(id)
    const events = await eventsOf(server, one.app, shop.agencia.id)
    assert.deepEqual(
      events.filter(({ Topic }) => Topic.startsWith('publicacion')),
      [],
    )
  })
})
