import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../tests/support/axe.ts'
import { hook, LOOPBACK, settled, storeEvents } from '../../tests/support/deliveries.ts'
import { type MadeDeveloper, makeDeveloper } from '../../tests/support/developer.ts'
import { DESKTOP, overflow, press, TELEPHONE, waitForNotice, withPages } from '../../tests/support/pages.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import type { TestApp } from '../../tests/support/server.ts'
import { makeStaff } from '../../tests/support/staff.ts'

const SIZES = [DESKTOP, { ...TELEPHONE, viewport: { width: 390, height: 800 } }]

describe('lists in a browser', () => {
  const { server, onPage } = withPages({ env: LOOPBACK, worker: {} })
  let receiver: Receiver
  let app: TestApp
  let dana: MadeDeveloper
  let ids: string[]
  let path: string
  before(async () => {
    receiver = await openReceiver()
    app = await server.newApp({ nombre: 'Tablero' })
    dana = await makeDeveloper(server, app)
    path = `/portal/${app.app.appKey}`
    await hook(server, app, 'consulta.recibida', receiver.url)
    ids = (await storeEvents(server, app, 'consulta.recibida', 3)).sort()
    await settled(server, ids)
  })
  after(() => receiver.close())

  const shownIds = async (page: Page) => {
    const text = await page.locator('#registro').innerText()
    return ids.filter((id) => text.includes(id)).sort((a, b) => text.indexOf(a) - text.indexOf(b))
  }

  for (const size of SIZES)
    it(`${size.viewport.width} px: filters apply themselves, periods are one click, heads sort, a row is a link`, () =>
      onPage(`tablas-${size.viewport.width}`, { ...size, as: dana.visitor }, async (page) => {
        const isWide = size === DESKTOP
        const [first = '', , last = ''] = ids
        await page.goto(`${path}/entregas?vivo=no`)
        await assertAccessible(page)
        assert.equal(await page.getByRole('button', { name: 'Buscar' }).isVisible(), false)
        if (!isWide) await press(page, 'Filtrar')
        await page.getByLabel('Topic').selectOption('consulta.modificada')
        await page.waitForURL(/topic=consulta\.modificada/)
        assert.deepEqual(await shownIds(page), [])
        await page.getByLabel('Topic').selectOption('consulta.recibida')
        await page.getByLabel('Id, sid o agencia').pressSequentially(first)
        await page.waitForURL(new RegExp(`q=${first}`))
        assert.deepEqual(await shownIds(page), [first])
        if (!isWide) {
          await press(page, 'Buscar')
          await page.getByRole('button', { name: 'Filtros (2)' }).waitFor()
        }
        await page.reload()
        assert.deepEqual(await shownIds(page), [first])

        await page.goto(`${path}/entregas?vivo=no`)
        await page.getByRole('link', { name: '7 días' }).click()
        await page.waitForURL(/desde=/)
        assert.equal(await page.getByRole('link', { name: '7 días' }).getAttribute('aria-current'), 'true')
        assert.equal((await shownIds(page)).length, 3)
        if (isWide) await page.getByRole('columnheader').getByRole('link').first().click()
        else {
          await press(page, 'Filtros (1)')
          await page.getByLabel('Orden').selectOption('Lo más antiguo primero')
          await page.waitForURL(/orden=fecha/)
          await press(page, 'Buscar')
        }
        await page.waitForURL(/orden=fecha/)
        assert.deepEqual(await shownIds(page), ids)
        if (isWide) assert.equal(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'ascending')
        await assertAccessible(page)
        assert.equal(await overflow(page), 0)

        await page.getByText('entregada').last().click({ force: true }) // the row's link is above it
        await page.waitForURL(`**${path}/entregas/${last}`)
        await assertAccessible(page)
      }))

  it('on a telephone the state of every event is below its time', async () => {
    const [unsent = ''] = await storeEvents(server, app, 'agencia.modificada', 1)
    await onPage('eventos-telefono', { ...TELEPHONE, as: dana.visitor }, async (page) => {
      await page.goto(`${path}/eventos`)
      const row = (id: string) => page.getByRole('row', { name: id })
      const top = async (id: string, text: RegExp) => (await row(id).getByText(text).boundingBox())?.y ?? 0
      for (const id of [unsent, ids[0] ?? ''])
        assert.ok((await top(id, /^(Sin entrega|entregada)$/i)) < (await top(id, new RegExp(id))), id)
    })
  })

  it('filters that cannot be applied say so, and a session that ended asks to sign in', () =>
    onPage('filtros-sin-respuesta', { ...DESKTOP, as: dana.visitor }, async (page) => {
      await page.goto(`${path}/entregas?vivo=no`)
      const title = await page.title()
      const notApplied = page.getByRole('alert')
      await page.route('**/filtrar', (route) => route.fulfill({ status: 429, body: '<title>No</title>No' }))
      await page.getByLabel('Topic').selectOption('consulta.modificada')
      await notApplied.getByText('No se pudieron aplicar los filtros').waitFor()
      assert.equal(await page.title(), title)
      await page.unroute('**/filtrar')
      await page.getByLabel('Topic').selectOption('consulta.recibida')
      await page.waitForURL(/topic=consulta\.recibida/)
      assert.equal(await notApplied.count(), 0)
      await page.context().clearCookies()
      await page.getByLabel('Topic').selectOption('consulta.modificada')
      await page.waitForURL(/\/entrar\?volver=/)
    }))

  it('without scripts a button sends the filters, and the search is a page', () =>
    onPage('tablas-sin-scripts', { ...DESKTOP, as: dana.visitor, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${path}/entregas`)
      await page.getByLabel('Topic').selectOption('consulta.modificada')
      await press(page, 'Buscar')
      await page.waitForURL(/topic=consulta\.modificada/)
      await page.getByRole('link', { name: 'Ir a…' }).click()
      await page.getByLabel('Página, id o nombre').fill('nadie@agencia.test')
      await press(page, 'Buscar')
      await page.waitForURL(/\/ir\?q=~[\w-]+$/)
      await page.getByLabel('Página, id o nombre').fill('claves')
      await press(page, 'Buscar')
      await page.getByRole('link', { name: /Claves de API/ }).click()
      await page.waitForURL(`**${path}/claves`)
    }))

  for (const size of SIZES)
    it(`${size.viewport.width} px: Ctrl-K, a chart's bars, JSON that folds, the bell, alerts, a key's name`, () =>
      onPage(`ir-${size.viewport.width}`, { ...size, as: dana.visitor }, async (page) => {
        const [first = ''] = ids
        await page.goto(path)
        await page.keyboard.press('Control+k')
        await page
          .getByRole('dialog')
          .getByRole('link', { name: /Resumen/ })
          .waitFor()
        await assertAccessible(page)
        await page.keyboard.press('Escape')
        assert.equal(await page.getByRole('dialog').count(), 0)
        await page.getByRole('link', { name: /^Ir a…/ }).click()
        await page.keyboard.type(first)
        const found = page.getByRole('dialog').getByRole('link', { name: /consulta\.recibida.*Evento/ })
        await found.waitFor()
        await page.keyboard.press('ArrowDown')
        assert.ok(await found.evaluate((link) => link === link.ownerDocument.activeElement))
        await page.keyboard.press('Enter')
        await page.waitForURL(`**${path}/eventos/${first}`)

        await page.goto(`${path}/uso`)
        await page
          .getByRole('row', { name: /consulta\.recibida/ })
          .getByText(/\u00a0ms$/)
          .first()
          .waitFor()
        const chart = page.getByRole('img', { name: /Entregas por hora/ })
        await chart.focus()
        await page.keyboard.press('End')
        const tip = page.locator('.tip:visible')
        assert.match(await tip.innerText(), /\d entregadas/)
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.press('Escape')
        assert.equal(await tip.count(), 0)
        const box = await chart.boundingBox()
        assert.ok(box)
        if (size === DESKTOP) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        else await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
        await tip.waitFor()
        await assertAccessible(page)

        await page.goto(`${path}/alertas`)
        await page.getByLabel('Dirección del canal').fill(`${receiver.url}/canal`)
        await press(page, 'Guardar')
        await waitForNotice(page, 'Se guardaron las alertas')
        await press(page, 'Enviar un mensaje de prueba')
        await waitForNotice(page, 'Enviamos el mensaje de prueba')
        await receiver.waitFor(1, '/canal')
        await press(page, 'Recibir esos correos')
        await waitForNotice(page, 'Se guardaron las alertas')
        await press(page, 'Dejar de recibirlos')
        await server.store.query(sql`update webhooks set failing_since = now() where app_id = ${app.app.id}`)
        await press(page, 'Quitar el canal')
        await waitForNotice(page, 'Se quitó el canal')
        await press(page, 'Un webhook falla')
        await page.locator('#campana').getByRole('link', { name: 'consulta.recibida' }).waitFor()
        await assertAccessible(page)
        assert.equal(await overflow(page), 0)
        await server.store.query(sql`update webhooks set failing_since = null where app_id = ${app.app.id}`)

        await page.goto(`${path}/claves`)
        await page.getByText('Cambiar el nombre').click()
        await page.getByLabel('Nombre').fill('Servidor')
        await press(page, 'Guardar')
        await page.getByRole('cell').getByText('Servidor', { exact: true }).waitFor()
      }))

  it('JSON folds by mouse and keyboard, and is copied whole', () =>
    onPage('json', { ...DESKTOP, as: dana.visitor }, async (page) => {
      const payload = JSON.stringify({ Id: ids[0], Auto: { Marca: 'Fiat', Fotos: ['a', 'b'] } })
      await server.store.query(sql`update events set payload = ${payload} where id = ${ids[0]}`)
      await page.goto(`${path}/eventos/${ids[0]}`)
      const code = page.locator('#contenido-json')
      const text = JSON.stringify(JSON.parse(payload), null, 2)
      assert.equal(await code.textContent(), text)
      const top = async (value: string) => (await code.getByText(value, { exact: true }).boundingBox())?.y ?? 0
      const [fiat, a, b] = [await top('"Fiat"'), await top('"a"'), await top('"b"')]
      assert.ok(Math.abs(a - fiat - 2 * (b - a)) < 1, `no empty lines: ${fiat} ${a} ${b}`)
      await code.getByText('"Auto": {').click()
      assert.equal(await code.getByText('"Fiat"').isVisible(), false)
      await page.keyboard.press('Enter')
      assert.ok(await code.getByText('"Fiat"').isVisible())
      await assertAccessible(page)
    }))

  it('staff sorts agencies by name, and every page of the list follows', async () => {
    const { visitor } = await makeStaff(server)
    await server.store.query(sql`
      insert into agencias (modo, admin_mail, nombre)
      select 'prueba', 'orden' || n || '@agencia.test', chr(65 + (n * 7) % 26) || ' orden' from generate_series(1, 60) n`)
    await onPage('orden-por-nombre', { ...DESKTOP, as: visitor }, async (page) => {
      const names: string[] = []
      const add = async () => names.push(...(await page.locator('tbody .row-link').allInnerTexts()))
      await page.goto('/consola/agencias?q=orden')
      await page.getByRole('columnheader', { name: 'Agencia' }).getByRole('link').click()
      await page.waitForURL(/orden=nombre/)
      await add()
      for (const count of [50, 60]) {
        await page.getByRole('link', { name: 'Página siguiente →' }).click()
        await page.waitForURL(/despues=/)
        await add()
        assert.equal(names.length, count)
      }
      assert.deepEqual(names, names.toSorted())
      await page.getByRole('link', { name: '← Página anterior' }).click()
      await page.waitForURL(/antes=/)
      assert.deepEqual(await page.locator('tbody .row-link').allInnerTexts(), names.slice(25, 50))
    })
  })
})
