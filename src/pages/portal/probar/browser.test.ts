import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { DESKTOP, overflow, TELEPHONE, withPages } from '../../../../tests/support/pages.ts'

const { server, onPage } = withPages()

describe('the API tried in a browser', () => {
  it('an example is picked, sent, and a link of its answer followed, on a telephone too', async () => {
    const app = await server.newApp()
    const who = await makeDeveloper(server, app)
    const at = `/portal/${app.app.appKey}/probar`
    for (const options of [DESKTOP, { ...TELEPHONE, colorScheme: 'dark' as const }])
      await onPage('portal-probar', { ...options, as: who.visitor }, async (page) => {
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
        assert.equal(await overflow(page), 0)
        await page
          .getByRole('link', { name: /^"\/v3\/colores\/\d+"$/ })
          .first()
          .click()
        assert.match(await page.getByLabel('Dirección').inputValue(), /^\/v3\/colores\/\d+$/)
        await page.getByRole('status').getByText('200').waitFor()
      })
  })
})
