import { test } from 'node:test'
import { newMail } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { fill, follow, press, refused, signOut, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'

const NEXT = 'otra frase, más larga'
const { server, onPage } = withPages()

test('a person changes name and password, is told what is wrong, and signs in with the new one', async () => {
  const email = newMail('propia')
  await makeAccount(server, { email })
  await onPage('mi-acceso', { as: await visitor(server).enter(email) }, async (page) => {
    await page.goto('/cuenta/acceso')
    await fill(page, { Apellido: '' })
    await press(page, 'Guardar')
    await refused(page, 'Escriba su apellido')
    await assertAccessible(page)
    await fill(page, { Apellido: 'Paz Ferreyra' })
    await press(page, 'Guardar')
    await waitForNotice(page, 'Se guardó su nombre')
    await page.getByText('Ana Paz Ferreyra').waitFor()

    await follow(page, 'Cambiar la contraseña')
    await fill(page, { 'Contraseña actual': 'no es esta', 'Contraseña nueva': 'corta' })
    await press(page, 'Guardar')
    await refused(page, 'No es su contraseña actual')
    await refused(page, 'al menos 8')
    await assertAccessible(page)
    await fill(page, { 'Contraseña actual': PASSWORD, 'Contraseña nueva': NEXT })
    await press(page, 'Guardar')
    await waitForNotice(page, 'Se cambió su contraseña')

    await signOut(page)
    await fill(page, { Correo: email, Contraseña: PASSWORD })
    await press(page, 'Entrar')
    await page.getByRole('alert').waitFor()
    await fill(page, { Contraseña: NEXT })
    await press(page, 'Entrar')
    await page.waitForURL('**/cuenta')
  })
})
