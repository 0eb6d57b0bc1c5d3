import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { goTo, signInToNewAgencia, storedAgencia } from '../../../tests/support/agency-account.ts'
import { DESKTOP, download, search, waitForNotice, withPages } from '../../../tests/support/pages.ts'
import type { TestApp } from '../../../tests/support/server.ts'
import { PASSWORD } from '../../../tests/support/visitor.ts'

const { server, onPage } = withPages()
let app: TestApp
before(async () => {
  app = await server.newApp({ nombre: 'Gestor Norte' })
})

test('inquiries are searched by words, and what was found is downloaded for a spreadsheet', async () => {
  await onPage('cuenta-csv', DESKTOP, async (page) => {
    await signInToNewAgencia(server, app, page)
    await goTo(page, 'Consultas')
    await search(page, { Buscar: 'nadie así' })
    await page.getByText('No hay consultas con esos filtros').waitFor()
    await search(page, { Buscar: 'ferreyra' })
    await page.getByRole('link', { name: /Lucía Ferreyra/ }).waitFor()
    const { name, lines } = await download(page, 'Descargar CSV')
    assert.match(name, /^consultas-\d{4}-\d\d-\d\d\.csv$/)
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /Ferreyra/)
  })
})

test('who works at two agencies goes from one to the other, and what they see is of the one they are at', async () => {
  await onPage('cuenta-dos-agencias', DESKTOP, async (page) => {
    const { mail } = await signInToNewAgencia(server, app, page)
    const other = await makeAgencia(depsOf(server), app.app, { Nombre: 'Autos Vecinos' })
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

test('a form that comes when the session has ended says that nothing was kept, and leads back to itself', async () => {
  await onPage('cuenta-sesion-terminada', DESKTOP, async (page) => {
    const { agencia, mail } = await signInToNewAgencia(server, app, page)
    await goTo(page, 'Datos')
    await page.getByLabel('Nombre', { exact: true }).fill('Otro nombre')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await waitForNotice(page, 'lo último que envió no se guardó')
    assert.equal((await storedAgencia(server, agencia.id)).nombre, 'Automotores del Sur')
    await page.getByLabel('Correo').fill(mail)
    await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('heading', { level: 1, name: 'Datos' }).waitFor()
  })
})
