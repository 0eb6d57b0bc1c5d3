import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../tests/support/browser.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let browser: Browser
before(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('axe finds nothing serious in the reference, long as it is', async () => {
  await onPage(browser, 'reference axe', { viewport: { width: 1440, height: 900 } }, async (page) => {
    await page.goto(`${server.url}/docs`)
    await assertAccessible(page)
  })
})
