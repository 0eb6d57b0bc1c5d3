import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { makeAgencia, needsOf, newMail } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { onPage, openBrowser } from '../../../tests/support/browser.ts'
import { keepConsulta } from '../../../tests/support/consulta.ts'
import { PASSWORD } from '../../../tests/support/people.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { setPackage } from '../../resources/agencias/packages.ts'
import { findAgenciaById } from '../../resources/agencias/store.ts'
import { listSucursales } from '../../resources/sucursales/store.ts'

const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'es-AR' }
const DESK = { viewport: { width: 1280, height: 900 }, locale: 'es-AR' }
const PLAN = { nombre: 'Plan 50', desde: '2020-01-01', hasta: '2049-12-31', alta: 10, media: 20, baja: 20 }

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

/** An agency with an app, a package and somebody who asks, and its administrator at the first page. */
async function entered(page: Page) {
  const { agencia, mail } = await makeAgencia(needsOf(server), app.app)
  await setPackage(server.store, agencia.id, { ...PLAN, consultasDeCatalogo: true })
  const { sid } = await keepConsulta(server.store, { agencia, fuente: app.app })
  await page.goto(`${server.url}/entrar`)
  await page.getByLabel('Correo').fill(mail)
  await page.getByLabel('Clave', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.waitForURL('**/cuenta')
  return { agencia, mail, sid }
}

const goTo = (page: Page, section: string) =>
  page
    .getByRole('navigation', { name: 'Automotores del Sur' })
    .getByRole('link', { name: section, exact: true })
    .click()
const told = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor()
const inHand = async (id: number) => (await findAgenciaById(server.store, id)) ?? assert.fail()

/** A morning of somebody who runs an agency, by what can be read on the pages. */
async function works(options: BrowserContextOptions, name: string): Promise<void> {
  await onPage(browser, name, options, async (page) => {
    const { agencia } = await entered(page)
    await page.getByRole('link', { name: /Lucía Ferreyra/ }).click()
    assert.ok(await page.getByRole('link', { name: 'Llamar al +54 9 341 555-0134' }).isVisible())
    await page.getByRole('button', { name: 'Contactada' }).click()
    await told(page, 'Se guardó el estado')

    await goTo(page, 'Datos')
    await page.getByLabel('Teléfono (opcional)').fill('011 4000-1234')
    await page.getByLabel('Sitio web (opcional)').fill('www.delsur.example')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await told(page, 'Se guardaron los datos')
    assert.ok(await page.getByText('Usted', { exact: true }).isVisible(), 'the history says who')
    const { telefono, sitioWeb } = await inHand(agencia.id)
    assert.deepEqual([telefono, sitioWeb], ['011 4000-1234', 'https://www.delsur.example'])

    await goTo(page, 'Sucursales')
    await page.getByRole('link', { name: 'Agregar una sucursal' }).click()
    await page.getByLabel('Nombre de la sucursal').fill('Local Centro')
    await page.getByLabel('Lunes, primer turno, desde').fill('09:00')
    await page.getByLabel('Lunes, primer turno, hasta').fill('18:00')
    await page.getByRole('button', { name: 'Repetir el lunes de martes a viernes' }).click()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await told(page, 'Se guardó la sucursal')
    assert.ok(await page.getByText('Lunes a viernes: 9:00 a 18:00').isVisible())
    await page.getByRole('link', { name: 'Cambiar Local Centro' }).click()
    await page.getByLabel('Sábado, primer turno, desde').fill('10:00')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Falta la hora en que cierra').waitFor()
    await page.getByLabel('Sábado, primer turno, hasta').fill('00:00')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await told(page, 'Se guardó la sucursal')
    const [place] = await listSucursales(server.store, agencia.id)
    assert.deepEqual(place?.horarios?.Sabado, [{ Desde: '10:00', Hasta: '24:00' }])
    await page.getByRole('link', { name: 'Quitar Local Centro' }).click()
    await page.getByRole('button', { name: 'Sí, quitar' }).click()
    await told(page, 'La sucursal se quitó')

    await goTo(page, 'Apps')
    await page.getByText('Cambiar lo que puede hacer').click()
    await page.getByLabel('Ver las consultas de catálogo').check()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await told(page, 'Se guardó lo que la app puede hacer')

    await goTo(page, 'Colaboradores')
    await page.getByText('Invitar a un colaborador').click()
    await page.getByLabel('Correo de la persona').fill(newMail('nueva'))
    await page.getByRole('button', { name: 'Enviar la invitación' }).click()
    await told(page, 'Le enviamos un correo')

    await goTo(page, 'Mi acceso')
    await page.getByRole('button', { name: 'Cerrar todas las sesiones' }).click()
    await told(page, 'Se cerraron las sesiones')
  })
}

test('an administrator does a morning’s work at a desk', () => works(DESK, 'cuenta-escritorio'))

test('and on a telephone without JavaScript', () =>
  works({ ...TELEPHONE, javaScriptEnabled: false }, 'cuenta-telefono-sin-javascript'))

test('a city in another region than the chosen one is asked about, and one touch answers', async () => {
  await onPage(browser, 'cuenta-ciudad', TELEPHONE, async (page) => {
    const { agencia } = await entered(page)
    await goTo(page, 'Datos')
    await page.getByLabel(/^Provincia o región/).selectOption('Santa Fe')
    await page.getByRole('button', { name: 'Guardar' }).click()
    const asked = page.getByRole('group', { name: '¿Es esta?' })
    await assertAccessible(page, 'a question about a city')
    await asked.getByLabel('Temperley (Buenos Aires)').check()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await told(page, 'Se guardaron los datos')
    assert.equal((await inHand(agencia.id)).region, 'Buenos Aires')
  })
})

test('inquiries are downloaded for a spreadsheet', async () => {
  await onPage(browser, 'cuenta-csv', DESK, async (page) => {
    await entered(page)
    await goTo(page, 'Consultas')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Bajar para una planilla (CSV)' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^consultas-\d{4}-\d\d-\d\d\.csv$/)
  })
})

test('who works at two agencies goes from one to the other, and what they see is of the one they are at', async () => {
  await onPage(browser, 'cuenta-dos-agencias', DESK, async (page) => {
    const { mail } = await entered(page)
    const other = await makeAgencia(needsOf(server), app.app, { Nombre: 'Autos Vecinos' })
    await server.store.query(sql`
      insert into operadores select ${other.agencia.id}, id, 'vendedor' from accounts where email = ${mail}`)
    await page.reload()
    await page.getByRole('link', { name: 'Ir a Autos Vecinos' }).click()
    await page.getByRole('heading', { level: 1, name: 'Autos Vecinos' }).waitFor()
    await page.getByRole('link', { name: 'Datos', exact: true }).click()
    assert.equal(await page.getByRole('button', { name: 'Guardar' }).count(), 0, 'a vendedor reads')
    await page.getByRole('link', { name: 'Ir a Automotores del Sur' }).click()
    await page.getByRole('heading', { level: 1, name: 'Automotores del Sur' }).waitFor()
  })
})
