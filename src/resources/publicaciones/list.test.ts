import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { makeShop, type Shop } from '../../../tests/support/listing.ts'
import { REF } from '../../../tests/support/names.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { makeAccount } from '../../../tests/support/visitor.ts'
import type { Db } from '../../store/db.ts'
import { listAgencias } from '../agencias/read.ts'
import { listOwn, listPublicaciones } from './read.ts'

const COUNT = 60
const SELLER = 'beto@agencia.test'

describe('GET /v3/publicaciones/{adminMail}', () => {
  let server: TestServer
  let app: TestApp
  let shop: Shop
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    shop = await makeShop(server, app)
    const { id } = await makeAccount(server, { email: SELLER })
    await server.store.query(
      sql`insert into operadores (agencia_id, account_id, rol) values (${shop.agencia.id}, ${id}, 'vendedor')`,
    )
    for (let at = 1; at <= COUNT; at++)
      await shop.post({
        ExternalId: `L-${at}`,
        RefStock: `Ñ${at}`,
        Marca: at % 2 ? 'Citroën' : 'Fiat',
        Modelo: at % 2 ? 'C3' : 'Línea 100%',
        Version: null,
        Activa: at % 3 !== 0,
        ...(at <= 5 && { OperadorResponsable: SELLER }),
      })
    await shop.remove('L-60')
  })
  after(() => server.stop())

  const page = async (query = '') => (await app.get(`${shop.list}${query}`)).json
  const idsOf = (list: { _entries: { ExternalId: string }[] }) => list._entries.map(({ ExternalId }) => ExternalId)

  it('200: newest first, 25 a page, with an exact Total and links that keep the filters', async () => {
    const first = await page()
    assert.deepEqual([first.Pagina, first.Total, first.PerPagina, first._entries.length], [1, 59, 25, 25])
    assert.equal(first._entries[0].ExternalId, 'L-59')
    assert.deepEqual(Object.keys(first._links), [
      'self',
      'first',
      'next',
      'last',
      'buscar',
      'publicacion',
      'publicar',
      'lote',
      'agencia',
    ])
    assert.equal(first._links.last.href, `${shop.list}?pagina=3`)
    const second = (await app.get(first._links.next.href)).json
    const third = (await app.get(second._links.next.href)).json
    assert.deepEqual(
      [...idsOf(first), ...idsOf(second), ...idsOf(third)],
      Array.from({ length: 59 }, (_, at) => `L-${59 - at}`),
    )
    assert.equal('next' in third._links, false)
    const filtered = await page('?estado=Activa&q=c3')
    assert.equal(filtered._links.last.href, `${shop.list}?estado=Activa&q=c3&pagina=1`)
  })

  it('200: past the end there are no entries, and Total is the same', async () => {
    const { Total, _entries, _links } = await page('?pagina=99')
    assert.deepEqual([Total, _entries], [59, []])
    assert.equal(_links.prev.href, `${shop.list}?pagina=3`)
  })

  it('200: by state; archived ones only when asked for', async () => {
    assert.equal((await page('?estado=Activa')).Total, 40)
    assert.equal((await page('?estado=Suspendida')).Total, 19)
    assert.deepEqual(idsOf(await page('?estado=Archivada')), ['L-60'])
  })

  it('200: q finds parts of make, model, ExternalId and RefStock, without case and accents, all of its words', async () => {
    assert.equal((await page('?q=citroen')).Total, 30)
    assert.equal((await page('?q=LINEA%20fiat')).Total, 29)
    assert.equal((await page('?q=100%25')).Total, 29)
    assert.equal((await page('?q=%25')).Total, 29, '% is a sign like any other')
    assert.deepEqual(idsOf(await page('?q=l-17')), ['L-17'])
    assert.deepEqual(idsOf(await page('?q=n18')), ['L-18'])
    assert.equal((await page("?q=';drop")).Total, 0)
  })

  it('200: operador: the administrator sees all, another what he answers for; who is neither is refused', async () => {
    assert.deepEqual(idsOf(await page(`?operador=${SELLER.toUpperCase()}`)), ['L-5', 'L-4', 'L-3', 'L-2', 'L-1'])
    assert.equal((await page(`?operador=${shop.mail}`)).Total, 59)
    const nobody = await app.get(`${shop.list}?operador=nadie@agencia.test`)
    assert.deepEqual([nobody.status, Object.keys(nobody.json.Errors)], [400, ['operador']])
  })

  it('200: searches of an agency run one at a time; lists without words do not wait', async () => {
    const [agencia] = await listAgencias(server.store, app.app)
    assert.ok(agencia)
    const mostAtOnce = async (read: (db: Db) => Promise<unknown>) => {
      let running = 0
      let most = 0
      const query: Db['query'] = async (...statement) => {
        most = Math.max(most, ++running)
        try {
          return await server.store.query(...statement)
        } finally {
          running--
        }
      }
      await Promise.all(Array.from({ length: 5 }, () => read({ ...server.store, query })))
      return most
    }
    const own = { agenciaId: agencia.id, operador: undefined, page: 1 }
    assert.equal(await mostAtOnce((db) => listPublicaciones(db, app.app, agencia, { q: 'fiat' })), 1)
    assert.equal(await mostAtOnce((db) => listOwn(db, { ...own, text: 'fiat' })), 1)
    assert.equal(await mostAtOnce((db) => listPublicaciones(db, app.app, agencia, {})), 5)
  })

  it('304: nothing changed', async () => {
    const { headers } = await app.get(shop.list)
    assert.equal((await app.get(shop.list, { 'if-none-match': headers.etag ?? '' })).status, 304)
  })

  it('200: the same page as references', async () => {
    const { json } = await app.get(`${shop.list}?q=l-17`, { accept: REF })
    assert.deepEqual(json._entries, [{ href: `${shop.list}/L-17`, title: 'Citroën C3 (L-17)' }])
  })

  it('400: a page or a state that cannot be', async () => {
    for (const query of ['pagina=0', 'pagina=100', 'pagina=x', 'estado=activa', 'operador=x', `q=${'x'.repeat(101)}`]) {
      const { status, json } = await app.get(`${shop.list}?${query}`)
      assert.deepEqual([status, Object.keys(json.Errors)], [400, [query.split('=')[0]]], query)
    }
  })
})
