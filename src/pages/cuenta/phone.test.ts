import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dailyWork, goTo, signInToNewAgencia, storedAgencia } from '../../../tests/support/agency-account.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { TELEPHONE, waitForNotice, withPages } from '../../../tests/support/pages.ts'
import type { TestApp } from '../../../tests/support/server.ts'

const { server, onPage } = withPages()
let app: TestApp
before(async () => {
  app = await server.newApp({ nombre: 'Gestor Norte' })
})

test('an administrator does a morning’s work on a telephone without JavaScript', () =>
  onPage('cuenta-telefono', { ...TELEPHONE, javaScriptEnabled: false }, (page) => dailyWork(server, app, page)))

test('a city in another region than the chosen one is asked about, and one touch answers', async () => {
  await onPage('cuenta-ciudad', TELEPHONE, async (page) => {
    const { agencia } = await signInToNewAgencia(server, app, page)
    await goTo(page, 'Datos')
    await page.getByLabel(/^Provincia/).selectOption('Santa Fe')
    await page.getByRole('button', { name: 'Guardar' }).click()
    const question = page.getByRole('group', { name: '¿Es esta?' })
    await assertAccessible(page, 'a question about a city')
    await question.getByLabel('Temperley (Buenos Aires)').check()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await waitForNotice(page, 'Se guardaron los datos')
    assert.equal((await storedAgencia(server, agencia.id)).region, 'Buenos Aires')
  })
})
