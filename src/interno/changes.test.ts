import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { makeShop, type Shop } from '../../tests/support/listing.ts'
import { schemaCheck } from '../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'

describe('GET /interno/v1/avisos, /interno/v1/agencias', () => {
  let server: TestServer
  let app: TestApp
  let sitio: TestSitio
  let test: TestSitio
  let shop: Shop
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    ;[sitio, test] = [await server.newSitio(), await server.newSitio({ modo: 'prueba' })]
    shop = await makeShop(server, app)
  })
  after(() => server.stop())

  const get = async (path: string, from = sitio) => (await from.call('GET', path)).json
  const end = async (list: string): Promise<string> => (await get(`${list}?cursor=fin`))._links.next.href
  /** Follows the feed until it has shown so many; what others still write elsewhere may hold it back a moment. */
  async function follow(href: string, count: number) {
    const seen: Record<string, never>[] = []
    let next = href
    await until(async () => {
      const page = await get(next)
      seen.push(...page._entries)
      next = page._links.next.href
      return seen.length >= count
    })
    return { seen: seen as Record<string, unknown>[], next }
  }

  it('200: every listing in the order of its last change, once; archived ones too, so that they go away', async () => {
    const check = await schemaCheck(server)
    const start = await end('/interno/v1/avisos')
    for (const ExternalId of ['F-1', 'F-2', 'F-3']) await shop.post({ ExternalId })
    await shop.put('F-1', { RefStock: 'x' })
    await shop.remove('F-2')
    const { seen, next } = await follow(start, 3)
    assert.deepEqual(
      seen.map(({ ExternalId, Estado }) => `${ExternalId} ${Estado}`),
      ['F-3 Activa', 'F-1 Activa', 'F-2 Archivada'],
    )
    for (const entry of seen) check('AvisoSitio', entry)
    assert.deepEqual(seen[0]?.Agencia, { Id: shop.agencia.id, AdminMail: shop.mail, Nombre: 'Automotores del Sur' })
    assert.equal('RefStock' in (seen[0] ?? {}) || 'OperadorResponsable' in (seen[0] ?? {}), false)

    const nothing = await get(next)
    assert.deepEqual([nothing._entries, nothing._links.next.href], [[], next])
    await shop.post({ ExternalId: 'F-1' }) // 409: nothing changed
    const row = [{ ExternalId: 'F-3', Marca: 'fiat', Modelo: 'Cronos', Version: '1.3 Drive' }]
    const upload = () => app.call('POST', `${shop.list}/lote`, { body: JSON.stringify(row) })
    await upload()
    const changed = await follow(next, 1)
    await upload()
    assert.deepEqual((await get(changed.next))._entries, [], 'an identical upload is no change')
  })

  it('200: what commits late is not skipped', async () => {
    const start = await end('/interno/v1/avisos')
    const { Aviso } = (await shop.post({ ExternalId: 'LATE' })).json
    const { next } = await follow(start, 1)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let late: Promise<void> | undefined
    await new Promise<void>((updated) => {
      late = server.store.transaction(async (tx) => {
        await tx.query(sql`update publicaciones set ref_stock = 'late' where id = ${Aviso}`)
        updated()
        await held
      })
    })
    await shop.post({ ExternalId: 'SOON' })
    assert.deepEqual((await get(next))._entries, [], 'the later one waits for the earlier')
    release()
    await late
    const { seen } = await follow(next, 2)
    assert.deepEqual(
      seen.map(({ ExternalId }) => ExternalId),
      ['LATE', 'SOON'],
    )
  })

  it('200: agencies with their places, after every change of either', async () => {
    const check = await schemaCheck(server)
    const start = await end('/interno/v1/agencias')
    await app.call('PUT', `/v3/agencias/${shop.mail}`, { body: JSON.stringify({ Nombre: 'Autos Nuevos' }) })
    const { seen, next } = await follow(start, 1)
    check('AgenciaSitio', seen[0])
    assert.deepEqual([seen[0]?.Nombre, seen[0]?.AdminMail, seen[0]?.Sucursales], ['Autos Nuevos', shop.mail, []])
    const place = { Nombre: 'Centro', Horarios: { Lunes: [{ Desde: '09:00', Hasta: '18:00' }] } }
    await app.call('POST', `/v3/sucursales/${shop.mail}`, { body: JSON.stringify(place) })
    const [changed] = (await follow(next, 1)).seen as [{ Sucursales: { Nombre: string }[] }]
    assert.equal(changed.Sucursales[0]?.Nombre, 'Centro')
    check('AgenciaSitio', changed)
  })

  it('200: more than a page is followed to its end, each once', async () => {
    const start = await end('/interno/v1/avisos')
    const rows = Array.from({ length: 250 }, (_, at) => ({ ExternalId: `P-${at}`, Marca: 'Fiat', Modelo: 'Uno' }))
    await app.call('POST', `${shop.list}/lote`, { body: JSON.stringify(rows) })
    const { seen } = await follow(start, 250)
    assert.equal(new Set(seen.map(({ Aviso }) => Aviso)).size, 250)
    assert.equal(seen.length, 250)
  })

  it('200: production and test do not see each other', async () => {
    for (const list of ['avisos', 'agencias']) {
      assert.deepEqual((await get(`/interno/v1/${list}`, test))._entries, [])
      assert.notEqual((await get(`/interno/v1/${list}`))._entries.length, 0)
    }
  })

  it('400: a cursor that we never gave; 304: nothing changed', async () => {
    for (const list of ['avisos', 'agencias']) {
      const { status, json } = await sitio.call('GET', `/interno/v1/${list}?cursor=nada`)
      assert.deepEqual([status, Object.keys(json.Errors)], [400, ['cursor']])
      const { headers } = await sitio.call('GET', `/interno/v1/${list}`)
      const again = await sitio.call('GET', `/interno/v1/${list}`, { headers: { 'if-none-match': headers.etag ?? '' } })
      assert.equal(again.status, 304)
    }
  })
})
