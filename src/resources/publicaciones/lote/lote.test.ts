import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { eventsOf } from '../../../../tests/support/agencia.ts'
import { send } from '../../../../tests/support/caller.ts'
import { LISTING, makeShop, type Shop } from '../../../../tests/support/listing.ts'
import { schemaCheck } from '../../../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { until } from '../../../../tests/support/until.ts'
import { untilBlocked } from '../../../../tests/support/until-blocked.ts'
import type { Db } from '../../../store/db.ts'

const NDJSON = { 'content-type': 'application/x-ndjson' }

describe('POST /v3/publicaciones/{adminMail}/lote', () => {
  let server: TestServer
  let app: TestApp
  let check: Awaited<ReturnType<typeof schemaCheck>>
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    check = await schemaCheck(server)
  })
  after(() => server.stop())

  const row = (ExternalId: string, more: object = {}) => ({ ...LISTING, ExternalId, ...more })
  const rows = (count: number, more: object = {}) => Array.from({ length: count }, (_, at) => row(`R-${at + 1}`, more))
  const upload = ({ list }: Shop, body: unknown, query = '') =>
    app.call('POST', `${list}/lote${query}`, { body: typeof body === 'string' ? body : JSON.stringify(body) })
  const resultsOf = (json: { _entries: { Resultado: string }[] }) => json._entries.map(({ Resultado }) => Resultado)
  const stateOf = ({ agencia }: Shop) =>
    server.store.query(sql`select id, estado, exposicion, xid::text, updated_at from publicaciones
      where agencia_id = ${agencia.id} order by id`)

  it('200: makes, changes and leaves, row by row, and a second identical upload changes nothing', async () => {
    const shop = await makeShop(server, app)
    const first = await upload(shop, rows(3))
    assert.equal(first.status, 200)
    check('PublicacionesLote', first.json)
    assert.deepEqual(resultsOf(first.json), ['creada', 'creada', 'creada'])
    assert.deepEqual(first.json._entries[1], {
      Fila: 2,
      ExternalId: 'R-2',
      Resultado: 'creada',
      _links: { self: { href: `${shop.list}/R-2` } },
    })
    const single = await shop.post({ ExternalId: 'SOLO' })
    const { json } = await shop.get('R-1')
    assert.deepEqual(
      { ...json, Aviso: 0, ExternalId: '', Creada: '', Modificada: '', _links: 0 },
      { ...single.json, Aviso: 0, ExternalId: '', Creada: '', Modificada: '', _links: 0 },
      'one by one or many at once, it is the same listing',
    )

    const before = await stateOf(shop)
    const second = await upload(shop, rows(3))
    assert.deepEqual(resultsOf(second.json), Array(3).fill('sin-cambios'))
    assert.deepEqual(await stateOf(shop), before)

    const third = await upload(shop, [
      row('r-1'),
      row('r-2', { Precio: { Moneda: 'USD', Importe: 15_000.5 } }),
      row('R-9'),
    ])
    assert.deepEqual(resultsOf(third.json), ['sin-cambios', 'modificada', 'creada'])
    assert.equal(third.json._entries[1].ExternalId, 'R-2')
    assert.deepEqual((await shop.get('R-2')).json.Precio, { Moneda: 'USD', Importe: 15_000.5 })
    assert.deepEqual(third.json.Resumen, { Creadas: 1, Modificadas: 1, SinCambios: 1, Archivadas: 0, Rechazadas: 0 })
    const events = await eventsOf(server, app.app, shop.agencia.id)
    assert.equal(events.filter(({ Topic }) => Topic.startsWith('publicacion')).length, 0)
  })

  it('200: rows that change different things each change those alone, and what is looked through follows', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(4))
    const before = new Map(
      (await shop.get()).json._entries.map((each: { ExternalId: string }) => [each.ExternalId, each]),
    )
    const news: [string, object][] = [
      ['R-1', { Precio: { Moneda: 'USD', Importe: 9_999.5 } }],
      ['R-2', { Fotos: ['https://otras.example/a.jpg?x=1#y'], DatosTecnicosCustom: [] }],
      ['R-3', { RefStock: 'NUEVO-7', Descripcion: null }],
      ['R-4', { Activa: false }],
    ]
    const { json } = await upload(
      shop,
      news.map(([id, more]) => row(id, more)),
    )
    assert.deepEqual(resultsOf(json), Array(4).fill('modificada'))
    for (const [id, more] of news) {
      const now = (await shop.get(id)).json
      const visibility = id === 'R-4' && {
        Estado: 'Suspendida',
        Suspension: { Por: 'app', Motivo: null },
        ExposicionOtorgada: null,
      }
      assert.deepEqual(now, { ...(before.get(id) as object), ...more, ...visibility, Modificada: now.Modificada })
    }
    assert.equal((await app.get(`${shop.list}?q=nuevo-7`)).json.Total, 1)
    assert.equal((await app.get(`${shop.list}?q=${LISTING.RefStock}`)).json.Total, 3)
  })

  it('200: what was read can be uploaded as it is', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(2))
    const { _entries } = (await shop.get()).json
    assert.deepEqual(resultsOf((await upload(shop, _entries)).json), ['sin-cambios', 'sin-cambios'])
  })

  it('200: a line each, blank ones left out; a broken line is refused by itself', async () => {
    const shop = await makeShop(server, app)
    const lines = [
      JSON.stringify(row('R-1')),
      '',
      '{"ExternalId": "R-2",',
      '7',
      '"\\u0000"',
      JSON.stringify(row('R-5')),
      '',
    ]
    const { status, json } = await app.call('POST', `${shop.list}/lote`, { body: lines.join('\r\n'), headers: NDJSON })
    assert.equal(status, 200)
    assert.deepEqual(resultsOf(json), ['creada', 'rechazada', 'rechazada', 'rechazada', 'creada'])
    assert.deepEqual(Object.keys(json._entries[1].Errors), ['_'])
    assert.deepEqual([json._entries[1].ExternalId, json._entries[1]._links], [null, {}])
    assert.equal((await shop.get()).json.Total, 2)
  })

  it('200: a character that cannot be kept, or a member of any name, is a fault of its row alone', async () => {
    const shop = await makeShop(server, app)
    const list = [
      { ...row('R-1'), Descripcion: 'a\u0000b' },
      row('R-2', { constructor: 1 }),
      row('R-3'),
      row('R-4', { Descripcion: 'half \ud83d of one' }),
    ].map((each) => JSON.stringify(each))
    const proto = '{"ExternalId": "R-5", "Marca": "Fiat", "Modelo": "Uno", "__proto__": {}}'
    const { status, json } = await upload(shop, `[${[...list, proto].join()}]`)
    assert.equal(status, 200)
    assert.deepEqual(resultsOf(json), ['rechazada', 'rechazada', 'creada', 'rechazada', 'rechazada'])
    assert.deepEqual(
      json._entries.map(({ Errors = {} }) => Object.keys(Errors)),
      [['_'], ['constructor'], [], ['_'], ['__proto__']],
    )
  })

  it('200: a row that fails says why, with what came near, and spoils no other', async () => {
    const shop = await makeShop(server, app)
    const bad = [
      row('R-1', { Color: 'zapatilla', Kilometraje: '1' }),
      row('R-2', { Ciudad: 'San Xyz', Region: 'Mendoza' }),
      row('x'),
      row('R-4', { Otro: 1 }),
      null,
      row('R-6'),
    ]
    const { json } = await upload(shop, bad)
    assert.deepEqual(resultsOf(json), [...Array(5).fill('rechazada'), 'creada'])
    assert.deepEqual(
      json._entries.map(({ Errors = {} }) => Object.keys(Errors)),
      [['Kilometraje'], ['Ciudad'], ['ExternalId'], ['Otro'], ['_'], []],
    )
    assert.ok(json._entries[1].Candidatos.every(({ Campo }: { Campo: string }) => Campo === 'Ciudad'))
    assert.equal(json.Resumen.Rechazadas, 5)
  })

  it('200: an ExternalId twice in one upload: the first counts, the others are named', async () => {
    const shop = await makeShop(server, app)
    const { json } = await upload(shop, [row('R-1'), row('r-1', { RefStock: 'otro' }), row('R-1')])
    assert.deepEqual(resultsOf(json), ['creada', 'rechazada', 'rechazada'])
    assert.match(json._entries[2].Errors.ExternalId[0], /fila 1/)
    assert.equal((await shop.get('R-1')).json.RefStock, LISTING.RefStock)
  })

  it('200: another car under a live ExternalId is refused; the same one in other words is not', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(4))
    const { json } = await upload(shop, [
      row('R-1', { Marca: 'Ford' }),
      row('R-2', { Modelo: 'Toro' }),
      row('R-3', { Version: '1.8 Precision' }),
      row('R-4', { Marca: 'FIAT', Modelo: ' cronos', Version: '1.3  DRIVE' }),
    ])
    assert.deepEqual(
      json._entries.map(({ Resultado, Errors = {} }: Record<string, object>) => [Resultado, ...Object.keys(Errors)]),
      [['rechazada', 'Marca'], ['rechazada', 'Modelo'], ['rechazada', 'Version'], ['sin-cambios']],
    )
    assert.match(json._entries[2].Errors.Version[0], /^Es .* y no se puede cambiar: /)
    await upload(shop, [row('R-5', { Version: null })])
    const added = await upload(shop, [row('R-5')])
    assert.match(added.json._entries[0].Errors.Version[0], /^No tiene versión y no se puede agregar: /)
  })

  it('200: places are given in the order of the rows, after those that rows free', async () => {
    const shop = await makeShop(server, app, { alta: 1, media: 1, baja: 1 })
    const first = await upload(shop, rows(4))
    assert.deepEqual(resultsOf(first.json), ['creada', 'creada', 'creada', 'rechazada'])
    assert.deepEqual(Object.keys(first.json._entries[3].Errors), ['_'])
    const second = await upload(shop, [row('R-4'), row('R-5', { Exposicion: 'Media' }), row('R-1', { Activa: false })])
    assert.deepEqual(resultsOf(second.json), ['creada', 'rechazada', 'modificada'])
    assert.equal((await shop.get('R-4')).json.ExposicionOtorgada, 'Alta')
    assert.deepEqual(resultsOf((await upload(shop, [row('R-4'), row('R-1', { Activa: false })])).json), [
      'sin-cambios',
      'sin-cambios',
    ])
  })

  it('200: what a later row frees goes to an earlier one at once, so that the same upload again changes nothing', async () => {
    const shop = await makeShop(server, app, { alta: 1, media: 2, baja: 0 })
    await upload(shop, [row('A-1')])
    const body = [row('B-1'), row('A-1', { Exposicion: 'Media' }), row('C-1', { Exposicion: 'Baja' }), row('D-1')]
    const first = await upload(shop, body)
    assert.deepEqual(resultsOf(first.json), ['creada', 'modificada', 'rechazada', 'creada'])
    assert.equal((await shop.get('B-1')).json.ExposicionOtorgada, 'Alta')
    const before = await stateOf(shop)
    const second = await upload(shop, body)
    assert.deepEqual(resultsOf(second.json), ['sin-cambios', 'sin-cambios', 'rechazada', 'sin-cambios'])
    assert.deepEqual(await stateOf(shop), before)
  })

  it('200 simular: the same answer, and nothing is done', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(2))
    const before = await stateOf(shop)
    const body = [row('R-2', { RefStock: 'x' }), row('R-3'), row('R-4', { Marca: 'zzz' })]
    const preview = (await upload(shop, body, '?modo=completo&simular=true')).json
    assert.equal(preview.Simulacion, true)
    assert.deepEqual(resultsOf(preview), ['modificada', 'creada', 'rechazada', 'archivada'])
    assert.deepEqual(preview._entries[1]._links, {}, 'what is not there has no address')
    assert.deepEqual(await stateOf(shop), before)
    const done = (await upload(shop, body, '?modo=completo&confirmar=true')).json
    assert.deepEqual(resultsOf(done), resultsOf(preview))
    assert.deepEqual(done.Resumen, preview.Resumen)
  })

  it('200 modo=completo: archives what is absent, whose places serve the same upload; a refused row is not absent', async () => {
    const shop = await makeShop(server, app, { alta: 0, media: 0, baja: 4 })
    await upload(shop, rows(4))
    const body = [row('R-1'), row('R-2'), row('R-3', { Color: 'zapatilla' }), row('R-5')]
    const { status, json } = await upload(shop, body, '?modo=completo')
    assert.equal(status, 200, '25 % needs no confirmation')
    assert.deepEqual(resultsOf(json), ['sin-cambios', 'sin-cambios', 'rechazada', 'creada', 'archivada'])
    assert.deepEqual([json._entries[4].Fila, json._entries[4].ExternalId], [null, 'R-4'])
    assert.equal((await shop.get('R-3')).json.Estado, 'Activa')
    assert.equal((await shop.get('R-4')).json.Estado, 'Archivada')
  })

  it('400 modo=completo: more than 30 % asks for confirmation, and nothing of it is done', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(10))
    const before = await stateOf(shop)
    const body = [...rows(6), row('R-99')]
    const { status, json } = await upload(shop, body, '?modo=completo')
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(json.Errors), ['confirmar'])
    assert.deepEqual(json.Extensions, { Codigos: { confirmar: ['sin-confirmar'] }, Archivaria: 4, Vivas: 10 })
    check('ValidationProblemDetails', json)
    assert.deepEqual(await stateOf(shop), before)
    assert.equal((await upload(shop, rows(7), '?modo=completo')).json.Resumen.Archivadas, 3)
    assert.equal((await upload(shop, [], '?modo=completo')).status, 400)
    assert.equal((await upload(shop, [], '?modo=completo&confirmar=true')).json.Resumen.Archivadas, 7)
  })

  it('200, 400 modo=completo: neither a simulation nor a refusal waits for the listings that it does not name', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(4))
    await server.store.transaction(async (tx) => {
      await tx.query(
        sql`select from publicaciones where agencia_id = ${shop.agencia.id} and external_id <> 'R-1' for update`,
      )
      const simulated = await upload(shop, rows(1), '?modo=completo&simular=true')
      assert.deepEqual([simulated.status, simulated.json.Resumen?.Archivadas], [200, 3])
      const refused = await upload(shop, rows(1), '?modo=completo')
      assert.deepEqual([refused.status, refused.json.Extensions?.Vivas], [400, 4])
    })
  })

  it('400 modo=completo: a row whose ExternalId is none, since what is absent cannot be known', async () => {
    const shop = await makeShop(server, app)
    await upload(shop, rows(2))
    const crowded = { ...row('R 2'), ...Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`, 1])) }
    for (const unclear of [{ Marca: 'Fiat' }, row('R 2'), crowded]) {
      const { status, json } = await upload(shop, [row('R-1'), unclear], '?modo=completo&confirmar=true')
      assert.deepEqual([status, Object.keys(json.Errors)], [400, ['_']])
    }
    assert.equal((await shop.get()).json.Total, 2)
  })

  it('400: no list, more than 500 rows, broken JSON, a query that cannot be', async () => {
    const shop = await makeShop(server, app)
    for (const body of [{}, '"x"', '[{]', rows(501).map(({ ExternalId }) => ({ ExternalId }))]) {
      const { status, json } = await upload(shop, body)
      assert.deepEqual([status, Object.keys(json.Errors)], [400, ['_']])
    }
    const complete = await upload(shop, rows(501), '?modo=completo&confirmar=true&simular=true')
    assert.match(complete.json.Errors._[0], /500 filas.*modo parcial.*DELETE/, 'it says what to do with a larger stock')
    const many = `${JSON.stringify({ a: 1 })}\n`.repeat(501)
    assert.equal((await app.call('POST', `${shop.list}/lote`, { body: many, headers: NDJSON })).status, 400)
    assert.equal((await app.call('POST', `${shop.list}/lote`)).status, 400)
    const { json } = await upload(shop, [], '?modo=total&simular=1&confirmar=si')
    assert.deepEqual(Object.keys(json.Errors).sort(), ['confirmar', 'modo', 'simular'])
    assert.deepEqual(Object.keys((await app.call('POST', '/v3/publicaciones/x/lote', { body: '[]' })).json.Errors), [
      'adminMail',
    ])
  })

  it('415, 413 and 406: another type, more than 16 MiB, the ref form', async () => {
    const shop = await makeShop(server, app)
    const csv = await app.call('POST', `${shop.list}/lote`, { body: 'a', headers: { 'content-type': 'text/csv' } })
    assert.equal(csv.status, 415)
    assert.match(csv.json.Detail, /application\/json, text\/json o application\/x-ndjson/)
    assert.equal(csv.headers.accept, 'application/json, text/json, application/x-ndjson')
    const lines = await app.call('POST', shop.list, { body: '{}', headers: NDJSON })
    assert.equal(lines.status, 415, 'only uploads come a line each')
    assert.equal((await app.call('POST', `${shop.list}/lote`, { body: ' '.repeat(16 * 1_048_576 + 1) })).status, 413)
    const large = rows(500, {
      Descripcion: 'd'.repeat(2000),
      Fotos: Array(20).fill(`https://f.example/${'p'.repeat(100)}`),
    })
    assert.equal((await upload(shop, large)).json.Resumen.Creadas, 500)
    const ref = { accept: 'application/vnd.service.ref+json' }
    assert.equal((await app.call('POST', `${shop.list}/lote`, { body: '[]', headers: ref })).status, 406)
  })

  it('405: it is posted to and nothing else, although a listing beside it is read, edited and archived', async () => {
    const shop = await makeShop(server, app)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])
      for (const query of ['', '?x=1']) {
        const body = method === 'PUT' ? { body: '{}' } : {}
        const { status, headers } = await app.call(method, `${shop.list}/lote${query}`, body)
        assert.deepEqual([status, headers.allow], [405, 'POST, OPTIONS'], method)
      }
    const options = await app.call('OPTIONS', `${shop.list}/lote`)
    assert.deepEqual([options.status, options.headers.allow], [204, 'POST, OPTIONS'])
    assert.equal((await shop.get('lotes')).status, 404, 'another name is another listing')
    const named = await shop.post({ ExternalId: 'Lote' })
    assert.deepEqual([named.status, named.json.Errors.ExternalId.length], [400, 1])
    assert.match(named.json.Errors.ExternalId[0], /distinto de «\.\.» y de «lote»/)
  })

  it('404: an agency that is another’s, whatever the body is', async () => {
    const shop = await makeShop(server, await server.newApp())
    for (const body of [rows(1), '[{', '', '{}', '[[[[', '{},'.repeat(501), '\xff'])
      assert.equal((await upload(shop, body)).status, 404)
    assert.equal(
      (await app.call('POST', `${shop.list}/lote`, { body: '{\n'.repeat(501), headers: NDJSON })).status,
      404,
    )
    assert.equal((await app.call('POST', `${shop.list}/lote`)).status, 404)
  })

  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]))
  const faultsIn = (entries: { Errors?: Record<string, string[]> }[]) =>
    entries.flatMap(({ Errors = {} }) => Object.values(Errors).flat()).length

  it('200: of a row at most 10 faults are named', async () => {
    const shop = await makeShop(server, app)
    const { json } = await upload(shop, [row('R-1', unknown(10)), row('R-2', unknown(11)), row('R-3', unknown(400))])
    assert.deepEqual(
      json._entries.map(({ Errors }: { Errors: object }) => Object.keys(Errors).length),
      [10, 10, 10],
    )
    const blank = Array(50).fill({ Nombre: ' ', Valor: ' ' })
    const meaning = (await upload(shop, [row('R-1', { DatosTecnicosCustom: blank, Color: 'zapatilla' })])).json
    assert.equal(faultsIn(meaning._entries), 10, 'also of those found when values are matched')
  })

  it('200: after 1,000 faults in an upload a row is only said to be invalid, and those without fault are done', async () => {
    const shop = await makeShop(server, app)
    const bad = Array.from({ length: 336 }, (_, at) => row(`R-${at}`, unknown(3)))
    const { json } = await upload(shop, [...bad, row('BIEN')])
    const named = json._entries.slice(0, 334)
    assert.equal(faultsIn(named), 1_000)
    assert.equal(faultsIn(named.slice(0, 333)), 999)
    const invalid = { Resultado: 'rechazada', Errors: { _: ['La fila no es válida.'] } }
    for (const { Resultado, Errors } of json._entries.slice(334, 336)) assert.deepEqual({ Resultado, Errors }, invalid)
    assert.deepEqual([json._entries.length, json._entries[336].Resultado], [337, 'creada'])
    assert.deepEqual(json.Resumen, { Creadas: 1, Modificadas: 0, SinCambios: 0, Archivadas: 0, Rechazadas: 336 })
  })

  it('200: an upload names at most 100 cities; a row with one more is refused, one with a city named before is not', async () => {
    const shop = await makeShop(server, app)
    const unknown = Array.from({ length: 100 }, (_, at) => row(`R-${at}`, { Region: 'Mendoza', Ciudad: `Xyzq ${at}` }))
    const tandil = { Region: 'Buenos Aires', Ciudad: 'Tandil' }
    const over = await upload(shop, [...unknown, row('A-1', tandil)])
    assert.deepEqual(over.json._entries.at(-1).Errors, {
      Ciudad: ['Un lote puede nombrar hasta 100 ciudades distintas: envíe las demás en otro.'],
    })
    const within = await upload(shop, [row('A-1', tandil), ...unknown.slice(1), row('A-2', tandil)])
    assert.deepEqual([resultsOf(within.json).at(0), resultsOf(within.json).at(-1)], ['creada', 'creada'])
  })

  it('200: four times as many wrong rows name at most four times as many faults', async () => {
    const shop = await makeShop(server, app)
    const faults = async (count: number) =>
      faultsIn((await upload(shop, rows(count, { Fotos: [1, 2, 3], ...unknown(20) }))).json._entries)
    for (const count of [5, 50]) assert.ok((await faults(4 * count)) <= 4 * (await faults(count)), `${count} rows`)
  })

  it('200: a row that nests over 32 deep, is over 1 MiB or has over 1,000 values is refused by itself', async () => {
    const shop = await makeShop(server, app)
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const withLinks = (id: string, links: string) => `{"_links":${links},${JSON.stringify(row(id)).slice(1)}`
    const texts = [
      withLinks('R-1', nested(31)),
      withLinks('R-2', nested(32)),
      withLinks('R-3', `"${'x'.repeat(1_048_576)}"`),
      withLinks('R-4', `[${Array(1_000).fill(0)}]`),
      withLinks('R-5', '"[[[\\"{{{,,,]"'),
    ]
    const expected = ['creada', 'rechazada', 'rechazada', 'rechazada', 'creada']
    const list = await upload(shop, `[${texts}]`)
    assert.deepEqual(resultsOf(list.json), expected)
    for (const at of [1, 2, 3]) assert.deepEqual(Object.keys(list.json._entries[at].Errors), ['_'])
    const lines = await app.call('POST', `${shop.list}/lote`, { body: texts.join('\n'), headers: NDJSON })
    assert.deepEqual(
      resultsOf(lines.json),
      expected.map((each) => (each === 'creada' ? 'sin-cambios' : each)),
    )
  })

  it('200: rows are told apart whatever stands in their texts; a byte order mark and blanks are left out', async () => {
    const shop = await makeShop(server, app)
    const texts = [
      row('R-1', { Descripcion: '],[{"}\\' }),
      row('R-2', { Descripcion: '\\"' }),
      row('R-3', { Descripcion: 'ñandú, "🚗"' }),
    ].map((each) => JSON.stringify(each, null, 2))
    const list = await upload(shop, `\ufeff \n[ ${texts.join(' ,\r\n')}\t] \n`)
    assert.deepEqual(resultsOf(list.json), ['creada', 'creada', 'creada'])
    assert.equal((await shop.get('R-3')).json.Descripcion, 'ñandú, "🚗"')
    assert.deepEqual(resultsOf((await upload(shop, ' [ ] ')).json), [])
  })

  it('400: a list that is broken anywhere is refused whole', async () => {
    const shop = await makeShop(server, app)
    const one = JSON.stringify(row('R-1'))
    const latin = Buffer.from(`[${JSON.stringify(row('R-1', { Descripcion: 'ñ' }))}]`, 'latin1')
    const bodies = [`[${one},]`, `[,${one}]`, `[${one}`, `[${one}}`, `[${one}]]`, `[${one}] x`, `[${one} ${one}]`, '[']
    for (const body of [...bodies, `[${one},{"a":}]`, `[${one},"]`, latin]) {
      const { status, json } = await app.call('POST', `${shop.list}/lote`, { body })
      assert.deepEqual([status, Object.keys(json.Errors)], [400, ['_']], String(body))
    }
    assert.equal((await shop.get()).json.Total, 0)
  })

  it('429: a fifth upload over 1 MiB while four are under way, which can be sent again as it is', async () => {
    const own = await server.newApp()
    const path = `${(await makeShop(server, own)).list}/lote`
    const large = ' '.repeat(1_048_577)
    const open = Array.from({ length: 4 }, () => {
      const headers = { ...own.signed('POST', path, { body: large }), 'content-length': String(large.length) }
      const sent = request(server.url + path, { method: 'POST', headers, agent: false }).on('error', () => undefined)
      sent.write(' ')
      return sent
    })
    const fifth = { headers: own.signed('POST', path, { body: large }), method: 'POST', body: large }
    await until(async () => (await own.call('POST', path, { body: large })).status === 429)
    const refused = await send(server.url, path, fifth)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.equal((await own.call('POST', path, { body: '[]' })).status, 200, 'smaller ones are taken')
    assert.equal((await upload(await makeShop(server, app), large)).status, 400, 'and those of another app')
    open[0]?.destroy()
    await until(async () => (await own.call('POST', path, { body: large })).status === 400)
    for (const each of open.slice(1)) each.end(large.slice(1))
    assert.equal((await send(server.url, path, fifth)).status, 400)
  })

  it('429: it counts as one request for every 50 rows, and one more for every 100 listings that it archives', async () => {
    const small = await startServer({ env: { RATE_PER_SECOND: '1', RATE_BURST: '100' }, nowMs: () => 0 })
    try {
      const own = await small.newApp()
      const { list } = await makeShop(small, own)
      const remaining = async (count: number, query = '') => {
        const { status, headers } = await own.call('POST', `${list}/lote${query}`, {
          body: JSON.stringify(rows(count)),
        })
        return [status, headers.ratelimit?.toString().split(';')[1]]
      }
      assert.deepEqual(await remaining(1), [200, 'r=99'])
      assert.deepEqual(await remaining(10), [200, 'r=98'])
      assert.deepEqual(await remaining(101), [200, 'r=95'])
      assert.deepEqual(await remaining(0, '?modo=completo&simular=true'), [200, 'r=94'], 'a simulation archives none')
      assert.deepEqual(await remaining(0, '?modo=completo&confirmar=true'), [200, 'r=92'])
      assert.deepEqual(await remaining(50), [200, 'r=91'])
      assert.deepEqual(await remaining(50), [200, 'r=90'])
      for (let left = 80; left > 0; left -= 10) assert.deepEqual(await remaining(500), [200, `r=${left}`])
      assert.deepEqual(await remaining(500), [200, 'r=0'], 'it is never refused for its rows')
      assert.equal((await remaining(1))[0], 429)
    } finally {
      await small.stop()
    }
  })

  const lockAssociation = (tx: Db, { agencia }: Shop) =>
    tx.query(sql`select from asociaciones where agencia_id = ${agencia.id} for update`)

  it('400: a body that is no list is refused before anything is locked', async () => {
    const shop = await makeShop(server, app)
    await server.store.transaction(async (tx) => {
      await lockAssociation(tx, shop)
      assert.equal((await upload(shop, '[{')).status, 400)
    })
  })

  it('429: one upload of an app runs at a time and twenty wait, the next is refused; another app does not wait', async () => {
    const [first, second] = [await makeShop(server, app), await makeShop(server, app)]
    const other = await server.newApp()
    const foreign = await makeShop(server, other)
    const order: string[] = []
    const sent: Promise<unknown>[] = []
    const start = (shop: Shop, name: string) => {
      const answer = upload(shop, []).then(({ status, json }) => {
        order.push(`${name} ${status}`)
        return json
      })
      sent.push(answer)
      return answer
    }
    await server.store.transaction(async (tx) => {
      await lockAssociation(tx, first)
      start(first, 'first')
      await untilBlocked(server.store)
      // Nothing locks the second agency: only the limit keeps these from being answered.
      const refused = await Promise.race(Array.from({ length: 21 }, () => start(second, 'second')))
      assert.deepEqual(order, ['second 429'])
      assert.deepEqual(refused.Extensions, { Codigo: 'solicitudes-en-curso' })
      const { status } = await other.call('POST', `${foreign.list}/lote`, { body: JSON.stringify(rows(10)) })
      assert.equal(status, 200)
      assert.equal(order.length, 1)
    })
    await Promise.all(sent)
    assert.deepEqual(order.slice(1).sort(), ['first 200', ...Array(20).fill('second 200')])
  })

  it('five uploads of the same rows at once: each row is made once, and no package overfilled', async () => {
    const shop = await makeShop(server, app, { alta: 5, media: 5, baja: 5 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(shop, rows(20))))
    const created = answers.map(({ json }) => json.Resumen.Creadas)
    assert.deepEqual(created.sort(), [0, 0, 0, 0, 15])
    assert.equal((await shop.get()).json.Total, 15)
  })
})
