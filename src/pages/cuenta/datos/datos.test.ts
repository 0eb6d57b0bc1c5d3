import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'
import { connect } from '../../../resources/agencias/associations.ts'
import { findAgenciaById } from '../../../resources/agencias/read.ts'

const PATH = '/cuenta/datos'
const NOTHING = { editar: false, consultasDeCatalogo: false, consultasDeOtros: false }
const DATA = {
  Nombre: 'Autos del Oeste',
  RazonSocial: 'Autos del Oeste S.A.',
  IdFiscal: '30-50001091-2',
  Telefono: '(011) 4444-5555',
  WhatsApp: '+54 9 11 4444-5555',
  SitioWeb: 'www.oeste.example/autos',
  Region: 'Buenos Aires',
  Ciudad: 'Morón',
  Direccion: 'Rivadavia 18000',
  CodigoPostal: 'B1708',
}

describe('/cuenta/datos', () => {
  let server: TestServer
  let app: TestApp
  let other: TestApp
  before(async () => {
    server = await startServer()
    ;[app, other] = [await server.newApp({ nombre: 'Gestor Uno' }), await server.newApp({ nombre: 'Gestor Dos' })]
  })
  after(() => server.stop())

  async function setUp() {
    const { agencia, mail, account } = await makeAgencia(depsOf(server), app.app)
    await connect(depsOf(server), other.app, agencia, NOTHING)
    return { agencia, mail, account, admin: await visitor(server).enter(mail) }
  }
  const versionIn = (text: string) => /name="Version" value="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const stored = async (id: number) => (await findAgenciaById(server.store, id)) ?? assert.fail()

  it('303: the administrator changes the data; every app is told, nobody is mailed, the history says who', async () => {
    const { admin, agencia, mail, account } = await setUp()
    const Version = versionIn((await admin.get(PATH)).text)
    const answer = await admin.post(PATH, { ...DATA, Version })
    assert.deepEqual([answer.status, answer.headers.location], [303, PATH])
    const { nombre, idFiscal, whatsapp, sitioWeb, ciudad, direccion } = await stored(agencia.id)
    assert.deepEqual(
      [nombre, idFiscal, whatsapp, sitioWeb, ciudad, direccion],
      ['Autos del Oeste', DATA.IdFiscal, '+5491144445555', 'https://www.oeste.example/autos', 'Morón', DATA.Direccion],
    )
    for (const each of [app, other]) {
      const [event] = (await eventsOf(server, each.app, agencia.id)).slice(-1)
      assert.deepEqual([event?.Topic, event?.AdminMail], ['agencia.modificada', mail])
    }
    assert.equal((await emailsTo(server, mail)).filter(({ kind }) => kind === 'agencia-modificada').length, 0)
    const [row] = await server.store.query<{ account_id: number; app_id: number | null }>(sql`
      select account_id, app_id from agencia_history where agencia_id = ${agencia.id}`)
    assert.deepEqual(row, { account_id: account.id, app_id: null })
    const { text } = await admin.get(PATH)
    for (const words of ['Usted', 'Razón social', 'CUIT', 'Código postal', '<del>Automotores del Sur</del>'])
      assert.ok(text.includes(words), words)
    assert.equal((await app.get(`/v3/agencias/${mail}`)).json.Nombre, 'Autos del Oeste')
  })

  it('303: what is sent as it was shown changes nothing and tells nobody', async () => {
    const { admin, agencia } = await setUp()
    const { text } = await admin.get(PATH)
    const shown = Object.fromEntries(
      Object.keys(DATA).map((name) => {
        const input = new RegExp(`name="${name}"[^>]* value="([^"]*)"|name="${name}"[^>]*value="([^"]*)"`).exec(text)
        const chosen = new RegExp(`name="${name}"[\\s\\S]*?<option value="([^"]*)" selected`).exec(text)
        return [name, (name === 'Region' ? chosen?.[1] : (input?.[1] ?? input?.[2])) ?? '']
      }),
    )
    assert.deepEqual([shown.Nombre, shown.Region, shown.Ciudad], ['Automotores del Sur', 'Buenos Aires', 'Temperley'])
    assert.equal((await admin.post(PATH, { ...shown, Version: versionIn(text) })).status, 303)
    assert.equal(
      (await server.store.query(sql`select from agencia_history where agencia_id = ${agencia.id}`)).length,
      0,
    )
    assert.deepEqual(
      (await eventsOf(server, app.app, agencia.id)).map(({ Topic }) => Topic),
      ['agencia.registrada'],
    )
  })

  it('400: every fault at once, in people’s words and in the order of the page; nothing that was typed is lost', async () => {
    const { admin, agencia } = await setUp()
    const { status, text } = await admin.post(PATH, {
      Nombre: ' ',
      RazonSocial: 'x'.repeat(121),
      IdFiscal: '30-50001091-3',
      Telefono: '12',
      WhatsApp: '11 4444',
      SitioWeb: 'mi sitio',
      Region: '',
      Ciudad: 'Morón',
    })
    assert.equal(status, 400)
    const faulty = [...text.matchAll(/id="campo-(\w+)-error"/g)].map(([, name]) => name)
    assert.deepEqual(faulty, ['Nombre', 'RazonSocial', 'IdFiscal', 'Telefono', 'WhatsApp', 'SitioWeb', 'Region'])
    for (const words of [
      'Falta el nombre.',
      'hasta 120',
      'No es un CUIT',
      'código de área',
      'Elija también la provincia',
    ])
      assert.ok(text.includes(words), words)
    for (const typed of ['mi sitio', '11 4444', 'Morón']) assert.ok(text.includes(`value="${typed}"`), typed)
    assert.match(text, /<title>Error: Datos/)
    assert.equal((await stored(agencia.id)).nombre, 'Automotores del Sur')
  })

  it('400: a region that contradicts a certain city is asked about, and yes is one key', async () => {
    const { admin, agencia } = await setUp()
    const wrong = { ...DATA, Region: 'Santa Fe', Ciudad: 'Temperley' }
    const refused = await admin.post(PATH, wrong)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /Encontramos Temperley \(Buenos Aires\), que no está en Santa Fe/)
    const [, href = ''] = /type="radio"[^>]*value="(\/v3\/ciudades\/\d+)"/.exec(refused.text) ?? []
    const body = `${new URLSearchParams(wrong)}&Ciudad=${encodeURIComponent(href)}`
    assert.equal((await admin.post(PATH, body)).status, 303)
    const { region, ciudad } = await stored(agencia.id)
    assert.deepEqual([region, ciudad], ['Buenos Aires', 'Temperley'])
  })

  it('409: what an app changed meanwhile is shown beside what was typed, and the second try stands', async () => {
    const { admin, agencia, mail } = await setUp()
    const Version = versionIn((await admin.get(PATH)).text)
    const body = JSON.stringify({ Nombre: 'Cambiada por la app', Telefono: '011 4000-0000' })
    assert.equal((await app.call('PUT', `/v3/agencias/${mail}`, { body })).status, 200)
    const late = await admin.post(PATH, { ...DATA, Version })
    assert.equal(late.status, 409)
    assert.match(late.text, /Alguien cambió los datos/)
    assert.match(late.text, /Ahora dice: 011 4000-0000/)
    assert.ok(late.text.includes(`value="${DATA.Telefono}"`))
    const [moron] = (
      await app.get('/v3/ciudades/bestmatch?state=Buenos%20Aires&city=Mor%C3%B3n')
    ).json._links.self.href.match(/\/v3.*/)
    const chosen = await admin.post(PATH, { ...DATA, Ciudad: moron, Version })
    assert.deepEqual(
      [chosen.status, /name="Ciudad" value="Morón"/.test(chosen.text)],
      [409, true],
      'a name, no reference',
    )
    assert.equal((await stored(agencia.id)).nombre, 'Cambiada por la app')
    assert.equal((await admin.post(PATH, { ...DATA, Version: versionIn(late.text) })).status, 303)
    assert.equal((await stored(agencia.id)).nombre, DATA.Nombre)
  })

  it('200: a place that the catalogue has lost stays until another is chosen', async () => {
    const { admin, agencia } = await setUp()
    await server.store.query(sql`
      update agencias set region = 'Provincia Perdida', ciudad = 'Villa Perdida', ciudad_id = 7 where id = ${agencia.id}`)
    const { text } = await admin.get(PATH)
    assert.match(text, /<option value="Provincia Perdida" selected/)
    const form = { ...DATA, Region: 'Provincia Perdida', Ciudad: 'Villa Perdida', Version: versionIn(text) }
    const refused = await admin.post(PATH, { ...form, Telefono: '12' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /<option value="Provincia Perdida" selected/)
    assert.equal((await admin.post(PATH, form)).status, 303)
    assert.equal((await stored(agencia.id)).ciudadId, 7)
  })

  it('403, 303: who only collaborates reads and changes nothing; nobody at all is led to sign in', async () => {
    const { agencia } = await setUp()
    const seller = await makeAccount(server, { email: newMail('vende') })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${seller.id}, 'vendedor')`)
    const vendedor = await visitor(server).enter(seller.email)
    const { status, text } = await vendedor.get(PATH)
    assert.equal(status, 200)
    assert.ok(text.includes('Temperley') && !text.includes('<form method="post" action="/cuenta'))
    assert.equal((await vendedor.post(PATH, DATA)).status, 403)
    assert.equal((await visitor(server).post(PATH, DATA)).headers.location, '/entrar?volver=%2Fcuenta&tarde=si')
    assert.equal((await stored(agencia.id)).nombre, 'Automotores del Sur')
  })

  it('200: the history goes on, ten at a time', async () => {
    const { admin, agencia } = await setUp()
    for (let at = 1; at <= 12; at++)
      await server.store.query(sql`
        insert into agencia_history (agencia_id, app_id, changes)
        values (${agencia.id}, ${app.app.id}, ${JSON.stringify([{ campo: 'Nombre', antes: null, despues: `n${at}.` }])})`)
    const { text } = await admin.get(PATH)
    assert.ok(
      text.includes('n12.') && text.includes('n3.') && !text.includes('n2.') && text.includes('La app Gestor Uno'),
    )
    const [, next = ''] = /href="(\/cuenta\/datos\?antes=\d+)"/.exec(text) ?? []
    const earlier = (await admin.get(next)).text
    assert.ok(earlier.includes('n2.') && earlier.includes('n1.') && !earlier.includes('n3.'))
    assert.equal((await admin.get(`${PATH}?antes=x`)).status, 200)
  })
})
