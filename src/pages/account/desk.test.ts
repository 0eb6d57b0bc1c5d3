import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { works } from '../../../tests/support/agency-account.ts'
import { onPage, openBrowser } from '../../../tests/support/browser.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'

const DESK = { viewport: { width: 1280, height: 900 }, locale: 'es-AR' }

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

test('an administrator does a morning’s work at a desk', () =>
  onPage(browser, 'cuenta-escritorio', DESK, (page) => works(server, app, page)))
