import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { onPage, openBrowser } from '../../tests/support/browser.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { makeStaff, signedInAs } from '../../tests/support/staff.ts'
import { CONSOLE } from './console/place.ts'

const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, javaScriptEnabled: false }

let server: TestServer
let browser: Browser
before(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('on a telephone the strip shows where one is, at whichever end that stands', async () => {
  const { visitor } = await makeStaff(server)
  await onPage(browser, 'consola-telefono', { ...TELEPHONE, ...signedInAs(server, visitor) }, async (page) => {
    for (const { href, label } of [...CONSOLE.entries.slice(0, 1), ...CONSOLE.entries.slice(-2)]) {
      await page.goto(href)
      const box = await page.locator('.place a[aria-current]').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= TELEPHONE.viewport.width, `${label}: ${JSON.stringify(box)}`)
    }
  })
})
