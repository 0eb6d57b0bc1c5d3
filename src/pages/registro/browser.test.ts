import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { depsOf, invitedToken, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { DESKTOP, fill, overflow, TELEPHONE, withPages } from '../../../tests/support/pages.ts'
import type { TestApp } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { PASSWORD } from '../../../tests/support/visitor.ts'
import { blockToken } from '../../resources/agencias/invitacion-store.ts'

const { server, onPage } = withPages()
let app: TestApp
before(async () => {
  app = await server.newApp({ nombre: 'Gestor Norte' })
})

const invite = async (body: Record<string, string> = {}) =>
  `${server.url}/registro/${await invitedToken(depsOf(server), app.app, { AdminMail: newMail(), ...body })}`

const PERSON = { Apellido: 'Paz', 'Elija una contraseña': PASSWORD }

/** The story of most people: what the app knew is there, the rest is typed, the account opens. */
async function registers(options: BrowserContextOptions, name: string): Promise<void> {
  const url = await invite({ Nombre: 'Autos del Paraná', AdminNombre: 'Ana', Region: 'Santa Fe', Ciudad: 'Rosario' })
  await onPage(name, options, async (page) => {
    await page.goto(url)
    await fill(page, PERSON)
    await page.getByRole('button', { name: 'Registrar la agencia' }).click()
    await page.waitForURL('**/cuenta')
    assert.ok(await page.getByRole('heading', { level: 1, name: 'Autos del Paraná' }).isVisible())
    assert.ok(await page.getByRole('status').getByText('Listo').isVisible())
    assert.ok(await page.getByRole('heading', { name: 'Gestor Norte' }).isVisible())
    await page.reload()
    assert.equal(await page.getByRole('status').count(), 0, 'told once')
  })
}

test('an agency is registered at a desk, and its account opens', () => registers(DESKTOP, 'registro-escritorio'))

test('and on a telephone without JavaScript', () =>
  registers({ ...TELEPHONE, javaScriptEnabled: false }, 'registro-sin-javascript'))

test('cities are suggested as one types, those of the region that was chosen', async () => {
  const url = await invite({ Nombre: 'Autos', AdminNombre: 'Ana' })
  await onPage('registro-sugerencias', DESKTOP, async (page) => {
    await page.goto(url)
    const offered = () =>
      page.locator('#ciudades option').evaluateAll((all) => all.map((each) => each.getAttribute('value')))
    const loaded = () => page.waitForResponse((response) => response.url().includes('/sugerencias/ciudades'))
    assert.deepEqual(await offered(), [])
    const [byRegion] = await Promise.all([loaded(), page.getByLabel(/^Provincia/).selectOption('Córdoba')])
    assert.equal(byRegion.status(), 200)
    await page.locator('#ciudades option').first().waitFor({ state: 'attached' })
    assert.equal((await offered())[0], 'Córdoba')
    await page.getByLabel(/^Ciudad/).pressSequentially('villa mar', { delay: 20 })
    await until(async () => (await offered()).every((name) => /villa mar/i.test(name ?? '')))
    assert.ok((await offered()).includes('Villa María'))
    const [title, before] = [await page.title(), await offered()]
    const body = '<!doctype html><title>Error</title><h1>Demasiadas solicitudes</h1>'
    await page.route('**/sugerencias/ciudades*', (route) =>
      route.fulfill({ status: 429, contentType: 'text/html', body }),
    )
    for (const letter of 'rí') await Promise.all([loaded(), page.getByLabel(/^Ciudad/).pressSequentially(letter)])
    assert.deepEqual([await page.title(), await offered()], [title, before], 'an error leaves the page as it is')
  })
})

test('without JavaScript the cities of a region that is known are offered all the same', async () => {
  const url = await invite({ Region: 'Santa Fe' })
  await onPage('registro-sugerencias-sin-javascript', { javaScriptEnabled: false }, async (page) => {
    await page.goto(url)
    assert.equal(await page.locator('#ciudades option[value="Rosario"]').count(), 1)
  })
})

test('a fault is told beside its field, the keyboard waits there, and the whole is done with keys alone', async () => {
  const url = await invite({ Nombre: 'Autos', AdminNombre: 'Ana', Region: 'Santa Fe', Ciudad: 'Rosario' })
  await onPage('registro-teclado', DESKTOP, async (page) => {
    await page.goto(url)
    const focused = () => page.evaluate('document.activeElement.name || document.activeElement.textContent.trim()')
    const tabTo = async (what: string) => {
      for (let i = 0; i < 25 && (await focused()) !== what; i++) await page.keyboard.press('Tab')
      assert.equal(await focused(), what)
    }
    await tabTo('AdminApellido')
    await page.keyboard.type('Paz')
    await tabTo('Clave')
    await page.keyboard.type('corta')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.equal(await focused(), 'Clave')
    const field = page.getByLabel('Elija una contraseña', { exact: true })
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    const described = await field.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => input.ownerDocument.getElementById(id)?.textContent),
    )
    assert.match(described.join(' '), /Al menos 8 caracteres.*Elija una contraseña de al menos 8/)
    assert.match(await page.title(), /^Error: /)
    await page.keyboard.type(PASSWORD)
    await tabTo('Registrar la agencia')
    await page.keyboard.press('Space')
    await page.waitForURL('**/cuenta')
  })
})

test('a city that is not known is chosen from those that come near', async () => {
  const url = await invite({ Nombre: 'Autos', AdminNombre: 'Ana', Region: 'Santa Fe' })
  await onPage('registro-candidatas', TELEPHONE, async (page) => {
    await page.goto(url)
    await page.getByLabel(/^Ciudad/).fill('Puerto Zyx del Oeste')
    await fill(page, PERSON)
    await page.getByRole('button', { name: 'Registrar la agencia' }).click()
    const near = page.getByRole('group', { name: '¿Es alguna de estas?' })
    await near.getByRole('radio').first().check()
    assert.doesNotMatch((await page.getByRole('alert').textContent()) ?? '', /GET|\/v3/)
    await page.getByLabel('Elija una contraseña', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Registrar la agencia' }).click()
    await page.waitForURL('**/cuenta')
    assert.ok(await page.getByText(/^Puerto .*, Santa Fe$/).isVisible())
  })
})

test('every page of people fits a telephone and a desk, and axe finds nothing', async () => {
  const { mail } = await makeAgencia(depsOf(server), app.app, {
    Nombre: 'Automotores de Nombre Larguísimo e Hijos Sociedad Anónima',
  })
  const other = await server.newApp({ nombre: 'Otra App' })
  const [token, connect] = [await invite({ Mensaje: `${'x'.repeat(80)} y más` }), `/conectar/${other.app.appKey}`]
  const open = [
    '/entrar',
    '/clave',
    '/clave/nada',
    '/registro/nada',
    connect,
    '/colaborar/nada',
    `/baja/${blockToken(server.seal, mail)}`,
    '/baja/nada',
    '/conectar/nada',
    new URL(token).pathname,
  ]
  const signedIn = [
    '/cuenta',
    '/cuenta/clave',
    '/cuenta/administrador',
    connect,
    `/cuenta/apps/${app.app.appKey}/terminar`,
  ]
  await onPage('paginas', DESKTOP, async (page) => {
    for (const path of open) await looks(page, path)
    await page.goto('/entrar')
    await fill(page, { Correo: mail, Contraseña: PASSWORD })
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.waitForURL('**/cuenta')
    for (const path of signedIn) await looks(page, path)
    await page.getByRole('button', { name: 'Salir' }).click()
    await page.waitForURL('**/entrar**')
  })
})

async function looks(page: Page, path: string): Promise<void> {
  await page.goto(path)
  for (const { viewport } of [TELEPHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    assert.equal(await overflow(page), 0, `${path}, ${viewport.width}`)
  }
  await assertAccessible(page)
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
  assert.deepEqual(ids, [...new Set(ids)], path)
}
