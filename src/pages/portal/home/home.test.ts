import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { withPages } from '../../../../tests/support/pages.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { setMember } from '../../../accounts/members.ts'
import { disableApp } from '../../../apps/store.ts'

describe('the way into the portal', () => {
  const { server, onPage } = withPages()

  it('303: a developer of one app is redirected to it, after signing in too', async () => {
    const app = await server.newApp()
    const { visitor: dana, email } = await makeDeveloper(server, app)
    const { status, headers } = await dana.get('/portal')
    assert.deepEqual([status, headers.location], [303, `/portal/${app.app.appKey}`])
    const entered = await visitor(server).post('/entrar', { Email: email, Clave: PASSWORD })
    assert.deepEqual([entered.status, entered.headers.location], [303, '/portal'])
  })

  it('200: a person without an app sees how to get access', async () => {
    await makeAccount(server, { email: 'solo@partner.test' })
    const { status, text } = await (await visitor(server).enter('solo@partner.test')).get('/portal')
    assert.equal(status, 200)
    assert.match(text, /Todavía no está en el equipo de ninguna app/)
    assert.match(text, /solo@partner\.test/)
  })

  it('303 to /entrar, 404: nobody, and another app’s developer, on every page of the portal', async () => {
    const [own, other] = [await server.newApp(), await server.newApp()]
    const { visitor: dana } = await makeDeveloper(server, own)
    const at = `/portal/${other.app.appKey}`
    const id = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
    const pages = ['', '/claves', '/claves/rotar', '/webhooks', '/webhooks/consulta.recibida', '/entregas']
    pages.push(
      '/entregas/reenviar',
      `/entregas/${id}`,
      '/eventos',
      `/eventos/${id}`,
      '/equipo',
      '/entregas?formato=csv',
    )
    for (const page of pages) {
      assert.equal((await dana.get(at + page)).status, 404, page)
      const { status, headers } = await visitor(server).get(at + page)
      assert.deepEqual([status, headers.location?.startsWith('/entrar?volver=%2Fportal')], [303, true], page)
    }
    const acts = ['/claves/rotar', '/webhooks/consulta.recibida', '/webhooks/consulta.recibida/prueba', '/equipo']
    acts.push('/webhooks/consulta.recibida/eliminar', `/entregas/${id}/reenviar`, '/entregas/reenviar')
    for (const act of acts) assert.equal((await dana.post(at + act)).status, 404, act)
  })

  it('200: a disabled app says so on every page', async () => {
    const app = await server.newApp()
    const { visitor: dana } = await makeDeveloper(server, app)
    await disableApp(server.store, app.app.appKey, true)
    for (const page of ['/claves', '/webhooks', '/entregas', '/eventos', '/equipo'])
      assert.match((await dana.get(`/portal/${app.app.appKey}${page}`)).text, /El mercado deshabilitó esta app/, page)
    const { text } = await dana.get(`/portal/${app.app.appKey}`)
    assert.equal(text.split('el mercado de vehículos').length, 2, 'only the footer introduces the marketplace')
  })

  it('in a browser: two apps are told apart by name and mode, and lead to theirs', async () => {
    const [one, two] = [
      await server.newApp({ nombre: 'CRM Sur' }),
      await server.newApp({ nombre: 'CRM Sur', modo: 'prueba' }),
    ]
    const { visitor: dana, account } = await makeDeveloper(server, one)
    await setMember(server.store, two.app.id, account.id, 'desarrollador')
    await onPage('portal-home', { as: dana }, async (page) => {
      await page.goto('/portal')
      await assertAccessible(page)
      await page.getByRole('link', { name: /CRM Sur.*prueba/ }).click()
      await page.waitForURL(`**/portal/${two.app.appKey}`)
      assert.ok(await page.locator('.place').getByText('prueba').isVisible())
    })
  })
})
