import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../../tests/support/browser.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { signedInAs } from '../../../../tests/support/staff.ts'

const DESK = { viewport: { width: 1280, height: 900 } }
const TELEPHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark' as const,
}

let server: TestServer
let browser: Browser
before(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

describe('the API tried in a browser', () => {
  it('an example is picked, sent, and a link of its answer followed, on a telephone too', async () => {
    const app = await server.newApp()
    const who = await makeDeveloper(server, app)
    const at = `/portal/${app.app.appKey}/probar`
    const session = signedInAs(server, who.visitor)
    for (const options of [DESK, TELEPHONE])
      await onPage(browser, 'portal-probar', { ...options, ...session }, async (page) => {
        await page.goto(at)
        await assertAccessible(page)
        await page.getByText('Colores', { exact: true }).click()
        await page
          .getByRole('link', { name: /GET Colores/ })
          .first()
          .click()
        assert.equal(await page.getByLabel('Dirección').inputValue(), '/v3/colores')
        await page.getByRole('button', { name: 'Firmar y enviar' }).click()
        await page.getByRole('heading', { name: 'Respuesta' }).waitFor()
        await assertAccessible(page)
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        assert.equal(await page.evaluate(overflow), 0)
        await page
          .getByRole('link', { name: /^"\/v3\/colores\/\d+"$/ })
          .first()
          .click()
        assert.match(await page.getByLabel('Dirección').inputValue(), /^\/v3\/colores\/\d+$/)
        await page.getByRole('status').getByText('200').waitFor()
      })
  })
})
