import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertEvents } from '../../src/webhooks/events.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, makeAgencia } from '../support/agencia.ts'
import { assertAccessible } from '../support/axe.ts'
import { eventOf, hook, LOOPBACK, makeDue } from '../support/deliveries.ts'
import { makeDeveloper } from '../support/developer.ts'
import { follow, isTitled, onPageOf, overflow, press, refused, waitForNotice } from '../support/pages.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const TOPIC = 'consulta.recibida'
const NARROW = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 900 }
/** What may differ on a wider screen. */
const OF_ROOM = ['color-contrast', 'scrollable-region-focusable']

describe('story: two endpoints of one topic in the portal', () => {
  let server: TestServer
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK, worker: {} })
  })
  after(async () => {
    await server?.stop()
    await receiver?.close()
  })

  /** Of one agency, each in a transaction of its own: the order of the feed. */
  async function publish(app: TestApp, agenciaId: number, count: number): Promise<string[]> {
    const events = Array.from({ length: count }, () => eventOf(app.app.id, TOPIC, { agenciaId }))
    for (const event of events) await server.store.transaction((tx) => insertEvents(tx, [event]))
    return events.map(({ id }) => id)
  }

  /** On a telephone, where the story takes place, and at a desk. */
  async function check(page: Page): Promise<void> {
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
    await page.setViewportSize(WIDE)
    assert.equal(await overflow(page), 0)
    await assertAccessible(page, 'a wide screen', OF_ROOM)
    await page.setViewportSize(NARROW)
  }

  it('one fails and the other gets everything; the ordered one then gets all in order', async () => {
    const app = await server.newApp()
    const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
    const { visitor } = await makeDeveloper(server, app)
    const path = (name: string) => `/${name}`
    const idsAt = (name: string, ids: string[]) =>
      receiver.received.filter((each) => each.path === path(name) && ids.includes(each.id)).map(({ id }) => id)
    await hook(server, app, TOPIC, receiver.url + path('crm'), { Description: 'CRM' })
    const webhooks = `/portal/${app.app.appKey}/webhooks`

    const screen = { viewport: NARROW, hasTouch: true, isMobile: true }
    await onPageOf(server, 'portal-destinos', { as: visitor, ...screen }, async (page) => {
      await page.goto(`${webhooks}/${TOPIC}`)
      await follow(page, 'Agregar otro destino')
      await check(page)
      await page.getByLabel('Dirección de su receptor').fill(receiver.url + path('planilla'))
      await page.getByLabel('Nombre').fill('Planilla')
      await page.getByLabel('Solo algunas').check()
      await page.getByLabel('Correos de las agencias').fill('nadie@agencia.test')
      await page.getByLabel('Entregar en orden').check()
      await press(page, 'Agregar')
      await refused(page, 'nadie@agencia.test: No existe esa agencia para la app.')
      await check(page)
      await page.getByLabel('Correos de las agencias').fill(mail)
      await press(page, 'Agregar')
      await page.getByText(/^whsec_/).waitFor()
      await press(page, 'Enviar una notificación de prueba')
      await page.getByText('El receptor la aceptó.').waitFor()

      let isDown = true
      receiver.answer(({ path: to }) => (isDown && to === path('planilla') ? 500 : 200))
      const ids = await publish(app, agencia.id, 3)
      await until(() => idsAt('crm', ids).length === ids.length && idsAt('planilla', ids).length > 0)

      await until(async () => {
        await page.goto(webhooks)
        const card = page.getByRole('listitem').filter({ hasText: `${TOPIC}: Planilla` })
        return (await card.getByText('fallando', { exact: true }).count()) === 1
      })
      const crm = page.getByRole('listitem').filter({ hasText: `${TOPIC}: CRM` })
      assert.equal(await crm.getByText('bien', { exact: true }).count(), 1)
      await check(page)
      await follow(page, `${TOPIC}: Planilla`)
      await isTitled(page, `${TOPIC}: Planilla`)
      await page.getByText('Los eventos de cada agencia llegan de a uno.').waitFor()
      await check(page)
      await follow(page, 'Ver todas sus entregas')
      const badges = page.locator('tbody .badge')
      await badges.getByText('reintentando', { exact: true }).waitFor()
      assert.equal(await badges.getByText('pendiente', { exact: true }).count(), 2, 'the later ones wait for it')

      isDown = false
      await until(async () => {
        await makeDue(server)
        return idsAt('planilla', ids).includes(ids[2] as string)
      })
      assert.deepEqual([...new Set(idsAt('planilla', ids))], ids, 'in the order of the feed')
      await page.reload()
      await badges.getByText('entregada', { exact: true }).nth(3).waitFor() // with the test
      await page.locator('tbody a').first().click()
      await page.getByRole('link', { name: 'Destino 2' }).click()

      await edits(page)
      await press(page, 'Suspender')
      await waitForNotice(page, 'Se suspendió el webhook')
      await press(page, 'Reanudar')
      await waitForNotice(page, 'Se reanudó el webhook: vuelve a recibir notificaciones.')
      await follow(page, 'Eliminar')
      await press(page, 'Sí, eliminar')
      await waitForNotice(page, 'Se eliminó el webhook.')
      assert.equal((await app.get(`/v3/appnotificaciones/${TOPIC}/destinos`)).json._entries.length, 1)
    })

    async function edits(page: Page): Promise<void> {
      await follow(page, 'Editar')
      await check(page)
      await page.getByLabel('Todas').check()
      await page.getByLabel('Entregar en orden').uncheck()
      await press(page, 'Guardar')
      await waitForNotice(page, 'Se guardó la configuración.')
      const { json } = await app.get(`/v3/appnotificaciones/${TOPIC}/destinos/2`)
      assert.deepEqual([json.Agencias, json.EnOrden, json.Version, json.Description], [null, false, 1, 'Planilla'])
      await follow(page, 'Cambiar el Secret')
      await press(page, 'Guardar')
      await page.getByText(/^whsec_/).waitFor()
      await follow(page, 'Ir al webhook')
    }
  })
})
