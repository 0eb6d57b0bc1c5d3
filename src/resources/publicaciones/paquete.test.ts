import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf } from '../../../tests/support/agencia.ts'
import { LARGE_PAQUETE, LISTING, makeShop } from '../../../tests/support/listing.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { applyPaquete } from './fit-to-paquete.ts'

describe('publicaciones: the package', () => {
  let server: TestServer
  let app: TestApp
  before(async () => {
    server = await startServer()
    app = await server.newApp()
  })
  after(() => server.stop())

  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {})
  const small = { alta: 1, media: 1, baja: 2 }

  it('201: what asks for the best, or for none in particular, gets the best that is left', async () => {
    const shop = await makeShop(server, app, small)
    const given: string[] = []
    for (const Exposicion of ['Alta', 'Alta', null, 'Media'])
      given.push((await shop.post({ ExternalId: `E-${given.length}`, Exposicion })).json.ExposicionOtorgada)
    assert.deepEqual(given, ['Alta', 'Media', 'Baja', 'Baja'])
    assert.deepEqual(
      (await shop.productos()).Publicaciones.map(({ Usadas, Disponibles }: Record<string, number>) => [
        Usadas,
        Disponibles,
      ]),
      [
        [1, 0],
        [1, 0],
        [2, 0],
      ],
    )
    assert.equal((await shop.get('E-1')).json.Exposicion, 'Alta', 'what was asked for stays')
  })

  it('400: a full package, on Exposicion where one was asked for; hidden, there is always place', async () => {
    const shop = await makeShop(server, app, { alta: 0, media: 0, baja: 1 })
    assert.equal((await shop.post({ ExternalId: 'E-1' })).status, 201)
    const full = await shop.post({ ExternalId: 'E-2' })
    assert.deepEqual([full.status, errorsOf(full.json)], [400, ['_']])
    assert.deepEqual(errorsOf((await shop.post({ ExternalId: 'E-2', Exposicion: 'Baja' })).json), ['Exposicion'])
    assert.equal((await shop.post({ ExternalId: 'E-1' })).status, 409, 'what is taken is told before what is full')

    const hidden = await shop.post({ ExternalId: 'E-2', Activa: false })
    assert.deepEqual([hidden.status, hidden.json.Estado, hidden.json.ExposicionOtorgada], [201, 'Suspendida', null])
    assert.deepEqual(hidden.json.Suspension, { Por: 'app', Motivo: null })
  })

  it('400: never more than was asked for: a place above it is not taken', async () => {
    const shop = await makeShop(server, app, { alta: 5, media: 0, baja: 0 })
    assert.equal((await shop.post({ ExternalId: 'E-1', Exposicion: 'Baja' })).status, 400)
    assert.equal((await shop.post({ ExternalId: 'E-1', Exposicion: 'Alta' })).status, 201)
  })

  it('400: no package, one that has ended, one that has not begun', async () => {
    for (const contracted of [null, { hasta: '2021-01-01' }, { desde: '2049-01-01' }]) {
      const shop = await makeShop(server, app, contracted)
      const { status, json } = await shop.post({})
      assert.deepEqual([status, errorsOf(json)], [400, ['_']])
      assert.equal((await shop.post({ Activa: false })).status, 201)
    }
  })

  it('200: hiding frees a place, archiving too; showing takes one again, or is refused', async () => {
    const shop = await makeShop(server, app, { alta: 1, media: 0, baja: 0 })
    await shop.post({ ExternalId: 'E-1' })
    assert.equal((await shop.put('E-1', { Activa: false })).json.Estado, 'Suspendida')
    assert.equal((await shop.post({ ExternalId: 'E-2' })).status, 201)
    const full = await shop.put('E-1', { Activa: true })
    assert.deepEqual([full.status, errorsOf(full.json)], [400, ['_']])
    const unsaid = await shop.put('E-1', { RefStock: 'Z' })
    assert.deepEqual([unsaid.status, unsaid.json.Estado, unsaid.json.RefStock], [200, 'Suspendida', 'Z'])
    assert.equal((await shop.remove('E-2')).status, 204)
    assert.equal((await shop.put('E-1', {})).json.Estado, 'Activa', 'left out, it is shown if it may be')
  })

  it('200: an edit keeps its place, and takes a better one that has become free', async () => {
    const shop = await makeShop(server, app, { alta: 1, media: 1, baja: 0 })
    await shop.post({ ExternalId: 'E-1' })
    await shop.post({ ExternalId: 'E-2' })
    assert.equal((await shop.put('E-2', { RefStock: 'a' })).json.ExposicionOtorgada, 'Media')
    assert.equal((await shop.put('E-1', { Exposicion: 'Baja' })).status, 400)
    await shop.remove('E-1')
    assert.equal((await shop.put('E-2', { RefStock: 'a' })).json.ExposicionOtorgada, 'Alta')
    assert.equal((await shop.put('E-2', { Exposicion: 'Media' })).json.ExposicionOtorgada, 'Media')
    await shop.contract({ alta: 0, media: 0, baja: 0 })
    assert.equal((await shop.put('E-2', { Exposicion: 'Media', RefStock: 'b' })).status, 200, 'what it has is its own')
  })

  it('twenty at once never overfill it', async () => {
    const shop = await makeShop(server, app, { alta: 2, media: 2, baja: 3 })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => shop.post({ ExternalId: `E-${at}` })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 7)
    const hidden = Array.from({ length: 10 }, (_, at) => `H-${at}`)
    for (const ExternalId of hidden) await shop.post({ ExternalId, Activa: false })
    const shown = (await shop.get()).json._entries.filter(({ Activa }: { Activa: boolean }) => Activa)
    for (const { ExternalId } of shown.slice(0, 4)) await shop.remove(ExternalId)
    const again = await Promise.all(hidden.map((id) => shop.put(id, { Activa: true })))
    assert.equal(again.filter(({ status }) => status === 200).length, 4)
    const { Publicaciones } = await shop.productos()
    assert.deepEqual(
      Publicaciones.map(({ Usadas }: { Usadas: number }) => Usadas),
      [2, 2, 3],
    )
  })

  it('204 desasociar: what the app published is hidden, frees its places, and is not shown again by itself', async () => {
    const shop = await makeShop(server, app, small)
    await shop.post({ ExternalId: 'E-1' })
    await shop.post({ ExternalId: 'E-2', Activa: false })
    assert.equal((await app.call('PATCH', `/v3/agencias/${shop.mail}/desasociar`)).status, 204)
    const email = (await server.emails(shop.mail))[0]
    assert.match(email?.text ?? '', /El aviso publicado por la app ya no se muestra\./)
    assert.equal((await shop.get()).status, 404)
    await server.store.query(
      sql`insert into asociaciones (app_id, agencia_id) values (${app.app.id}, ${shop.agencia.id})`,
    )
    const { json } = await shop.get('E-1')
    assert.deepEqual([json.Estado, json.Suspension.Por], ['Suspendida', 'desasociada'])
    assert.equal((await shop.productos()).Publicaciones[0].Usadas, 0)
    assert.equal((await shop.put('E-1', json)).json.Estado, 'Suspendida', 'sent back as it was read')
    assert.equal((await shop.put('E-1', { Activa: true })).json.Estado, 'Activa')
    assert.equal((await shop.put('E-2', { Activa: true })).json.Estado, 'Activa')
  })

  it('what is published while the agency is detached is either hidden with the rest or 404', async () => {
    const shop = await makeShop(server, app)
    const publishing = Array.from({ length: 10 }, (_, at) => shop.post({ ExternalId: `E-${at}` }))
    await app.call('PATCH', `/v3/agencias/${shop.mail}/desasociar`)
    for (const { status } of await Promise.all(publishing)) assert.ok(status === 201 || status === 404)
    const shown = await server.store.query(
      sql`select from publicaciones where agencia_id = ${shop.agencia.id} and estado = 'Activa'`,
    )
    assert.equal(shown.length, 0)
  })

  it('what counts as used is what is shown, whatever was done, and by whom', async () => {
    const shop = await makeShop(server, app, { alta: 3, media: 2, baja: 2 })
    const row = (id: number, more: object = {}) => ({ ...LISTING, ExternalId: `E-${id}`, ...more })
    const upload = (rows: object[], query = '') =>
      app.call('POST', `${shop.list}/lote${query}`, { body: JSON.stringify(rows) })
    const steps = [
      () => upload([1, 2, 3, 4, 5].map((id) => row(id))),
      () => shop.put('E-1', { Exposicion: 'Baja' }),
      () => upload([row(2, { Activa: false }), row(3, { Exposicion: 'Media' }), row(6, { Activa: false })]),
      () => shop.remove('E-4'),
      () => applyPaquete(depsOf(server), shop.agencia, { ...LARGE_PAQUETE, alta: 0, media: 1, baja: 1 }),
      () => upload([row(1), row(9)], '?modo=completo&confirmar=true'),
      () => applyPaquete(depsOf(server), shop.agencia, LARGE_PAQUETE),
      () => app.call('PATCH', `/v3/agencias/${shop.mail}/desasociar`),
    ]
    for (const [at, step] of steps.entries()) {
      await step()
      const [counted] = await server.store.query<Record<string, number>>(sql`
        select count(*) filter (where exposicion = 'Alta')::int as alta,
               count(*) filter (where exposicion = 'Media')::int as media,
               count(*) filter (where exposicion = 'Baja')::int as baja
        from publicaciones where agencia_id = ${shop.agencia.id} and estado = 'Activa'`)
      const [stored] = await server.store.query(
        sql`select alta, media, baja from usos where agencia_id = ${shop.agencia.id}`,
      )
      assert.deepEqual(stored, counted, `after step ${at + 1}`)
      const shown = Object.values(counted ?? {}).reduce((so, each) => so + each, 0)
      assert.equal(shown, [5, 5, 4, 3, 2, 2, 2, 0][at], `after step ${at + 1}`)
    }
  })
})
