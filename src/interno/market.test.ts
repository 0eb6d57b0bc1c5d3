import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { eventsOf } from '../../tests/support/agencia.ts'
import { send } from '../../tests/support/caller.ts'
import { insertConsulta } from '../../tests/support/consulta.ts'
import { LARGE_PAQUETE, makeShop, type Shop } from '../../tests/support/listing.ts'
import { schemaCheck } from '../../tests/support/schema-check.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../../tests/support/server.ts'
import { storePhoto } from '../../tests/support/stored-photo.ts'
import { untilBlocked } from '../../tests/support/until-blocked.ts'
import { dayOf } from '../http/dates.ts'
import { findPaquete, lockContract, lockPaquete, setPaquete } from '../resources/agencias/paquetes.ts'
import { fitToLapsedPaquetes } from '../resources/publicaciones/fit-to-paquete.ts'
import { reactivate, suspend } from '../resources/publicaciones/moderate.ts'

/** How many connections a test's server has. */
const POOL = 8

describe('the marketplace’s own side', () => {
  let server: TestServer
  let app: TestApp
  let sitio: TestSitio
  let test: TestSitio
  before(async () => {
    server = await startServer()
    app = await server.newApp()
    ;[sitio, test] = [await server.newSitio(), await server.newSitio({ modo: 'prueba' })]
  })
  after(() => server.stop())

  const errorsOf = (json: { Errors?: object }) => Object.keys(json.Errors ?? {}).sort()
  const call = (method: string, path: string, body?: unknown) =>
    sitio.call(method, `/interno/v1${path}`, body === undefined ? {} : { body: JSON.stringify(body) })
  const publicacionEvents = async ({ agencia }: Shop) =>
    (await eventsOf(server, app.app, agencia.id))
      .filter(({ Topic }) => Topic.startsWith('publicacion'))
      .map(({ Topic, ExternalId, Por }) => `${Topic.slice(12)} ${ExternalId} ${Por}`)

  it('200, 304, 400, 404: the photos of a listing with the addresses of their copies', async () => {
    const shop = await makeShop(server, app)
    const { Aviso, Fotos } = (await shop.post({})).json
    const path = `/avisos/${Aviso}/fotos`
    const { hash } = await storePhoto(server, { publicacionId: Aviso, appId: app.app.id, url: Fotos[1] })
    const { status, json, headers } = await call('GET', path)
    assert.equal(status, 200)
    ;(await schemaCheck(server))('AvisoFotos', json)
    const [pending, stored] = json.Fotos
    assert.deepEqual(pending, { Url: Fotos[0], Estado: 'pendiente', Motivo: null, Ancho: null, Alto: null, Copias: [] })
    assert.deepEqual([stored.Url, stored.Estado, stored.Ancho, stored.Alto], [Fotos[1], 'lista', 1920, 1440])
    assert.deepEqual(
      stored.Copias.map(({ Ancho }: { Ancho: number }) => Ancho),
      [320, 640, 1080, 1920],
    )
    assert.equal(stored.Copias[0].Webp, `/fotos/${hash}/320.webp`)
    assert.equal((await send(server.url, stored.Copias[0].Jpeg)).status, 200)
    const again = await sitio.call('GET', `/interno/v1${path}`, { headers: { 'if-none-match': headers.etag ?? '' } })
    assert.equal(again.status, 304)
    assert.equal((await call('GET', '/avisos/x/fotos')).status, 400)
    assert.equal((await test.call('GET', `/interno/v1${path}`)).status, 404)
    await shop.remove('AB-1023')
    assert.deepEqual((await call('GET', path)).json.Fotos, [])
  })

  describe('suspender, reactivar', () => {
    it('200: hidden until the marketplace lets it back; the app is told once, reads why, and cannot show it', async () => {
      const check = await schemaCheck(server)
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      const suspended = await call('POST', `/avisos/${Aviso}/suspender`, { Motivo: ' Fotos de  otro auto.' })
      assert.equal(suspended.status, 200)
      check('AvisoSitio', suspended.json)
      assert.deepEqual(suspended.json.Suspension, { Por: 'mercado', Motivo: 'Fotos de otro auto.' })
      await call('POST', `/avisos/${Aviso}/suspender`, { Motivo: 'Fotos de otro auto.' })

      const { json } = await shop.get('AB-1023')
      assert.deepEqual([json.Estado, json.Activa, json.ExposicionOtorgada], ['Suspendida', false, null])
      assert.deepEqual(json.Suspension, { Por: 'mercado', Motivo: 'Fotos de otro auto.' })
      assert.equal((await shop.productos()).Publicaciones[0].Usadas, 0)
      assert.equal((await shop.put('AB-1023', { ...json, Activa: true })).status, 403)
      const sentBack = await shop.put('AB-1023', { ...json, Fotos: ['https://fotos.example/3.jpg'] })
      assert.deepEqual([sentBack.status, sentBack.json.Suspension?.Por], [200, 'mercado'], 'it may be mended')
      const unsaid = await shop.put('AB-1023', { RefStock: 'x' })
      assert.deepEqual([unsaid.status, unsaid.json.Suspension], [200, json.Suspension])
      const row = { ExternalId: 'AB-1023', Marca: 'fiat', Modelo: 'Cronos', Version: '1.3 Drive', Activa: true }
      const upload = await app.call('POST', `${shop.list}/lote`, { body: JSON.stringify([row]) })
      assert.deepEqual(Object.keys(upload.json._entries[0].Errors), ['Activa'])

      const back = await call('POST', `/avisos/${Aviso}/reactivar`)
      assert.deepEqual([back.status, back.json.Estado, back.json.Suspension], [200, 'Activa', null])
      await call('POST', `/avisos/${Aviso}/reactivar`)
      assert.deepEqual(await publicacionEvents(shop), ['suspendida AB-1023 mercado', 'activada AB-1023 mercado'])
    })

    it('200: what its app hid stays hidden when it is let back; without a reason too', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({ Activa: false })).json
      assert.equal((await call('POST', `/avisos/${Aviso}/suspender`)).json.Suspension.Motivo, null)
      assert.equal((await call('POST', `/avisos/${Aviso}/suspender`, {})).status, 200)
      const back = await call('POST', `/avisos/${Aviso}/reactivar`)
      assert.deepEqual([back.json.Estado, back.json.Suspension.Por], ['Suspendida', 'app'])
      assert.deepEqual(await publicacionEvents(shop), ['suspendida AB-1023 mercado'])
      assert.equal((await shop.put('AB-1023', { Activa: true })).json.Estado, 'Activa')
    })

    it('200: the reason of the marketplace stays while the agency hides it too, and goes with the marketplace', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      const deps = { store: server.store, clock: () => new Date(), config: server.config }
      const byAgency = { aviso: Aviso, modo: 'produccion', agenciaId: shop.agencia.id, by: 'agencia' } as const
      const suspension = async () => (await shop.get('AB-1023')).json.Suspension
      await call('POST', `/avisos/${Aviso}/suspender`, { Motivo: 'Fotos.' })
      await suspend(deps, byAgency, null)
      assert.deepEqual(await suspension(), { Por: 'mercado', Motivo: 'Fotos.' })
      await call('POST', `/avisos/${Aviso}/reactivar`)
      assert.deepEqual(await suspension(), { Por: 'agencia', Motivo: null })
      await reactivate(deps, byAgency)
      assert.equal(await suspension(), null)
    })

    it('200: let back where the package is full, it waits for a place', async () => {
      const shop = await makeShop(server, app, { alta: 1, media: 0, baja: 0 })
      const { Aviso } = (await shop.post({ ExternalId: 'E-1' })).json
      await call('POST', `/avisos/${Aviso}/suspender`)
      await shop.post({ ExternalId: 'E-2' })
      const back = await call('POST', `/avisos/${Aviso}/reactivar`)
      assert.deepEqual([back.json.Estado, back.json.Suspension.Por], ['Suspendida', 'paquete'])
      await shop.remove('E-2')
      await fitToLapsedPaquetes({ store: server.store, clock: () => new Date(), config: server.config })
      assert.equal((await shop.get('E-1')).json.Estado, 'Activa')
      assert.deepEqual(await publicacionEvents(shop), ['suspendida E-1 mercado', 'activada E-1 mercado'])
    })

    it('200: said again without a reason, the one that was given stays; null takes it back', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      const reasonAfter = async (...body: unknown[]) =>
        (await call('POST', `/avisos/${Aviso}/suspender`, ...body)).json.Suspension.Motivo
      assert.equal(await reasonAfter({ Motivo: 'Fotos.' }), 'Fotos.')
      assert.equal(await reasonAfter(), 'Fotos.')
      assert.equal(await reasonAfter({}), 'Fotos.')
      assert.equal(await reasonAfter({ Motivo: 'Precio.' }), 'Precio.')
      assert.equal(await reasonAfter({ Motivo: null }), null)
      assert.deepEqual(await publicacionEvents(shop), ['suspendida AB-1023 mercado'])
    })

    it('200: many moderators of one agency wait for its package without taking the connections of others', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      let moderating: Promise<unknown>[] = []
      await server.store.transaction(async (tx) => {
        await lockPaquete(tx, shop.agencia.id, server.config.timeZone)
        moderating = Array.from({ length: 3 * POOL }, () => call('POST', `/avisos/${Aviso}/suspender`))
        const others = Array.from({ length: POOL }, () => server.store.query(sql`select 1`))
        assert.equal((await Promise.all(others)).length, POOL)
        assert.equal((await shop.get('AB-1023')).json.Estado, 'Activa', 'none of them has been before')
      })
      for (const { status } of (await Promise.all(moderating)) as { status: number }[]) assert.equal(status, 200)
      assert.deepEqual(await publicacionEvents(shop), ['suspendida AB-1023 mercado'])
    })

    it('200: an app that has left is told nothing', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      await app.call('PATCH', `/v3/agencias/${shop.mail}/desasociar`)
      await call('POST', `/avisos/${Aviso}/suspender`)
      assert.equal((await call('POST', `/avisos/${Aviso}/reactivar`)).json.Suspension.Por, 'desasociada')
      assert.deepEqual(await publicacionEvents(shop), [])
    })

    it('400, 404, 409: no number, another mode’s or none, an archived one', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      for (const verb of ['suspender', 'reactivar']) {
        assert.deepEqual(errorsOf((await call('POST', `/avisos/x/${verb}`)).json), ['id'])
        assert.equal((await call('POST', `/avisos/1/${verb}`)).status, 404)
        assert.equal((await test.call('POST', `/interno/v1/avisos/${Aviso}/${verb}`)).status, 404)
      }
      const long = await call('POST', `/avisos/${Aviso}/suspender`, { Motivo: 'm'.repeat(501), Otro: 1 })
      assert.deepEqual(errorsOf(long.json), ['Motivo', 'Otro'])
      await shop.remove('AB-1023')
      for (const verb of ['suspender', 'reactivar'])
        assert.equal((await call('POST', `/avisos/${Aviso}/${verb}`)).status, 409)
    })

    it('ten at once are one, and tell once', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      await Promise.all(Array.from({ length: 10 }, () => call('POST', `/avisos/${Aviso}/suspender`, {})))
      assert.deepEqual(await publicacionEvents(shop), ['suspendida AB-1023 mercado'])
      const entries = await server.store.query(sql`select act, via from audit_log where subject = ${String(Aviso)}`)
      assert.deepEqual(entries, [{ act: 'aviso.suspender', via: 'sitio' }])
    })
  })

  describe('PUT paquete', () => {
    const paquete = (shop: Shop, body: object) => call('PUT', `/agencias/${shop.mail}/paquete`, body)
    const plan = { Nombre: 'Plan 5', Hasta: '2049-12-31' }

    it('200: what is shown follows, oldest first: degraded, hidden, and back again; the app is told', async () => {
      const shop = await makeShop(server, app, null)
      const set = await paquete(shop, { ...plan, Alta: 1, Media: 1, Baja: 1 })
      assert.equal(set.status, 200)
      assert.deepEqual(set.json.Paquete, {
        Nombre: 'Plan 5',
        Estado: 'vigente',
        Desde: dayOf(new Date(), server.config.timeZone),
        Hasta: '2049-12-31',
      })
      for (const ExternalId of ['E-1', 'E-2', 'E-3']) await shop.post({ ExternalId })
      await paquete(shop, { ...plan, Media: 1, Baja: 1 })
      const shown = async () =>
        (await shop.get()).json._entries.map(
          ({ Suspension, ExposicionOtorgada }: Record<string, { Por: string } | string>) =>
            (Suspension as { Por: string } | null)?.Por ?? ExposicionOtorgada,
        )
      assert.deepEqual(await shown(), ['paquete', 'Baja', 'Media'], 'newest first in the list')
      assert.equal((await shop.put('E-3', { Activa: true })).status, 400)
      await paquete(shop, { ...plan, Alta: 2, Media: 2 })
      assert.deepEqual(await shown(), ['Media', 'Alta', 'Alta'])
      assert.deepEqual(await publicacionEvents(shop), ['suspendida E-3 mercado', 'activada E-3 mercado'])
    })

    it('200: it waits for a form of the console that is being saved, and then replaces what the form said', async () => {
      const { store, config } = server
      const shop = await makeShop(server, app)
      const { id } = shop.agencia
      const { sent } = await store.transaction(async (tx) => {
        const compared = await lockContract(tx, id, config.timeZone)
        const sent = paquete(shop, plan)
        await untilBlocked(store, 'contrato')
        assert.deepEqual(await findPaquete(store, id, config.timeZone), compared)
        await setPaquete(tx, id, { ...LARGE_PAQUETE, nombre: 'Of the form' })
        return { sent }
      })
      assert.equal((await sent).status, 200)
      assert.equal((await findPaquete(store, id, config.timeZone)).nombre, plan.Nombre)
    })

    it('a package that has ended hides everything, within the minute; what its app hid stays as it was', async () => {
      const shop = await makeShop(server, app)
      await shop.post({ ExternalId: 'E-1' })
      await shop.post({ ExternalId: 'E-2', Activa: false })
      await shop.contract({ hasta: '2021-01-01' })
      await fitToLapsedPaquetes({ store: server.store, clock: () => new Date(), config: server.config })
      assert.equal((await shop.get('E-1')).json.Suspension.Por, 'paquete')
      assert.equal((await shop.get('E-2')).json.Suspension.Por, 'app')
      assert.deepEqual(await publicacionEvents(shop), ['suspendida E-1 mercado'])
      await shop.contract({})
      await fitToLapsedPaquetes({ store: server.store, clock: () => new Date(), config: server.config })
      assert.equal((await shop.get('E-1')).json.Estado, 'Activa')
    })

    it('what waits for a place that it did not ask for is left alone until there is one for it', async () => {
      const deps = { store: server.store, clock: () => new Date(), config: server.config }
      const shop = await makeShop(server, app, { alta: 0, media: 0, baja: 1 })
      await shop.post({ ExternalId: 'E-1', Exposicion: 'Baja' })
      await paquete(shop, { ...plan, Alta: 5, Media: 5 })
      await fitToLapsedPaquetes(deps)
      assert.equal((await shop.get('E-1')).json.Suspension.Por, 'paquete')
      assert.equal(await fitToLapsedPaquetes(deps), 0, 'nobody is settled again who has no place for what waits')
      await shop.contract({ alta: 0, media: 0, baja: 1 })
      assert.equal(await fitToLapsedPaquetes(deps), 1)
      assert.equal((await shop.get('E-1')).json.ExposicionOtorgada, 'Baja')
    })

    it('400 and 404: days that cannot be, faults of form, an agency of another mode', async () => {
      const shop = await makeShop(server, app)
      assert.deepEqual(errorsOf((await paquete(shop, { ...plan, Desde: '2050-01-01' })).json), ['Hasta'])
      assert.deepEqual(errorsOf((await paquete(shop, { Nombre: ' ', Hasta: '2049-12-31' })).json), ['Nombre'])
      assert.deepEqual(errorsOf((await paquete(shop, { ...plan, Desde: '0000-01-01' })).json), ['Desde'])
      const form = await paquete(shop, { Alta: -1, Baja: '1', Hasta: '2025-02-30', Otra: 1 })
      assert.deepEqual(errorsOf(form.json), ['Alta', 'Baja', 'Hasta', 'Nombre', 'Otra'])
      assert.equal((await call('PUT', '/agencias/nadie@agencia.test/paquete', plan)).status, 404)
      const body = JSON.stringify(plan)
      assert.equal((await test.call('PUT', `/interno/v1/agencias/${shop.mail}/paquete`, { body })).status, 404)
    })
  })

  describe('visitas', () => {
    it('200: counted by day, and read by the app beside the inquiries of the listing', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      const [today, before] = [new Date(), new Date(Date.now() - 2 * 86_400_000)]
      const visits = [{ Aviso }, { Aviso, Cantidad: 9 }, { Aviso, Momento: before.toISOString() }, { Aviso: 5 }]
      const { status, json } = await call('POST', '/visitas', visits)
      assert.deepEqual([status, json], [200, { Contadas: 11, Desconocidas: [5] }])
      await Promise.all(Array.from({ length: 10 }, () => call('POST', '/visitas', [{ Aviso }])))
      const { agencia } = shop
      const { sid } = await insertConsulta(server.store, {
        agencia,
        fuente: app.app,
        externalId: 'AB-1023',
        at: before,
      })
      await server.store.query(sql`update consultas set publicacion_id = ${Aviso} where sid = ${sid}`)

      const check = await schemaCheck(server)
      const read = (await app.get(`${shop.list}/ab-1023/estadisticas`)).json
      check('PublicacionEstadisticas', read)
      assert.deepEqual([read.Visitas, read.Consultas, read.Dias.length], [21, 1, 91])
      const zone = server.config.timeZone
      assert.deepEqual(read.Dias.at(-1), { Dia: dayOf(today, zone), Visitas: 20, Consultas: 0 })
      assert.deepEqual(read.Dias.at(-3), { Dia: dayOf(before, zone), Visitas: 1, Consultas: 1 })
      const part = await app.get(
        `${shop.list}/AB-1023/estadisticas?desde=${dayOf(before, zone)}&hasta=${dayOf(before, zone)}`,
      )
      assert.deepEqual([part.json.Visitas, part.json.Dias.length], [1, 1])
      const etag = part.headers.etag ?? ''
      assert.equal((await app.get(part.json._links.self.href, { 'if-none-match': etag })).status, 304)
    })

    it('200 and 409: sent twice under one Idempotency-Key they are counted once; with another body it is refused', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      const send = (key: string, body: object, by: TestSitio = sitio) =>
        by.call('POST', '/interno/v1/visitas', { body: JSON.stringify(body), headers: { 'idempotency-key': key } })
      const visits = [{ Aviso, Cantidad: 3 }, { Aviso: 5 }]
      const answers = await Promise.all(Array.from({ length: 5 }, () => send('a-1', visits)))
      for (const { status, json } of answers)
        assert.deepEqual([status, json], [200, { Contadas: 3, Desconocidas: [5] }])
      const other = await send('a-1', [{ Aviso }])
      assert.deepEqual([other.status, errorsOf(other.json)], [409, ['Idempotency-Key']])
      assert.equal((await send('a-1', visits, await server.newSitio())).status, 200, 'another site has keys of its own')
      assert.equal((await send('a-2', visits)).status, 200)
      assert.deepEqual(errorsOf((await send('a b', visits)).json), ['Idempotency-Key'])
      assert.equal((await app.get(`${shop.list}/AB-1023/estadisticas`)).json.Visitas, 9)
    })

    it('400: days that cannot be, too many at once; 404: a listing of another mode is unknown', async () => {
      const shop = await makeShop(server, app)
      const { Aviso } = (await shop.post({})).json
      const future = new Date(Date.now() + 2 * 86_400_000).toISOString()
      const { status, json } = await call('POST', '/visitas', [{ Aviso }, { Aviso, Momento: future }])
      assert.deepEqual([status, errorsOf(json)], [400, ['[1].Momento']])
      for (const Momento of ['2026-11-14T23:59:60Z', '2026-11-14T10:00:00-03'])
        assert.deepEqual(
          errorsOf((await call('POST', '/visitas', [{ Aviso, Momento }])).json),
          ['[0].Momento'],
          Momento,
        )
      assert.equal((await call('POST', '/visitas', Array(1001).fill({ Aviso }))).status, 400)
      assert.deepEqual(errorsOf((await call('POST', '/visitas', [{ Cantidad: 0 }])).json), [
        '[0].Aviso',
        '[0].Cantidad',
      ])
      const body = JSON.stringify([{ Aviso }])
      assert.deepEqual((await test.call('POST', '/interno/v1/visitas', { body })).json.Desconocidas, [Aviso])

      const statistics = (path: string) => app.get(`${shop.list}/${path}`)
      assert.equal((await statistics('NADA/estadisticas')).status, 404)
      assert.deepEqual(errorsOf((await statistics('AB-1023/estadisticas?desde=2000-01-01')).json), ['desde'])
      const stranger = await server.newApp()
      assert.equal((await stranger.get(`${shop.list}/AB-1023/estadisticas`)).status, 404)
    })
  })
})
