import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { makeShop, type Shop } from '../../../tests/support/listing.ts'
import { DESKTOP, TELEPHONE, withPages } from '../../../tests/support/pages.ts'
import type { TestApp } from '../../../tests/support/server.ts'
import { storePhoto } from '../../../tests/support/stored-photo.ts'
import { visitor } from '../../../tests/support/visitor.ts'

const PHOTO = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#7aa"/></svg>`

describe('/aviso/{id}', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rodado-aviso-'))
  const { server, onPage } = withPages({ env: { DATA_DIR: folder } })
  after(() => rmSync(folder, { recursive: true, force: true }))
  let app: TestApp
  let shop: Shop
  let made = 0
  before(async () => {
    app = await server.newApp()
    shop = await makeShop(server, app)
  })
  const publish = async (more: object = {}) => (await shop.post({ ExternalId: `C-${++made}`, ...more })).json
  const see = (aviso: number) => visitor(server).get(`/aviso/${aviso}`)

  it('200: the car, its price and photos, who offers it, and the form to ask', async () => {
    const { Aviso, Version } = await publish()
    const { status, text, headers } = await see(Aviso)
    assert.equal(status, 200)
    const words = [
      `Fiat Cronos ${Version} 2022`,
      '18.500.000',
      '38.000 km',
      'Nafta',
      'Manual',
      'Único dueño.',
      'Airbags',
      'Automotores del Sur',
    ]
    for (const each of [
      ...words,
      'Temperley, Buenos Aires',
      'https://fotos.example/2.jpg',
      `action="/aviso/${Aviso}/consultar"`,
    ])
      assert.ok(text.includes(each), each)
    assert.match(headers['content-security-policy'] ?? '', /img-src 'self' https:;/)
    assert.match(headers['content-security-policy'] ?? '', /script-src 'self'$/)
    assert.doesNotMatch(text, /noindex/)
    const [, block = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
    const { brand, offers, mileageFromOdometer } = JSON.parse(block)
    assert.deepEqual([brand.name, offers.price, offers.priceCurrency], ['Fiat', 18_500_000, 'ARS'])
    assert.equal(mileageFromOdometer.value, 38_000)
  })

  it('200: no word of a partner’s becomes markup', async () => {
    const evil = '</script><img src=x onerror=alert(1)>'
    const { Aviso } = await publish({
      Modelo: evil.slice(0, 90),
      Version: '"><b>x',
      Descripcion: evil,
      DatosTecnicosCustom: [{ Nombre: '<i>', Valor: evil }],
      Fotos: ["https://fotos.example/'onload='alert(1)"],
    })
    const { text } = await see(Aviso)
    assert.doesNotMatch(text, /<img src=x|<b>x|<i>/)
    assert.match(text, /src="https:\/\/fotos\.example\/'onload='alert\(1\)"/)
    assert.equal((await shop.post({ ExternalId: 'EVIL', Fotos: ['https://fotos.example/"x'] })).status, 400)
    assert.equal(text.match(/<\/script>/g)?.length, 2, 'data, and the script of the gallery')
  })

  it('200: with little known of it, it says nothing that is not so', async () => {
    const little = { Version: null, VersionYear: null, Kilometraje: null, Precio: null, Fotos: [], Color: null }
    const { Aviso } = await publish({ ...little, Descripcion: null, DatosTecnicosCustom: [], Propulsion: null })
    const { status, text } = await see(Aviso)
    assert.equal(status, 200)
    assert.match(text, /Consulte el precio/)
    assert.match(text, /Sin fotos por ahora/)
    assert.doesNotMatch(text, /null|undefined|NaN/)
  })

  it('200: copies of photos come from this server alone; a link preview and search engines get them too', async () => {
    const { Aviso, Fotos } = await publish()
    const photo = { publicacionId: Aviso, appId: app.app.id }
    const first = await storePhoto(server, { ...photo, url: Fotos[0] })
    const [pending, ready] = [
      await see(Aviso),
      await storePhoto(server, { ...photo, url: Fotos[1], background: '#a33' }).then(() => see(Aviso)),
    ]
    assert.match(pending.headers['content-security-policy'] ?? '', /img-src 'self' https:;/)
    assert.match(ready.headers['content-security-policy'] ?? '', /img-src 'self';/)
    assert.doesNotMatch(ready.text, /fotos\.example/)
    const large = `http://rodado.test/fotos/${first.hash}/1080.jpg`
    assert.match(ready.text, new RegExp(`<meta property="og:image" content="${large}"`))
    assert.match(ready.text, new RegExp(`<meta property="og:url" content="http://rodado.test/aviso/${Aviso}"`))
    assert.match(ready.text, /<meta property="og:title" content="Fiat Cronos/)
    const [, block = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(ready.text) ?? []
    const { '@type': type, image } = JSON.parse(block)
    assert.deepEqual([type, image.length, image[0]], ['Car', 2, large])
    assert.match(ready.text, new RegExp(`/fotos/${first.hash}/320\\.webp 320w`))
  })

  it('200: a photo that was refused, or could not be fetched, is not shown; the account says why', async () => {
    for (const [estado, error] of [
      ['fallida', 'tipo'],
      ['pendiente', 'conexion'],
    ] as const) {
      const { Aviso, Fotos } = await publish()
      await server.store.query(sql`
        insert into photos (publicacion_id, app_id, url, estado, last_error)
        values (${Aviso}, ${app.app.id}, ${Fotos[0]}, ${estado}, ${error})`)
      const { text } = await see(Aviso)
      assert.doesNotMatch(text, /fotos\.example\/1\.jpg/)
      assert.match(text, /fotos\.example\/2\.jpg/)
    }
    const { text } = await (await visitor(server).enter(shop.mail)).get('/cuenta/publicaciones')
    assert.match(text, /Una foto todavía no se muestra: volveremos a buscarla\. No pudimos conectarnos/)
  })

  it('200: the agency’s WhatsApp, its address, and its branches with their hours', async () => {
    const other = await makeShop(server, app)
    await server.store.query(sql`
      update agencias set whatsapp = '+5491145551234', direccion = 'Av. Espora 1200' where id = ${other.agencia.id}`)
    const horarios = { Lunes: [{ Desde: '09:00', Hasta: '13:00' }], Martes: [{ Desde: '09:00', Hasta: '13:00' }] }
    await app.call('POST', `/v3/sucursales/${other.mail}`, {
      body: JSON.stringify({ Nombre: 'Temperley <b>', Direccion: 'Meeks 10', Horarios: horarios }),
    })
    const { text } = await see((await other.post({ ExternalId: 'SUC-1' })).json.Aviso)
    assert.match(text, /href="https:\/\/wa\.me\/5491145551234\?text=Hola%2C%20consulto%20por%20Fiat/)
    assert.match(text, /Av\. Espora 1200/)
    assert.match(text, /Temperley &lt;b>[\s\S]*Meeks 10[\s\S]*Lunes a martes: 9:00 a 13:00/)
  })

  it('200: without photos, the outline of such a car in its colour; of what has none that would fit, none', async () => {
    const outlineOf = async (more: object) => {
      const { text } = await see((await publish({ Fotos: [], ...more })).Aviso)
      return /<path class="body" d="([^"]+)" fill="([^"]+)"/.exec(text)?.slice(1)
    }
    const [pickup, fill] = (await outlineOf({ Carroceria: 'Pick-up', Color: 'rojo' })) ?? []
    assert.match(fill ?? '', /^#[0-9A-F]{6}$/i)
    const [sedan, unknown] = (await outlineOf({ Carroceria: 'Sedán', Color: null })) ?? []
    assert.equal(unknown, 'currentColor')
    assert.notEqual(pickup, sedan)
    assert.ok(await outlineOf({ Carroceria: null }))
    assert.equal(await outlineOf({ Carroceria: 'Acoplado' }), undefined)
    assert.equal(await outlineOf({ Fotos: ['https://fotos.example/1.jpg'] }), undefined)
  })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`on a telephone, ${colorScheme}: the outline stands apart from its ground, and nothing is wider than the screen`, async () => {
      const { Aviso } = await publish({
        Fotos: [],
        Carroceria: 'SUV',
        Color: colorScheme === 'light' ? 'blanco' : 'negro',
      })
      await onPage(`aviso-outline-${colorScheme}`, { ...TELEPHONE, colorScheme }, async (page) => {
        await page.goto(`/aviso/${Aviso}`)
        const box = await page.locator('.silhouette').boundingBox()
        assert.ok(box && box.width > 200 && box.x + box.width <= 360)
        const [line, ground] = await page.evaluate(() => [
          getComputedStyle(document.querySelector('.silhouette .body') as Element).stroke,
          getComputedStyle(document.querySelector('.photos') as Element).backgroundColor,
        ])
        const light = (colour = '') =>
          (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, each) => sum + Number(each), 0)
        assert.ok(Math.abs(light(line) - light(ground)) > 150, `${line} on ${ground}`)
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0)
      })
    })

  it('410 and 404: archived, hidden, unknown; a question is still welcome', async () => {
    const gone = await publish()
    await shop.remove(gone.ExternalId)
    const hidden = await publish({ Activa: false })
    const [archived, suspended] = [await see(gone.Aviso), await see(hidden.Aviso)]
    assert.deepEqual([archived.status, suspended.status], [410, 404])
    for (const { text } of [archived, suspended]) {
      assert.match(text, /consultar"/)
      assert.match(text, /noindex/)
      assert.doesNotMatch(text, /fotos\.example|18\.500\.000/)
    }
    for (const id of ['1', 'x', '99999999999', `0${(await publish()).Aviso}`])
      assert.equal((await visitor(server).get(`/aviso/${id}`)).status, 404)
  })

  it('200: what is in test mode says so, and is not to be found', async () => {
    const tester = await server.newApp({ modo: 'prueba' })
    const there = await makeShop(server, tester)
    const { text } = await see((await there.post({})).json.Aviso)
    assert.match(text, /Modo de prueba/)
    assert.match(text, /noindex/)
  })

  it('the gallery works by mouse and keyboard, in full screen too; without scripts it is a row', async () => {
    const { Aviso, Fotos } = await publish()
    for (const [at, background] of ['#7aa', '#a33'].entries())
      await storePhoto(server, { publicacionId: Aviso, appId: app.app.id, url: Fotos[at], background })
    await onPage('aviso-gallery', DESKTOP, async (page) => {
      await page.goto(`/aviso/${Aviso}`)
      await assertAccessible(page)
      const current = page.locator('.thumbnails [aria-current]')
      const isAt = (nth: number) => current.and(page.locator(`[href="#foto-${nth}"]`)).waitFor()
      await isAt(1)
      const box = await page.getByAltText(/foto 1 de 2/).boundingBox()
      assert.ok(box && Math.abs(box.width / box.height - 4 / 3) < 0.01, JSON.stringify(box))
      await page.locator('.stage').getByRole('button', { name: 'Foto siguiente' }).click()
      await isAt(2)
      await page.getByRole('link', { name: 'Ver la foto 1' }).click()
      await isAt(1)
      await page.getByRole('button', { name: 'Pantalla completa' }).click()
      const viewer = page.getByRole('dialog')
      await viewer.getByText('1 / 2').waitFor()
      await page.keyboard.press('ArrowRight')
      await viewer.getByText('2 / 2').waitFor()
      await viewer.getByAltText(/foto 2 de 2/).waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Escape')
      await viewer.waitFor({ state: 'hidden' })
      await isAt(2)
    })
    await onPage('aviso-no-script', { ...DESKTOP, javaScriptEnabled: false }, async (page) => {
      await page.goto(`/aviso/${Aviso}`)
      await page.getByAltText(/foto 1 de 2/).waitFor()
      await page.getByText('2 fotos: deslice para ver más.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Foto siguiente' }).count(), 0)
    })
  })

  for (const [where, options] of Object.entries({ telephone: TELEPHONE, desk: DESKTOP })) {
    it(`on a ${where}: photos are shown, nothing is wider than the screen, and an inquiry is sent from here`, async () => {
      const { Aviso } = await publish()
      await onPage(`aviso-${where}`, options, async (page) => {
        await page.route('https://fotos.example/**', (route) =>
          route.fulfill({ contentType: 'image/svg+xml', body: PHOTO }),
        )
        await page.goto(`/aviso/${Aviso}`)
        const photo = page.getByAltText(/foto 1 de 2/)
        assert.ok(await photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(overflow <= 0, `${overflow} px too wide`)
        await page.getByRole('link', { name: 'Consultar', exact: true }).click()
        await page.getByLabel('Nombre', { exact: true }).fill('Lucía')
        await page.getByLabel('Teléfono o WhatsApp').fill('341 555-0134')
        await page.locator('input[name=Consentimiento]').check()
        await page.getByRole('button', { name: 'Enviar la consulta' }).click()
        await page.waitForURL('**/gracias')
      })
      const inquiries = await server.store.query(sql`select from consultas where publicacion_id = ${Aviso}`)
      assert.equal(inquiries.length, 1)
    })
  }
})
