import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { DESK, fill, follow, isTitled, press, withPages } from '../../../../tests/support/pages.ts'
import { makeStaff } from '../../../../tests/support/staff.ts'

const { server, onPage } = withPages({ worker: {} })

test('the staff asks somebody, reads the letter that was kept, resets, removes, and finds it all in the audit log', async () => {
  const [boss, other] = [await makeStaff(server), await makeStaff(server, { nombre: 'Eva', apellido: 'Luz' })]
  await onPage('personal-consola', { as: boss.visitor, ...DESK }, async (page) => {
    await page.goto('/consola')
    await follow(page, 'Personal')
    await fill(page, { Correo: 'nueva@mercado.test' })
    await press(page, 'Enviar la invitación')
    await page.getByRole('status').getByText('Le enviamos un correo').waitFor()
    await assertAccessible(page)

    await follow(page, 'Correos')
    await fill(page, { 'Para (correo exacto)': 'nueva@mercado.test' })
    await press(page, 'Buscar')
    await assertAccessible(page)
    await follow(page, 'Invitación al personal')
    await isTitled(page, /le invita al personal de Rodado/)
    const letter = page.frameLocator('iframe')
    await letter.getByRole('heading', { name: 'Súmese al personal' }).waitFor()
    await assertAccessible(page)

    await follow(page, 'Personal')
    await follow(page, 'Reiniciar el segundo paso de Eva Luz')
    await isTitled(page, '¿Reiniciar el segundo paso de Eva Luz?')
    await assertAccessible(page)
    await press(page, 'Sí, reiniciar')
    await page.getByRole('status').getByText('se reinició').waitFor()
    await follow(page, 'Quitar a Eva Luz')
    await press(page, 'Sí, quitar')
    await page.getByRole('status').getByText('ya no es del personal').waitFor()
    assert.equal(await page.getByText(other.email).count(), 0)
    await press(page, 'Retirar la invitación a nueva@mercado.test')
    await page.getByRole('status').getByText('se retiró').waitFor()

    await follow(page, 'Auditoría')
    await page.getByLabel('Acto', { exact: true }).selectOption({ label: 'Quitó a alguien del personal' })
    await press(page, 'Buscar')
    const row = page.getByRole('row').filter({ hasText: 'Eva Luz' })
    assert.ok((await row.innerText()).includes('Sol Vega'))
    await assertAccessible(page)
  })
})
