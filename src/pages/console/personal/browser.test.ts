import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../../tests/support/browser.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { makeStaff, signedInAs } from '../../../../tests/support/staff.ts'

const DESK = { viewport: { width: 1280, height: 900 } }

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

test('the staff asks somebody, reads the letter that was kept, resets, removes, and finds it all in the audit log', async () => {
  const [boss, other] = [await makeStaff(server), await makeStaff(server, { nombre: 'Eva', apellido: 'Luz' })]
  await onPage(browser, 'personal-consola', { ...signedInAs(server, boss.visitor), ...DESK }, async (page) => {
    await page.goto('/consola')
    await follow(page, 'Personal')
    await fill(page, { Correo: 'nueva@mercado.test' })
    await press(page, 'Enviar la invitación')
    await page.getByRole('status').getByText('Le enviamos un correo').waitFor()
    await assertAccessible(page)

    await follow(page, 'Correos')
    await fill(page, { 'Para (correo exacto)': 'nueva@mercado.test' })
    await press(page, 'Buscar')
    await assertAccessible(page)
    await follow(page, 'Invitación al personal')
    await isTitled(page, /le invita al personal de Rodado/)
    const letter = page.frameLocator('iframe')
    await letter.getByRole('heading', { name: 'Súmese al personal' }).waitFor()
    await assertAccessible(page)

    await follow(page, 'Personal')
    await follow(page, 'Reiniciar el segundo paso de Eva Luz')
    await isTitled(page, '¿Reiniciar el segundo paso de Eva Luz?')
    await assertAccessible(page)
    await press(page, 'Sí, reiniciar')
    await page.getByRole('status').getByText('se reinició').waitFor()
    await follow(page, 'Quitar a Eva Luz')
    await press(page, 'Sí, quitar')
    await page.getByRole('status').getByText('ya no es del personal').waitFor()
    assert.equal(await page.getByText(other.email).count(), 0)
    await press(page, 'Retirar la invitación a nueva@mercado.test')
    await page.getByRole('status').getByText('se retiró').waitFor()

    await follow(page, 'Auditoría')
    await page.getByLabel('Acto', { exact: true }).selectOption({ label: 'Quitó a alguien del personal' })
    await press(page, 'Buscar')
    const row = page.getByRole('row').filter({ hasText: 'Eva Luz' })
    assert.ok((await row.innerText()).includes('Sol Vega'))
    await assertAccessible(page)
  })
})
