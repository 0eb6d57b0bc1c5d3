import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { insertConsulta } from '../../../tests/support/consulta.ts'
import { overflow, withPages } from '../../../tests/support/pages.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import { setPaquete } from '../../resources/agencias/paquetes.ts'

const PLAN = { nombre: 'Plan 50', desde: '2020-01-01', hasta: '2049-12-31', alta: 10, media: 20, baja: 20 }
/** What may differ in the dark and on a wider screen. */
const OF_COLOUR_AND_ROOM = ['color-contrast', 'scrollable-region-focusable']
const NARROW = { width: 320, height: 640 }
const WIDE = { width: 1280, height: 900 }

const { server, onPage } = withPages()

/** A furnished agency: its administrator, signed in, and every page that there is to see. */
async function furnished() {
  const app = await server.newApp({ nombre: 'Gestor Norte' })
  const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
  await setPaquete(server.store, agencia.id, { ...PLAN, consultasDeCatalogo: true })
  await makePublicacion(server.store, app.app, agencia)
  const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app })
  const place = { Nombre: 'Local Centro', Horarios: { Lunes: [{ Desde: '09:00', Hasta: '18:00' }] } }
  await app.call('POST', `/v3/sucursales/${mail}`, { body: JSON.stringify(place) })
  const pages = [
    '',
    '/consultas',
    `/consultas/${sid}`,
    '/publicaciones',
    '/datos',
    '/sucursales',
    '/sucursales/nueva',
    '/apps',
    `/apps/${app.app.appKey}/terminar`,
    '/colaboradores',
    '/administrador',
    '/acceso',
    '/clave',
    '/reparto',
  ]
  return { administrator: await visitor(server).enter(mail), pages: pages.map((path) => `/cuenta${path}`) }
}

test('every page of the account fits a telephone, and axe finds nothing, in light and in dark', async () => {
  const { administrator, pages } = await furnished()
  await onPage('cuenta-accesible', { as: administrator }, async (page) => {
    for (const path of pages) {
      await page.setViewportSize(NARROW)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      assert.equal(await overflow(page), 0, `${path} is no wider than the screen`)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      await assertAccessible(page)
      await page.setViewportSize(WIDE)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertAccessible(page, `${path} in the dark`, OF_COLOUR_AND_ROOM)
    }
  })
})
