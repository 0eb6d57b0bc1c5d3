import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../tests/support/browser.ts'
import { PASSWORD } from '../../../tests/support/people.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { firstStaffToken } from '../../accounts/join-staff.ts'

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

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name }).first().click()
const isTitled = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

test('from the link of the first start to the console, by labels alone, on a telephone', async () => {
  const token = await firstStaffToken(server.store)
  await onPage(browser, 'personal-primera', { ...TELEPHONE, baseURL: server.url }, async (page) => {
    await page.goto(`/personal/${token}`)
    await assertAccessible(page)
    await fill(page, { Correo: 'sol@mercado.test', Nombre: 'Sol', Apellido: 'Vega', 'Elija una clave': PASSWORD })
    await press(page, 'Continuar')
    await isTitled(page, 'Proteja su cuenta')
    assert.ok(await page.getByRole('img', { name: 'Código QR para la app de códigos' }).isVisible())
    await assertAccessible(page)
    await page.getByText('No puedo escanearlo').click()
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    await page.getByLabel('Código para sol@mercado.test').fill('000000')
    await press(page, 'Confirmar')
    await page.getByRole('alert').getByText('El código no coincide').waitFor()
    await page.getByLabel('Código para sol@mercado.test').fill(new TOTP({ secret }).generate())
    await press(page, 'Confirmar')
    await isTitled(page, 'Guarde sus códigos de recuperación')
    await assertAccessible(page)
    const codes = await page
      .getByRole('list', { name: 'Códigos de recuperación' })
      .getByRole('listitem')
      .allInnerTexts()
    assert.equal(codes.length, 10)
    await follow(page, 'Ya los guardé, continuar')
    await isTitled(page, 'Resumen')
    assert.equal(await overflow(page), 0)
    await assertAccessible(page)

    await press(page, 'Salir')
    await fill(page, { Correo: 'sol@mercado.test', Clave: PASSWORD })
    await press(page, 'Entrar')
    await isTitled(page, 'Segundo paso')
    await assertAccessible(page)
    await fill(page, { Código: codes[0] ?? '' })
    await press(page, 'Entrar')
    await isTitled(page, 'Mi segundo paso')
    assert.ok(await page.getByText('Le quedan 9 códigos').isVisible())
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
  })
})
