import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import {
  DESKTOP,
  download,
  fill,
  follow,
  isTitled,
  press,
  refused,
  search,
  waitForNotice,
  withPages,
} from '../../../../tests/support/pages.ts'
import { makeStaff } from '../../../../tests/support/staff.ts'

const { server, onPage } = withPages({ worker: {} })

test('the staff invites a person, reads the stored email, resets, removes, and finds it all in the audit log', async () => {
  const [boss, other] = [await makeStaff(server), await makeStaff(server, { nombre: 'Eva', apellido: 'Luz' })]
  await onPage('personal-consola', { as: boss.visitor, ...DESKTOP }, async (page) => {
    await page.goto('/consola')
    await follow(page, 'Equipo')
    await search(page, { 'Nombre o correo': 'luz' })
    const { lines } = await download(page)
    assert.ok(lines.length === 2 && lines[1]?.includes(other.email))
    await fill(page, { Correo: 'nadie' })
    await press(page, 'Enviar la invitación')
    await refused(page, 'Escriba un correo')
    await fill(page, { Correo: 'nueva@mercado.test' })
    await press(page, 'Enviar la invitación')
    await waitForNotice(page, 'Le enviamos un correo')
    await assertAccessible(page)

    await follow(page, 'Correos')
    await search(page, { 'Para (correo exacto)': 'nueva@mercado.test' })
    await assertAccessible(page)
    await follow(page, 'Invitación al equipo del mercado')
    await isTitled(page, /le invita al equipo de Rodado/)
    const email = page.frameLocator('iframe')
    await email.getByRole('heading', { name: 'Súmese al equipo de Rodado' }).waitFor()
    await assertAccessible(page)

    await follow(page, 'Equipo')
    await follow(page, 'Restablecer el segundo paso de Eva Luz')
    await isTitled(page, '¿Restablecer el segundo paso de Eva Luz?')
    await assertAccessible(page)
    await press(page, 'Sí, restablecer')
    await waitForNotice(page, 'se restableció')
    await page.getByRole('row').filter({ hasText: 'Eva Luz' }).getByText('sin configurar').waitFor()
    await follow(page, 'Quitar a Eva Luz')
    await press(page, 'Sí, quitar')
    await waitForNotice(page, 'Se quitó a esa persona del equipo')
    assert.equal(await page.getByText(other.email).count(), 0)
    await press(page, 'Retirar la invitación a nueva@mercado.test')
    await waitForNotice(page, 'Se retiró la invitación')
    assert.equal(await page.getByText('nueva@mercado.test').count(), 0)

    await follow(page, 'Auditoría')
    await page.getByLabel('Acción', { exact: true }).selectOption({ label: 'Quitó a alguien del equipo del mercado' })
    await page.waitForURL(/acto=/)
    const row = page.getByRole('row').filter({ hasText: 'Eva Luz' })
    assert.ok((await row.innerText()).includes('Sol Vega'))
    await assertAccessible(page)
  })
})

test('staff with a read-only role sees the lists and their filters, and nothing that would be refused', async () => {
  const [reader, other] = [await makeStaff(server), await makeStaff(server, { nombre: 'Ana', apellido: 'Sur' })]
  const buttons = ['Enviar la invitación', 'Restablecer el segundo paso de Ana Sur', 'Quitar a Ana Sur']
  const shown = (page: Page) =>
    Promise.all(buttons.map((name) => page.getByText(name).or(page.getByRole('link', { name })).first().isVisible()))
  await onPage('personal-lectura', { as: reader.visitor, ...DESKTOP }, async (page) => {
    await page.goto('/consola/personal')
    assert.deepEqual(await shown(page), [true, true, true])
    await server.store.query(sql`update staff set rol = 'lectura' where account_id = ${reader.account.id}`)
    await page.reload()
    await page.getByText('Su rol permite ver todo, pero no hacer cambios.').waitFor()
    assert.deepEqual(await shown(page), [false, false, false])
    await search(page, { 'Nombre o correo': 'sur' })
    await page.getByText(other.email).waitFor()
    await assertAccessible(page)
  })
})
