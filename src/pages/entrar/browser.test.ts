import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { fill, follow, isTitled, overflow, press, refused, signOut, withPages } from '../../../tests/support/pages.ts'
import { makeAccount, PASSWORD } from '../../../tests/support/visitor.ts'
import { firstStaffToken } from '../../accounts/staff.ts'

const TELEPHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
} as const

const { server, onPage } = withPages({ worker: {} })

test('from the link of the first start to the console, by labels alone, on a telephone', async () => {
  const token = await firstStaffToken(server.store)
  await onPage('personal-primera', TELEPHONE, async (page) => {
    await page.goto(`/personal/${token}`)
    await assertAccessible(page)
    await fill(page, { Correo: 'sol@mercado.test', Nombre: 'Sol', Apellido: 'Vega', 'Elija una contraseña': PASSWORD })
    await press(page, 'Continuar')
    await isTitled(page, 'Proteja su cuenta')
    assert.ok(await page.getByRole('img', { name: 'Código QR para la app de códigos' }).isVisible())
    await assertAccessible(page)
    await page.getByText('No puedo escanearlo').click()
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    await page.getByLabel('Código para sol@mercado.test').fill('000000')
    await press(page, 'Confirmar')
    await page.getByRole('alert').getByText('El código no coincide').waitFor()
    await page.getByLabel('Código para sol@mercado.test').fill(new TOTP({ secret }).generate())
    await press(page, 'Confirmar')
    await isTitled(page, 'Guarde sus códigos de recuperación')
    await assertAccessible(page)
    const codes = await page
      .getByRole('list', { name: 'Códigos de recuperación' })
      .getByRole('listitem')
      .allInnerTexts()
    assert.equal(codes.length, 10)
    await follow(page, 'Ya los guardé, continuar')
    await isTitled(page, 'Resumen')
    assert.equal(await overflow(page), 0)
    await assertAccessible(page)

    await signOut(page)
    await fill(page, { Correo: 'sol@mercado.test', Contraseña: PASSWORD })
    await press(page, 'Entrar')
    await isTitled(page, 'Segundo paso')
    await assertAccessible(page)
    await fill(page, { Código: codes[0] ?? '' })
    await press(page, 'Entrar')
    await isTitled(page, 'Mi acceso')
    assert.ok(await page.getByText('Le quedan 9 códigos').isVisible())
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
  })
})

test('who forgot the password gets a link by mail, chooses another, and is in; the link is good once', async () => {
  const email = 'olvido@agencia.test'
  await makeAccount(server, { email })
  await onPage('olvide-mi-clave', TELEPHONE, async (page) => {
    await page.goto('/entrar')
    await follow(page, 'Olvidé mi contraseña')
    await fill(page, { 'Correo de su cuenta': 'olvido' })
    await press(page, 'Enviar el enlace')
    await refused(page, 'Escriba el correo de su cuenta')
    await fill(page, { 'Correo de su cuenta': email })
    await press(page, 'Enviar el enlace')
    await isTitled(page, 'Revise su correo')
    const [sentEmail] = await server.emails(email)
    const link = /\/clave\/[\w-]{43}/.exec(sentEmail?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    await isTitled(page, 'Elegir una contraseña')
    await assertAccessible(page)
    await fill(page, { 'Contraseña nueva': 'corta' })
    await press(page, 'Guardar y entrar')
    await refused(page, 'al menos 8')
    await fill(page, { 'Contraseña nueva': 'otra frase, más larga' })
    await press(page, 'Guardar y entrar')
    await page.waitForURL('**/cuenta')
    await page.goto(link)
    await isTitled(page, 'El enlace ya no sirve')
  })
})
