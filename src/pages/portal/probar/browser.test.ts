import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { depsOf, makeAgencia } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { DESKTOP, download, overflow, TELEPHONE, withPages } from '../../../../tests/support/pages.ts'

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
        await page.getByRole('status').getByText('200', { exact: true }).waitFor()
      })
  })

  it('a refused call is found in the log, repeated with another agency, saved by name and sent again', async () => {
    const app = await server.newApp()
    const { mail } = await makeAgencia(depsOf(server), app.app)
    const who = await makeDeveloper(server, app)
    await app.get(`/v3/publicaciones/${mail}?estado=ninguno`)
    await app.get('/v3/colores')
    const at = `/portal/${app.app.appKey}`
    for (const options of [DESKTOP, TELEPHONE])
      await onPage('portal-llamadas', { ...options, as: who.visitor }, async (page) => {
        await page.goto(`${at}/llamadas`)
        await page.getByRole('link', { name: '7 días' }).waitFor()
        assert.equal(await page.getByRole('link', { name: '30 días' }).count(), 0, 'they are kept for seven')
        await assertAccessible(page)
        assert.equal(await overflow(page), 0)
        await page.goto(`${at}/llamadas?q=publicaciones&metodo=GET&estado=4`)
        assert.equal((await download(page)).lines.length, 2)
        await page.locator('tbody a').first().click()
        assert.ok(await page.getByText('estado', { exact: true }).first().isVisible())
        const code = page.getByRole('main').getByRole('link', { name: 'opcion' })
        assert.equal(await code.getAttribute('href'), '/problemas/codigos/opcion')
        await assertAccessible(page)
        await page.getByRole('link', { name: 'Probar de nuevo' }).click()
        assert.match(await page.getByLabel('Dirección').inputValue(), /publicaciones.*estado=ninguno/)
        await page.getByLabel('Dirección').fill('/v3/publicaciones/{adminMail}')
        await page.getByLabel('Agencia').selectOption(mail)
        await page.getByText('Guardar esta llamada').click()
        await page.getByLabel('Nombre').fill('Mis avisos')
        await page.getByRole('button', { name: 'Guardar' }).click()
        await page.getByRole('link', { name: /Mis avisos/ }).click()
        await page.getByLabel('Agencia').selectOption(mail)
        await page.getByRole('button', { name: 'Firmar y enviar' }).click()
        await page.getByRole('status').getByText('200', { exact: true }).waitFor()
        await page.goto(`${at}/probar`)
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Quitar Mis avisos' }).click()
        await page.getByText('Se quitó la llamada guardada.').waitFor()
      })
  })
})
