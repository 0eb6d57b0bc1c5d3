import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { eventsOf } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { makeShop, type Shop } from '../../../../tests/support/listing.ts'
import { download, search, withPages } from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { type MadeStaff, makeStaff } from '../../../../tests/support/staff.ts'
import { storePhoto } from '../../../../tests/support/stored-photo.ts'
import { visitor } from '../../../../tests/support/visitor.ts'

const LIST = '/consola/publicaciones'

describe('listings in the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rodado-console-'))
  const { server, onPage } = withPages({ env: { DATA_DIR: folder } })
  after(() => rmSync(folder, { recursive: true, force: true }))
  let staff: MadeStaff
  let app: TestApp
  let shop: Shop
  before(async () => {
    staff = await makeStaff(server)
    app = await server.newApp({ nombre: 'Gestión Sur' })
    shop = await makeShop(server, app)
  })

  const publish = async (ExternalId: string, where = shop): Promise<number> => {
    const { json, text } = await where.post({ ExternalId })
    return json.Aviso ?? assert.fail(text)
  }
  const seen = async (query: string, avisos: number[]) => {
    const { text } = await staff.visitor.get(`${LIST}?${query}`)
    return avisos.filter((aviso) => text.includes(`${LIST}/${aviso}"`))
  }

  it('200: found by Aviso, ExternalId, agency, app and state; and as CSV', async () => {
    const other = await makeShop(server, await server.newApp({ nombre: 'Otra' }))
    const [a, b, c] = [await publish('Auto-1'), await publish('auto-2'), await publish('AUTO-1', other)]
    await shop.remove('auto-2')
    const all = [a, b, c]
    assert.deepEqual(await seen('', all), all)
    assert.deepEqual(await seen(`aviso=${a}`, all), [a])
    assert.deepEqual(await seen('externalId=auto-1', all), [a, c])
    assert.deepEqual(await seen(`externalId=auto-1&agencia=${other.mail}`, all), [c])
    assert.deepEqual(await seen('externalId=auto-2', all), [b], 'archived ones too')
    assert.deepEqual(await seen('externalId=auto', all), [])
    assert.deepEqual(await seen(`agencia=${shop.mail}`, all), [a, b])
    assert.deepEqual(await seen(`app=${app.app.appKey}`, all), [a, b])
    assert.deepEqual(await seen('app=nada', all), [])
    assert.deepEqual(await seen('estado=Archivada', all), [b])
    assert.deepEqual(await seen('estado=Activa', all), [a, c])
    assert.deepEqual(await seen('estado=moderadas', all), [])
    const csv = await staff.visitor.get(`${LIST}?aviso=${a}&formato=csv`)
    assert.match(csv.text, new RegExp(`^\\uFEFF"Aviso";"Modo";"Auto";.*\\r\\n"${a}";"produccion";"Fiat Cronos`))
  })

  it('200: by app or state alone it looks at five thousand at a time, and says how to go on, there and back', async () => {
    const seldom = await server.newApp({ nombre: 'Rara' })
    const rare = await makeShop(server, seldom)
    const [first, last] = [await publish('rara-1', rare), await publish('rara-2', rare)]
    await shop.post({ ExternalId: 'modelo-de-muchos' })
    await server.store.query(sql`
      insert into publicaciones (modo, agencia_id, app_id, external_id, estado, operador, marca_id, marca, modelo, busqueda)
      select 'produccion', agencia_id, app_id, 'muchos-' || n, 'Archivada', operador, marca_id, marca, modelo, busqueda
      from publicaciones, generate_series(1, 5000) n where external_id = 'modelo-de-muchos'`)
    const list = `${LIST}?app=${seldom.app.appKey}`
    const begin = await staff.visitor.get(list)
    assert.match(begin.text, /Todavía nada\.[\s\S]*Buscamos hasta el aviso \d+\. Siga con «Página siguiente»/)
    const on = (/href="([^"]*antes=\d+)">Página siguiente/.exec(begin.text)?.[1] ?? '').replaceAll('&amp;', '&')
    const found = await staff.visitor.get(on)
    assert.doesNotMatch(found.text, /Buscamos hasta/)
    const places = [last, first].map((aviso) => found.text.indexOf(`${LIST}/${aviso}"`))
    assert.ok(places[0] !== -1 && (places[0] ?? 0) < (places[1] ?? 0), 'newest first')
    const back = await staff.visitor.get(`${list}&despues=${last}`)
    assert.match(back.text, /Siga con «Página anterior»[\s\S]*despues=\d+">← Página anterior/)
    const oldestFirst = await staff.visitor.get(`${list}&orden=fecha`)
    assert.match(oldestFirst.text, /Siga con «Página siguiente»[\s\S]*despues=\d+">Página siguiente/)
    const csv = await staff.visitor.get(`${list}&formato=csv`)
    assert.deepEqual([csv.text.includes('rara-1'), csv.text.includes('rara-2')], [true, true])
  })

  it('303: suspended with a reason, the app reads it and is notified, and only the marketplace lets it back', async () => {
    const aviso = await publish('mod-1')
    const path = `${LIST}/${aviso}`
    assert.equal((await staff.visitor.post(`${path}/suspender`, { Motivo: ' ' })).status, 400)
    assert.equal((await staff.visitor.post(`${path}/suspender`, { Motivo: 'x'.repeat(501) })).status, 400)
    const Motivo = 'Las fotos no corresponden al auto.'
    assert.equal((await staff.visitor.post(`${path}/suspender`, { Motivo })).status, 303)
    const suspended = (await shop.get('mod-1')).json
    assert.equal(suspended.Estado, 'Suspendida')
    assert.ok(JSON.stringify(suspended).includes(Motivo))
    assert.ok((await staff.visitor.get(path)).text.includes(`Lo suspendió el mercado: ${Motivo}`))
    assert.deepEqual(await seen('estado=moderadas', [aviso]), [aviso])

    assert.equal((await staff.visitor.post(`${path}/reactivar`)).status, 303)
    assert.equal((await shop.get('mod-1')).json.Estado, 'Activa')
    const topics = (await eventsOf(server, app.app, shop.agencia.id)).map(({ Topic, Por }) => `${Topic} ${Por}`)
    assert.deepEqual(topics.slice(-2), ['publicacion.suspendida mercado', 'publicacion.activada mercado'])
    const noted = await server.store.query<{ act: string }>(
      sql`select act from audit_log where subject = ${String(aviso)} order by id`,
    )
    assert.deepEqual(
      noted.map(({ act }) => act),
      ['aviso.suspender', 'aviso.reactivar'],
    )
  })

  it('303: nothing is done to a listing that changed, or that a colleague judged, since its page was made', async () => {
    const aviso = await publish('mod-2')
    const path = `${LIST}/${aviso}`
    const seenNow = async () => ({
      Visto: /name="Visto" value="([^"]+)"/.exec((await staff.visitor.get(path)).text)?.[1] ?? '',
    })
    const decide = async (act: string, form: Record<string, string>) =>
      String((await staff.visitor.post(`${path}/${act}`, form)).headers['set-cookie']).includes('aviso-cambiado')
    const stateOf = async () => (await shop.get('mod-2')).json.Estado
    const first = await seenNow()
    await server.store.query(sql`update publicaciones set descripcion = 'Otra', updated_at = now() where id = ${aviso}`)
    assert.ok(await decide('suspender', { ...first, Motivo: 'Lo anterior.' }))
    assert.equal(await stateOf(), 'Activa')
    const both = await seenNow()
    const refused = await Promise.all(['Una.', 'Otra.'].map((Motivo) => decide('suspender', { ...both, Motivo })))
    assert.deepEqual(refused.sort(), [false, true])
    const suspended = await seenNow()
    await server.store.query(sql`update publicaciones set descripcion = 'Peor', updated_at = now() where id = ${aviso}`)
    assert.ok(await decide('reactivar', suspended))
    assert.equal(await stateOf(), 'Suspendida')
  })

  it('303: with a reason to pick, words added to it, and on to the next listing', async () => {
    const [older, newer] = [await publish('sig-1'), await publish('sig-2')]
    const { text } = await staff.visitor.get(`${LIST}/${newer}`)
    assert.doesNotMatch(text, /opcional/) // one of the two fields is needed
    assert.match(text, /Necesario si no elige un motivo/)
    const [, Razon = ''] = /<option value="([^"]*fotos[^"]*)"/.exec(text) ?? []
    assert.match(text, new RegExp(`href="${LIST}/${older}">Aviso siguiente`))
    const sent = await staff.visitor.post(`${LIST}/${newer}/suspender`, {
      Razon,
      Motivo: 'Es otro color.',
      Seguir: 'si',
    })
    assert.deepEqual([sent.status, sent.headers.location], [303, `${LIST}/${older}`])
    assert.match(sent.headers['set-cookie'] ?? '', /=aviso-suspendido-siguiente;/)
    assert.equal((await shop.get('sig-2')).json.Suspension.Motivo, `${Razon} Es otro color.`)
    const unknown = await staff.visitor.post(`${LIST}/${older}/suspender`, { Razon: 'Porque sí' })
    assert.equal(unknown.status, 400)
  })

  it('200: its photos, each copied, in progress or failed with the reason; failed ones are fetched again', async () => {
    const { json } = await shop.post({ ExternalId: 'foto-1' })
    const { Aviso, Fotos } = json
    const stored = await storePhoto(server, { publicacionId: Aviso, appId: app.app.id, url: Fotos[0] })
    await server.store.query(sql`
      insert into photos (publicacion_id, app_id, url, estado, last_error)
      values (${Aviso}, ${app.app.id}, ${Fotos[1]}, 'fallida', 'tipo')`)
    const path = `${LIST}/${Aviso}`
    const failed = (await staff.visitor.get(path)).text
    assert.match(failed, new RegExp(`src="/fotos/${stored.hash}/320\\.webp"`))
    assert.match(failed, /falló<\/span><p>No es una imagen JPEG, PNG ni WebP\./)
    assert.equal((await staff.visitor.post(`${path}/fotos`)).status, 303)
    const again = (await staff.visitor.get(path)).text
    assert.match(again, /en proceso<\/span>/)
    assert.doesNotMatch(again, /Buscar de nuevo/)
    const account = (await (await visitor(server).enter(shop.mail)).get('/cuenta/publicaciones')).text
    assert.match(account, /Una foto en proceso\./)
  })

  it('409: what is archived stays so; 404: a listing that there is not', async () => {
    const aviso = await publish('fin-1')
    await shop.remove('fin-1')
    const { text } = await staff.visitor.get(`${LIST}/${aviso}`)
    assert.match(text, /Está archivado: no puede volver a mostrarse/)
    assert.ok(!text.includes('Motivo'))
    assert.equal((await staff.visitor.post(`${LIST}/${aviso}/suspender`, { Motivo: 'x' })).status, 409)
    for (const id of ['1', 'uno', '9999999999']) assert.equal((await staff.visitor.get(`${LIST}/${id}`)).status, 404)
  })

  it('404: everything, for people who are not staff', async () => {
    const aviso = await publish('ajeno-1')
    const administrator = await visitor(server).enter(shop.mail)
    const developer = await makeDeveloper(server, app, { rol: 'titular' })
    for (const other of [administrator, developer.visitor]) {
      for (const path of [LIST, `${LIST}/${aviso}`]) assert.equal((await other.get(path)).status, 404)
      assert.equal((await other.post(`${LIST}/${aviso}/suspender`, { Motivo: 'x' })).status, 404)
      assert.equal((await other.post(`${LIST}/${aviso}/reactivar`)).status, 404)
    }
    assert.equal((await shop.get('ajeno-1')).json.Estado, 'Activa')
  })

  describe('in a browser', () => {
    it('one of the staff finds a listing, suspends it with a reason, and lets it back', async () => {
      const aviso = await publish('nav-1')
      await server.store.query(sql`
        insert into photos (publicacion_id, app_id, url, estado, last_error)
        values (${aviso}, ${app.app.id}, 'https://fotos.example/1.jpg', 'fallida', 'tipo')`)
      await onPage('console publicaciones', { as: staff.visitor }, async (page) => {
        await page.goto(LIST)
        await assertAccessible(page)
        await search(page, { ExternalId: 'nav-1' })
        assert.match((await download(page)).lines[1] ?? '', /nav-1/)
        await page.getByRole('link', { name: /Fiat Cronos/ }).click()
        await page.getByText(`Aviso ${aviso}`).first().waitFor()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Buscar de nuevo' }).click()
        await page.getByText('Volvemos a buscar las fotos que fallaron.').waitFor()
        await page.getByLabel('Detalle').fill('El precio no es el que se pide.')
        await page.getByLabel('Seguir con el aviso siguiente').uncheck()
        await page.getByRole('button', { name: 'Suspender' }).click()
        await page.getByText('Se suspendió el aviso').waitFor()
        await page.getByText('Lo suspendió el mercado: El precio no es el que se pide.').waitFor()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Reactivar' }).click()
        await page.getByText('Se reactivó el aviso').waitFor()
        await page.getByRole('link', { name: 'Ver aviso público' }).waitFor()
      })
    })
  })
})
