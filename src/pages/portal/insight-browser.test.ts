import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { hook, LOOPBACK } from '../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { DESKTOP, download, overflow, TELEPHONE, withOwnClock, withPages } from '../../../tests/support/pages.ts'
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts'
import { untilRecorded } from '../../../tests/support/usage.ts'

const { server, onPage } = withPages({ env: LOOPBACK })
let receiver: Receiver
before(async () => {
  receiver = await openReceiver()
})
after(() => receiver?.close())

/** An app and somebody who works on it. */
async function team(nombre = 'CRM Paraná') {
  const app = await server.newApp({ nombre })
  return { ...app, at: `/portal/${app.app.appKey}`, who: await makeDeveloper(server, app) }
}

describe('an app’s pages in a browser', () => {
  it('a new app’s overview leads on, step by step, and the page of steps follows the app by itself', async () => {
    const { at, who, ...app } = await team()
    await onPage('portal-puesta-en-marcha', { ...DESKTOP, as: who.visitor }, async (page) => {
      await page.goto(at)
      assert.ok(await page.getByRole('heading', { name: 'Siguiente: Hacer una llamada firmada' }).isVisible())
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Ver todos los pasos' }).click()
      await assertAccessible(page)
      const done = page.getByRole('heading', { name: 'Hecho: Hacer una llamada firmada' })
      assert.equal(await done.count(), 0)
      await app.get('/v3/marcas')
      await untilRecorded(server, app, 'firma')
      await done.waitFor()
      assert.ok(await page.getByRole('heading', { name: /^Falta: Preguntar solo por lo que cambió/ }).isVisible())
    })
  })

  it('429: steps that cannot be refreshed stay as they are', async () => {
    const { at, who } = await team()
    await onPage('portal-puesta-en-marcha-error', { ...DESKTOP, as: who.visitor }, async (page) => {
      const { later } = await withOwnClock(page)
      await page.goto(`${at}/puesta-en-marcha`)
      const title = await page.title()
      const body = '<!doctype html><title>Error</title><h1>Demasiadas solicitudes</h1>'
      await page.route('**/puesta-en-marcha', (route) => route.fulfill({ status: 429, contentType: 'text/html', body }))
      for (let polls = 0; polls < 2; polls++)
        await Promise.all([page.waitForResponse((response) => response.status() === 429), later(4)])
      assert.deepEqual([await page.title(), await page.getByRole('heading', { level: 1 }).count()], [title, 1])
      assert.equal(await page.getByText('Demasiadas solicitudes').count(), 0)
      assert.ok(await page.getByRole('heading', { name: /Hacer una llamada firmada/ }).isVisible())
    })
  })

  it('a wrongly signed event is sent with one button, and its outcome stands there', async () => {
    const { at, who, ...app } = await team()
    await hook(server, app, 'consulta.recibida', receiver.url)
    receiver.answer(({ headers }) => (headers['webhook-signature'] ? 401 : 200))
    await onPage('portal-firma-falsa', { ...DESKTOP, as: who.visitor }, async (page) => {
      await page.goto(`${at}/puesta-en-marcha`)
      await page.getByRole('button', { name: 'Enviar una notificación con firma falsa' }).click()
      await page.getByText('Su receptor rechazó la firma falsa, como corresponde.').waitFor()
      assert.ok(await page.getByText('respondió 401').isVisible())
      await assertAccessible(page)
    })
    receiver.release()
  })

  it('usage is chosen by hour or day and can be read without seeing it; nothing is wider than a telephone', async () => {
    const { at, who, app } = await team('Una app con un nombre bastante largo para un teléfono')
    await server.store.query(sql`
      insert into app_usage (app_id, hora, solicitudes, errores, limitadas, entregadas, intentos_fallidos, abandonadas)
      select ${app.id}, date_trunc('hour', now()) - h * interval '1 hour', 900 + h * 13, 9, 1, 70 + h, h % 5, h % 2
      from generate_series(0, 47) h`)
    await onPage('portal-uso', { ...DESKTOP, as: who.visitor }, async (page) => {
      await page.goto(at)
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Llamadas a la API', exact: true }).click()
      assert.ok(await page.getByRole('img', { name: /^Llamadas por hora: [\d.]+ en total/ }).isVisible())
      await page.getByRole('link', { name: 'Por día, 30 días' }).click()
      assert.ok(await page.getByRole('img', { name: /^Entregas por día/ }).isVisible())
      assert.equal((await download(page)).lines.length, 31, 'thirty days and what they are called')
      await assertAccessible(page)
    })
    await onPage('portal-telefono', { ...TELEPHONE, as: who.visitor, colorScheme: 'dark' }, async (page) => {
      for (const section of ['', '/uso', '/puesta-en-marcha']) {
        await page.goto(at + section)
        assert.equal(await overflow(page), 0, section)
        await assertAccessible(page)
      }
    })
  })
})
