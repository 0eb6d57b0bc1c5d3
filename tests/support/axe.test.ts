import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible } from './axe.ts'
import { onPage, openBrowser } from './browser.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let browser: Browser
before(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** The reference, long as it is, has a column more on the wider screen. In the dark nothing differs but colours. */
const SCREENS = [
  { screen: { colorScheme: 'light', viewport: { width: 1440, height: 900 } }, rules: undefined },
  { screen: { colorScheme: 'dark', viewport: { width: 1280, height: 720 } }, rules: ['color-contrast'] },
] as const

for (const { screen, rules } of SCREENS)
  test(`axe finds nothing serious in the open pages, ${screen.colorScheme}`, () =>
    onPage(browser, `axe-${screen.colorScheme}`, screen, async (page) => {
      for (const path of ['/', '/docs', '/problemas', '/problemas/sin-autorizacion', '/entrar', '/clave']) {
        await page.goto(server.url + path)
        await assertAccessible(page, path, rules && [...rules])
      }
    }))

test('a field without a name is found, so that a page with none is worth something', () =>
  onPage(browser, 'axe-fault', {}, async (page) => {
    await page.goto(`${server.url}/entrar`)
    await page.evaluate('for (const label of document.querySelectorAll("label")) label.remove()')
    await assert.rejects(assertAccessible(page), /label/)
  }))
