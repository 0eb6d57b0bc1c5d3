import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { entered, goTo, inHand, told, works } from '../../../tests/support/agency-account.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../tests/support/browser.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'es-AR' }

let server: TestServer
let browser: Browser
let app: TestApp
before(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  app = await server.newApp({ nombre: 'Gestor Norte' })
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('an administrator does a morning’s work on a telephone without JavaScript', () =>
  onPage(browser, 'cuenta-telefono', { ...TELEPHONE, javaScriptEnabled: false }, (page) => works(server, app, page)))

test('a city in another region than the chosen one is asked about, and one touch answers', async () => {
  await onPage(browser, 'cuenta-ciudad', TELEPHONE, async (page) => {
    const { agencia } = await entered(server, app, page)
    await goTo(page, 'Datos')
    await page.getByLabel(/^Provincia o región/).selectOption('Santa Fe')
    await page.getByRole('button', { name: 'Guardar' }).click()
    const asked = page.getByRole('group', { name: '¿Es esta?' })
    await assertAccessible(page, 'a question about a city')
    await asked.getByLabel('Temperley (Buenos Aires)').check()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await told(page, 'Se guardaron los datos')
    assert.equal((await inHand(server, agencia.id)).region, 'Buenos Aires')
  })
})
