import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { setPaquete } from '../../src/resources/agencias/paquetes.ts'
import { findAgenciaById } from '../../src/resources/agencias/read.ts'
import { listSucursales } from '../../src/resources/sucursales/store.ts'
import { depsOf, makeAgencia, newMail } from './agencia.ts'
import { insertConsulta } from './consulta.ts'
import { unfold, waitForNotice } from './pages.ts'
import type { TestApp, TestServer } from './server.ts'
import { PASSWORD, visitor } from './visitor.ts'

const PLAN = { nombre: 'Plan 50', desde: '2020-01-01', hasta: '2049-12-31', alta: 10, media: 20, baja: 20 }

/** An agency with an app, a package and an inquiry, and its administrator on the first page. */
export async function signInToNewAgencia(server: TestServer, app: TestApp, page: Page) {
  const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
  await setPaquete(server.store, agencia.id, { ...PLAN, consultasDeCatalogo: true })
  const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app })
  await page.goto(`${server.url}/entrar`)
  await page.getByLabel('Correo').fill(mail)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.waitForURL('**/cuenta')
  return { agencia, mail, sid }
}

/** Follows the navigation of the account. */
export async function goTo(page: Page, section: string): Promise<void> {
  await unfold(page, 'Menú')
  await page
    .getByRole('navigation', { name: 'Automotores del Sur' })
    .getByRole('link', { name: section, exact: true })
    .click()
}

/** The agency as stored now. */
export const storedAgencia = async ({ store }: TestServer, id: number) =>
  (await findAgenciaById(store, id)) ?? assert.fail()

/** The daily work of an agency, in the browser. */
export async function dailyWork(server: TestServer, app: TestApp, page: Page): Promise<void> {
  const { agencia, mail } = await signInToNewAgencia(server, app, page)
  await page.getByRole('link', { name: /Lucía Ferreyra/ }).click()
  assert.ok(await page.getByRole('link', { name: 'Llamar al +54 9 341 555-0134' }).isVisible())
  await page.getByRole('button', { name: 'Contactada' }).click()
  await waitForNotice(page, 'Se guardó el estado')
  await page.getByText('Estado: Contactada').waitFor()

  await goTo(page, 'Datos')
  await page.getByLabel('Teléfono (opcional)').fill('011 4000-1234')
  await page.getByLabel('Sitio web (opcional)').fill('www.delsur.example')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await waitForNotice(page, 'Se guardaron los datos')
  assert.ok(await page.getByText('Usted', { exact: true }).isVisible(), 'the history says who')
  const { telefono, sitioWeb } = await storedAgencia(server, agencia.id)
  assert.deepEqual([telefono, sitioWeb], ['011 4000-1234', 'https://www.delsur.example'])

  await goTo(page, 'Sucursales')
  await page.getByRole('link', { name: 'Agregar una sucursal' }).click()
  await page.getByLabel('Nombre de la sucursal').fill('Local Centro')
  await page.getByLabel('Lunes, primer turno, desde').fill('09:00')
  await page.getByLabel('Lunes, primer turno, hasta').fill('18:00')
  await page.getByRole('button', { name: 'Usar de martes a viernes el mismo horario que el lunes' }).click()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await waitForNotice(page, 'Se guardó la sucursal')
  assert.ok(await page.getByText('Lunes a viernes: 9:00 a 18:00').isVisible())
  await page.getByRole('link', { name: 'Cambiar Local Centro' }).click()
  await page.getByLabel('Sábado, primer turno, desde').fill('10:00')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Falta la hora en que cierra').waitFor()
  await page.getByLabel('Sábado, primer turno, hasta').fill('00:00')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await waitForNotice(page, 'Se guardó la sucursal')
  const [place] = await listSucursales(server.store, agencia.id)
  assert.deepEqual(place?.horarios?.Sabado, [{ Desde: '10:00', Hasta: '24:00' }])
  await page.getByRole('link', { name: 'Quitar Local Centro' }).click()
  await page.getByRole('button', { name: 'Sí, quitar' }).click()
  await waitForNotice(page, 'Se quitó la sucursal')
  await page.getByText('Todavía no hay sucursales').waitFor()

  await goTo(page, 'Apps')
  await page.getByText('Cambiar lo que puede hacer').click()
  await page.getByLabel('Ver las consultas de catálogo').check()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await waitForNotice(page, 'Se guardó lo que la app puede hacer')
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Ver las consultas de catálogo$/ })
    .waitFor()

  await goTo(page, 'Colaboradores')
  await page.getByText('Invitar a un colaborador').click()
  await page.getByLabel('Correo de la persona').fill(newMail('nueva'))
  await page.getByRole('button', { name: 'Enviar la invitación' }).click()
  await waitForNotice(page, 'Le enviamos un correo')

  const elsewhere = await visitor(server).enter(mail)
  assert.equal((await elsewhere.get('/cuenta')).status, 200)
  await goTo(page, 'Mi acceso')
  await page.getByRole('button', { name: 'Cerrar todas las demás' }).click()
  await waitForNotice(page, 'Se cerraron las sesiones')
  assert.equal((await elsewhere.get('/cuenta')).status, 303, 'another device has to sign in again')
}
