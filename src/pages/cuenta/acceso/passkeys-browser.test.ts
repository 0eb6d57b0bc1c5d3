import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { newMail } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { freePort } from '../../../../tests/support/free-port.ts'
import {
  DESKTOP,
  fill,
  follow,
  isTitled,
  overflow,
  press,
  signOut,
  waitForNotice,
  withPages,
} from '../../../../tests/support/pages.ts'
import type { ServerOptions } from '../../../../tests/support/server.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { addStaff } from '../../../accounts/staff.ts'

const TELEPHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let now = new Date()
const options: ServerOptions = { clock: () => now }
let url = ''
before(async () => {
  const port = await freePort()
  // Passkeys need a host name, which 127.0.0.1 is not, and https except on localhost.
  url = `http://localhost:${port}`
  Object.assign(options, { port, env: { PUBLIC_URL: url } })
})
const { server, onPage } = withPages(options)
before(() => {
  server.url = url
})
beforeEach(() => {
  now = new Date()
})

/** A passkey device that verifies its user, as a phone does with a finger. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function enter(page: Page, email: string): Promise<void> {
  await page.goto('/entrar')
  await fill(page, { Correo: email, Contraseña: PASSWORD })
  await press(page, 'Entrar')
}

test('staff set up a passkey at the first sign-in, enter with it alone or after the password, and replace it', async () => {
  const email = newMail('llave')
  const { id } = await makeAccount(server, { email })
  await addStaff(server.store, id)
  await onPage('llave-personal', TELEPHONE, async (page) => {
    await addAuthenticator(page)
    await enter(page, email)
    await isTitled(page, 'Proteja su cuenta')
    await assertAccessible(page)
    await fill(page, { 'Nombre de la llave (opcional)': 'Notebook' })
    await press(page, 'Crear la llave de acceso')
    await isTitled(page, 'Guarde sus códigos de recuperación')
    await follow(page, 'Ya los guardé, continuar')
    await isTitled(page, 'Resumen')

    await signOut(page)
    await assertAccessible(page)
    await press(page, 'Entrar con una llave de acceso')
    await isTitled(page, 'Resumen')
    await signOut(page)
    await enter(page, email)
    await isTitled(page, 'Segundo paso')
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
    await press(page, 'Usar una llave de acceso')
    await isTitled(page, 'Resumen')

    await page.goto('/cuenta/acceso')
    await page.getByText('Notebook', { exact: true }).waitFor()
    assert.equal(await overflow(page), 0)
    await follow(page, 'Quitar la llave Notebook')
    await press(page, 'Sí, quitar')
    await page.getByText('El equipo del mercado necesita un segundo paso').waitFor()
    await page.goto('/cuenta/acceso')
    await follow(page, 'Usar una app de códigos')
    await isTitled(page, 'App de códigos')
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
    await page.getByText('No puedo escanearlo').click()
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    await fill(page, { [`Código para ${email}`]: new TOTP({ secret }).generate({ timestamp: now.getTime() }) })
    await press(page, 'Confirmar')
    await follow(page, 'Ya los guardé, continuar')
    await isTitled(page, 'Mi acceso')
    await follow(page, 'Quitar la llave Notebook')
    await assertAccessible(page)
    await press(page, 'Sí, quitar')
    await waitForNotice(page, 'Se quitó')
  })
})

test('a titular turns on a passkey and a phone, confirms a new key with the passkey, and turns both off', async () => {
  const { app } = await server.newApp()
  const { visitor: as, email } = await makeDeveloper(server, { app })
  await onPage('llave-titular', { as, ...DESKTOP }, async (page) => {
    await addAuthenticator(page)
    await page.goto('/cuenta/acceso')
    await assertAccessible(page)
    await follow(page, 'Agregar una llave de acceso')
    await assertAccessible(page)
    await press(page, 'Crear la llave de acceso')
    await isTitled(page, 'Guarde sus códigos de recuperación')
    await follow(page, 'Ya los guardé, continuar')
    await page.getByText('Le quedan 10 códigos').waitFor()
    await press(page, 'Crear diez códigos nuevos')
    await follow(page, 'Ya los guardé, continuar')

    now = new Date(now.getTime() + 16 * 60_000)
    await page.goto(`/portal/${app.appKey}/claves/rotar`)
    await press(page, 'Crear y ver la clave de API')
    await isTitled(page, 'Confirme que es usted')
    await assertAccessible(page)
    assert.equal(await overflow(page), 0)
    await press(page, 'Usar una llave de acceso')
    await isTitled(page, 'Su clave de API nueva')

    await (await visitor(server).enter(email)).get('/cuenta', { 'user-agent': 'Firefox/133.0 Linux' })
    await page.goto('/cuenta/acceso')
    await follow(page, 'Usar una app de códigos')
    await page.getByText('No puedo escanearlo').click()
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    const code = () => new TOTP({ secret }).generate({ timestamp: now.getTime() })
    await fill(page, { [`Código para ${email}`]: code() })
    await press(page, 'Confirmar')
    await follow(page, 'Ya los guardé, continuar')
    await (await visitor(server).enter(email)).get('/cuenta', { 'user-agent': 'Firefox/133.0 Linux' })
    await page.reload()
    await assertAccessible(page)
    await press(page, 'Cerrar la sesión de Firefox en Linux')
    await waitForNotice(page, 'Se cerró la sesión')
    await follow(page, 'Quitar la app de códigos')
    await press(page, 'Sí, quitar')
    await waitForNotice(page, 'Se quitó la app de códigos')
    await follow(page, 'Quitar la llave Llave de acceso')
    await press(page, 'Sí, quitar')
    await waitForNotice(page, 'ya no sirve para entrar')
    await page.getByText('Protege su cuenta').waitFor()
  })
})
