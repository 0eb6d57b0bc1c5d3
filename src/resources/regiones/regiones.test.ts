import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { namesOf, REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { visitor } from '../../../tests/support/visitor.ts'

describe('regiones', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  it('200: the 24 of Argentina, with ISO codes and the link to their cities', async () => {
    const { json } = await app.get('/v3/regiones')
    assert.equal(json._entries.length, 24)
    assert.ok(json._entries.every(({ Iso }: { Iso: string }) => /^AR-[A-Z]$/.test(Iso)))
    const cordoba = json._entries.find((entry: { Nombre: string }) => entry.Nombre === 'Córdoba')
    assert.deepEqual(Object.keys(cordoba), ['Nombre', 'Iso', 'Ciudades', '_links'])
    const { status, json: cities } = await app.get(cordoba.Ciudades._links.self.href)
    assert.equal(status, 200)
    assert.ok(namesOf(cities).includes('Villa Carlos Paz'))
  })

  it('200, 304 and 404: one region, in both forms', async () => {
    const { json } = await app.get('/v3/regiones/bestmatch?state=cba')
    const { href } = json._links.self
    const { headers } = await app.get(href)
    assert.equal((await app.get(href, { 'if-none-match': headers.etag ?? '' })).status, 304)
    assert.deepEqual((await app.get(href, { accept: REF })).json, { href, title: 'Córdoba' })
    assert.equal((await app.get('/v3/regiones', { accept: REF })).json._entries.length, 24)
    assert.equal((await app.get('/v3/regiones/98765')).status, 404)
  })

  it('200 bestmatch: name, ISO code with and without its country, and as people write it', async () => {
    const cases: [string, string][] = [
      ['AR-X', 'Córdoba'],
      ['CORDOBA', 'Córdoba'],
      ['Pcia. de Bs. As.', 'Buenos Aires'],
      ['Capital Federal', 'Ciudad Autónoma de Buenos Aires'],
      ['caba', 'Ciudad Autónoma de Buenos Aires'],
      ['Tierra del Fuego, Antártida e Islas del Atlántico Sur', 'Tierra del Fuego'],
      ['sgo del estero', 'Santiago del Estero'],
    ]
    for (const [state, expected] of cases) {
      const { json, headers } = await app.get(`/v3/regiones/bestmatch?state=${encodeURIComponent(state)}`)
      assert.equal(json.Nombre, expected, state)
      assert.ok(headers.match)
    }
  })

  it('400 bestmatch: absent, empty, nonsense', async () => {
    for (const query of ['', '?state=', '?state=narnia'])
      assert.deepEqual(Object.keys((await app.get(`/v3/regiones/bestmatch${query}`)).json.Errors), ['state'])
  })

  it('200 with COUNTRY=BR and CATALOGUE_DIR: its own regions and words; 400 for a CNPJ with a wrong check digit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-brazil-'))
    await mkdir(join(folder, 'BR'))
    await writeFile(join(folder, 'BR/regiones.tsv'), 'id\tiso\tnombre\n1000000000\tBR-SP\tSão Paulo\n')
    await writeFile(join(folder, 'BR/ciudades.tsv'), 'id\tnombre\tregion\n1000000001\tCampinas\tBR-SP\n')
    const brazil = await startServer({
      env: { COUNTRY: 'BR', TIME_ZONE: 'America/Sao_Paulo', CATALOGUE_DIR: folder },
    })
    try {
      const partner = await brazil.newApp()
      assert.deepEqual(namesOf((await partner.get('/v3/regiones')).json), ['São Paulo'])

      const { mail } = await makeAgencia(depsOf(brazil), partner.app, { Region: 'São Paulo', Ciudad: 'Campinas' })
      const admin = await visitor(brazil).enter(mail)
      const { text } = await admin.get('/cuenta/datos')
      assert.match(text, /CNPJ[\s\S]*11\.222\.333\/0001-81/)
      const data = { Nombre: 'Campinas Autos', IdFiscal: '11.222.333/0001-82' }
      const refused = await admin.post('/cuenta/datos', data)
      assert.equal(refused.status, 400)
      assert.match(refused.text, /No es un CNPJ válido/)
      const { visitor: staff } = await makeStaff(brazil)
      assert.match((await staff.get('/consola/agencias')).text, /Nombre, correo, CNPJ o ciudad/)
    } finally {
      await brazil.stop()
      await rm(folder, { recursive: true })
    }
  })
})
