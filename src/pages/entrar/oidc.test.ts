import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../../tests/support/agencia.ts'
import { type ProviderPerson, startOidcProvider, throughProvider } from '../../../tests/support/oidc.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { makeStaff } from '../../../tests/support/staff.ts'
import { makeAccount, PASSWORD, type Visitor, visitor } from '../../../tests/support/visitor.ts'
import { newLink } from '../../accounts/links.ts'
import { findAccount } from '../../accounts/store.ts'

const PUBLIC_URL = 'http://rodado.test'
const MFA = ['pwd', 'mfa']

describe('sign-in at the marketplace’s own provider', () => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>
  let server: TestServer
  let now = new Date()
  let ticks = 0
  before(async () => {
    provider = await startOidcProvider(PUBLIC_URL)
    server = await startServer({
      env: { PUBLIC_URL, ...provider.env },
      clock: () => now,
      nowMs: () => (ticks += 60_000),
    })
  })
  beforeEach(() => {
    now = new Date()
  })
  after(async () => {
    await server.stop()
    await provider.stop()
  })

  /** A browser that goes to the provider and comes back. */
  async function come(who: Visitor, person: ProviderPerson, path = '/entrar/oidc') {
    provider.state.person = person
    const { status, headers } = await who.get(path)
    assert.equal(status, 303)
    const back = await throughProvider(provider.issuer, headers.location ?? '')
    assert.ok(back.startsWith(`${PUBLIC_URL}/entrar/oidc/vuelta?`), back)
    return who.get(back.slice(PUBLIC_URL.length))
  }
  const confirmIn = (text: string) => /href="(\/entrar\/oidc\?confirmar=[^"]+)"/.exec(text)?.[1] ?? ''
  const person = (sub: string, more: Partial<ProviderPerson> = {}): ProviderPerson => ({
    sub,
    email: `${sub}@mercado.test`,
    groups: ['administradores'],
    amr: MFA,
    ...more,
  })

  it('303: somebody in a group of the staff is in, with the role of the group, and without a password', async () => {
    assert.match((await visitor(server).get('/entrar')).text, /entrar con la cuenta de la empresa/)
    const who = visitor(server)
    const entered = await come(who, person('sol'), '/entrar/oidc?volver=/consola/apps')
    assert.deepEqual([entered.status, entered.headers.location], [303, '/consola/apps'])
    assert.equal((await who.get('/consola/apps')).status, 200)
    const { text: team } = await who.get('/consola/personal?segundo=empresa')
    assert.match(team, /<div[^>]*>sol@mercado\.test<[\s\S]*>en la cuenta de la empresa</)
    const unset = await who.get('/consola/personal?segundo=sin-configurar')
    assert.doesNotMatch(unset.text, /<div[^>]*>sol@mercado\.test</, 'the provider asks for it')
    const account = await findAccount(server.store, 'produccion', 'sol@mercado.test')
    assert.deepEqual(
      [account?.nombre, account?.staff, account?.readOnly, account?.hasPassword, account?.viaOidc],
      ['Sol', true, false, false, true],
    )
    const again = await come(visitor(server), person('sol', { email: 'otro@mercado.test' }))
    assert.equal(again.headers.location, '/consola', 'the same person with another address')
    assert.equal(await findAccount(server.store, 'produccion', 'otro@mercado.test'), undefined)
    now = new Date(now.getTime() + 6 * 3600_000)
    assert.equal((await who.get('/consola')).status, 200)
    now = new Date(now.getTime() + 6 * 3600_000)
    assert.equal(
      (await who.get('/consola')).headers.location,
      '/entrar?volver=%2Fconsola',
      'the provider decides again',
    )
  })

  it('403: a group that only reads opens every page of the console and changes nothing', async () => {
    const who = visitor(server)
    await come(who, person('lee', { groups: ['ventas', 'soporte'] }))
    for (const path of ['/consola', '/consola/apps', '/consola/personal', '/consola/auditoria'])
      assert.equal((await who.get(path)).status, 200, path)
    const forms = server.routes.filter(({ method, url }) => method === 'POST' && url.startsWith('/consola/'))
    assert.ok(forms.length > 30)
    for (const { url } of forms) {
      const { status } = await who.post(url.replace(/:\w+/g, '1'))
      assert.equal(status, 403, url)
    }
  })

  it('403: somebody in no group of the staff stays out, and who left the group leaves the staff', async () => {
    const out = await come(visitor(server), person('nadie', { groups: ['ventas'] }))
    assert.equal(out.status, 403)
    assert.match(out.text, /Pida acceso a quien administra las cuentas de su empresa/)
    assert.equal(await findAccount(server.store, 'produccion', 'nadie@mercado.test'), undefined)
    const who = visitor(server)
    await come(who, person('sale'))
    assert.equal((await who.get('/consola')).status, 200)
    const leaves = await findAccount(server.store, 'produccion', 'sale@mercado.test')
    const colleague = visitor(server)
    await come(colleague, person('queda'))
    const { text: question } = await colleague.get(`/consola/personal/${leaves?.id}/quitar`)
    assert.match(question, /quítela también del grupo/)
    assert.equal((await come(visitor(server), person('sale', { groups: [] }))).status, 403)
    assert.equal((await who.get('/consola')).headers.location, '/entrar?volver=%2Fconsola')
    const account = await findAccount(server.store, 'produccion', 'sale@mercado.test')
    assert.equal(account?.staff, false)
  })

  it('303: without a second factor at the provider ours is needed', async () => {
    const who = visitor(server)
    const half = await come(who, person('medio', { amr: ['pwd'] }))
    assert.equal(half.headers.location, '/entrar/codigo')
    assert.equal((await who.get('/consola')).headers.location?.split('?')[0], '/entrar/codigo')
    assert.match((await who.get('/entrar/codigo')).text, /Proteja su cuenta/)
  })

  it('400: an answer that is forged, comes twice or from another browser is none', async () => {
    provider.state.person = person('doble')
    const who = visitor(server)
    const { headers } = await who.get('/entrar/oidc')
    const back = (await throughProvider(provider.issuer, headers.location ?? '')).slice(PUBLIC_URL.length)
    assert.equal((await visitor(server).get(back)).status, 400)
    assert.equal((await who.get(back.replace(/state=[^&]+/, 'state=forged'))).status, 400)
    await who.get('/entrar/oidc') // in another tab
    assert.equal((await who.get(back)).status, 303)
    assert.equal((await who.get(back)).status, 400)
    const unverified = await come(visitor(server), person('sin', { email_verified: false }))
    assert.equal(unverified.status, 400)
  })

  it('400: who is of the staff by the provider has no other way in; who was invited keeps theirs', async () => {
    const account = await makeAccount(server, { email: 'previa@mercado.test' })
    const unconfirmed = await come(visitor(server), person('previa', { email_verified: undefined }))
    assert.deepEqual([unconfirmed.status, /no confirma/.test(unconfirmed.text)], [403, true])
    await come(visitor(server), person('previa'))
    const refused = await visitor(server).post('/entrar', { Email: account.email, Clave: PASSWORD })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /la cuenta de su empresa/)
    const token = await newLink(server.store, { purpose: 'clave', accountId: account.id, hours: 1 })
    const reset = visitor(server)
    const { headers } = await reset.post(`/clave/${token}`, { Clave: 'otra frase larga' })
    assert.match(
      (await reset.get(headers.location ?? '')).text,
      /Usted entra con la cuenta de su empresa: use «Equipo del mercado/,
    )
    for (const path of ['/consola', '/entrar/codigo'])
      assert.equal((await reset.get(path)).headers.location?.split('?')[0], '/entrar', path)
    const staff = await makeStaff(server, { email: 'invitada@mercado.test' })
    const entered = await come(visitor(server), person('invitada'))
    assert.equal(entered.headers.location, '/consola')
    const identities = await server.store.query(sql`
      select from oidc_identities where account_id = ${staff.account.id}`)
    assert.equal(identities.length, 1)
    assert.equal((await visitor(server).post('/entrar', { Email: staff.email, Clave: PASSWORD })).status, 303)
  })

  it('303: who is of the staff by the provider accepts an invitation with one button, and gets neither name nor password', async () => {
    const { app } = await server.newApp()
    const { agencia } = await makeAgencia(depsOf(server), app)
    const who = visitor(server)
    await come(who, person('suma'))
    const stored = () => findAccount(server.store, 'produccion', 'suma@mercado.test')
    const accountId = (await stored())?.id ?? 0
    const form = { Nombre: 'Otra', Apellido: 'Persona', Clave: 'una frase bastante larga' }
    const links = {
      equipo: await newLink(server.store, { purpose: 'equipo', accountId, appId: app.id, rol: 'titular', hours: 1 }),
      colaborar: await newLink(server.store, {
        purpose: 'colaborar',
        accountId,
        agenciaId: agencia.id,
        rol: 'vendedor',
        hours: 1,
      }),
    }
    for (const [section, token] of Object.entries(links)) {
      const path = `/${section}/${token}`
      const out = await visitor(server).get(path)
      assert.ok(out.text.includes(`href="/entrar/oidc?volver=${encodeURIComponent(path)}"`), section)
      assert.ok(!out.text.includes('name="Clave"'), section)
      assert.equal((await visitor(server).post(path, form)).headers.location, path, section)
      const { text } = await who.get(path)
      assert.ok(!text.includes('name="Clave"') && text.includes('Aceptar'), section)
      assert.equal((await who.post(path, form)).status, 303, section)
      const account = await stored()
      assert.deepEqual([account?.nombre, account?.hasPassword], ['Sol', false], section)
    }
    assert.equal((await who.get(`/portal/${app.appKey}`)).status, 200)
  })

  it('200: after 15 minutes the provider confirms who it is, and the form is sent as it was filled in', async () => {
    const who = visitor(server)
    await come(who, person('firme'))
    now = new Date(now.getTime() + 16 * 60_000)
    const asked = await who.post('/consola/personal', { Email: 'nueva@mercado.test' })
    assert.match(asked.text, /<a href="\/entrar\/oidc\?confirmar=[\w-]{43}" class="button">/)
    assert.doesNotMatch(asked.text, /Confirmar y continuar/, 'nothing is to be filled in')
    now = new Date()
    const logins = provider.state.logins
    const confirmed = await come(who, person('firme'), confirmIn(asked.text))
    assert.equal(provider.state.logins, logins + 1)
    assert.equal(confirmed.status, 200)
    assert.match(confirmed.text, /action="\/consola\/personal"[\s\S]*name="Email" value="nueva@mercado.test"/)
    now = new Date(now.getTime() + 14 * 60_000)
    assert.equal((await who.post('/consola/personal', { Email: 'nueva@mercado.test' })).status, 303)
  })

  it('200: of several forms that wait in several tabs, the one that was confirmed is sent; the oldest of very many is gone', async () => {
    const who = visitor(server)
    await come(who, person('tabs'))
    now = new Date(now.getTime() + 16 * 60_000)
    const ask = (email: string) => who.post('/consola/personal', { Email: email })
    const one = confirmIn((await ask('uno@mercado.test')).text)
    const two = confirmIn((await ask('dos@mercado.test')).text)
    assert.equal(confirmIn((await ask('uno@mercado.test')).text), one, 'the same form again')
    now = new Date()
    for (const [link, email] of [
      [one, 'uno'],
      [two, 'dos'],
    ] as const) {
      const confirmed = await come(who, person('tabs'), link)
      assert.equal(confirmed.status, 200)
      assert.match(confirmed.text, new RegExp(`name="Email" value="${email}@mercado.test"`))
    }
    now = new Date(now.getTime() + 16 * 60_000)
    const links: string[] = []
    for (let at = 0; at < 40; at++) {
      const { text, headers } = await ask(`${'x'.repeat(50)}${at}@mercado.test`)
      links.push(confirmIn(text))
      const [, cookie = ''] = /(\w*rodado_oidc=[^;]+);/.exec(String(headers['set-cookie'])) ?? []
      assert.ok(cookie.length > 200 && cookie.length < 4096, `${cookie.length} characters`)
    }
    now = new Date()
    assert.match((await come(who, person('tabs'), links.at(-1))).text, /x39@mercado.test/)
    assert.equal((await come(who, person('tabs'), links[0])).headers.location, '/consola')
  })
})
