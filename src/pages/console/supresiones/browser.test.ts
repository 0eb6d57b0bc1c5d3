import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { makeAgencia, needsOf } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../../tests/support/browser.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { makeStaff, signedInAs } from '../../../../tests/support/staff.ts'

const TELEPHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
} as const

let server: TestServer
let browser: Browser
before(async () => {
  ;[server, browser] = await Promise.all([startServer({ worker: {} }), openBrowser()])
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name }).first().click()
const isTitled = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

test('a person is forgotten: what it reaches is seen first, and the receipt after', async () => {
  const app = await server.newApp()
  const [{ agencia }, sitio, staff] = [
    await makeAgencia(needsOf(server), app.app),
    await server.newSitio(),
    await makeStaff(server),
  ]
  const body = JSON.stringify({
    ...{ AdminMail: agencia.adminMail, Catalogo: { Marca: 'Fiat', Modelo: 'Cronos' }, OrigenLead: 'form' },
    Interesado: { Nombre: 'Lucía', Email: 'lucia@correo.test' },
  })
  assert.equal((await sitio.call('POST', '/interno/v1/consultas', { body })).status, 201)
  await onPage(browser, 'supresion', { ...signedInAs(server, staff.visitor), ...TELEPHONE }, async (page) => {
    await page.goto('/consola')
    await follow(page, 'Supresiones')
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
    await press(page, 'Ver qué alcanza')
    await page.getByRole('link', { name: 'Indique el correo o el teléfono' }).waitFor()
    await page.getByLabel('Correo de la persona').fill('lucia@correo.test')
    await press(page, 'Ver qué alcanza')
    await page.getByText('1 consulta en 1 agencia').waitFor()
    await assertAccessible(page)
    await press(page, 'Sí, suprimir para siempre')
    await isTitled(page, 'Constancia de supresión')
    await assertAccessible(page)
    assert.equal(await page.getByText('lucia@correo.test').count(), 0)
    await follow(page, 'Supresiones')
    assert.equal(await page.getByRole('row').filter({ hasText: 'Sol Vega' }).count(), 1)
  })
})
