import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { download, follow, isTitled, overflow, press, unfold, withPages } from '../../../tests/support/pages.ts'
import { makeStaff } from '../../../tests/support/staff.ts'

const TELEPHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
} as const

const { server, onPage } = withPages({ worker: {} })

test('a person is forgotten: what it reaches is seen first, and the receipt after', async () => {
  const app = await server.newApp()
  const [{ agencia }, sitio, staff] = [
    await makeAgencia(depsOf(server), app.app),
    await server.newSitio(),
    await makeStaff(server),
  ]
  const body = JSON.stringify({
    AdminMail: agencia.adminMail,
    Catalogo: { Marca: 'Fiat', Modelo: 'Cronos' },
    OrigenLead: 'form',
    Interesado: { Nombre: 'Lucía', Email: 'lucia@correo.test' },
  })
  assert.equal((await sitio.call('POST', '/interno/v1/consultas', { body })).status, 201)
  await onPage('supresion', { as: staff.visitor, ...TELEPHONE }, async (page) => {
    await page.goto('/consola')
    await unfold(page, 'Menú')
    await follow(page, 'Borrado de datos')
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
    await press(page, 'Ver qué se borra')
    await page.getByRole('link', { name: 'Indique el correo o el teléfono' }).waitFor()
    await page.getByLabel('Correo de la persona').fill('lucia@correo.test')
    await press(page, 'Ver qué se borra')
    await page.getByText('1 consulta en 1 agencia').waitFor()
    await assertAccessible(page)
    await press(page, 'Borrar los datos de esta persona')
    await isTitled(page, 'Constancia de borrado')
    await assertAccessible(page)
    assert.equal(await page.getByText('lucia@correo.test').count(), 0)
    await follow(page, 'Borrado de datos')
    assert.equal(await page.getByRole('row').filter({ hasText: 'Sol Vega' }).count(), 1)
    assert.equal((await download(page)).lines.length, 2)
  })
})
