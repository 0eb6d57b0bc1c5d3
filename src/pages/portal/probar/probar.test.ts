import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../../../tests/support/agencia.ts'
import { type MadeDeveloper, makeDeveloper } from '../../../../tests/support/developer.ts'
import { startServer, type TestApp, type TestServer } from '../../../../tests/support/server.ts'
import { firstsOf } from '../../../apps/usage-store.ts'

let server: TestServer
before(async () => {
  const env = { SIGNATURE_PREFIX: 'CAR', RATE_PER_SECOND: '1', RATE_BURST: '6' }
  server = await startServer({ env, nowMs: () => 0 })
})
after(async () => {
  await server?.stop()
})

async function team(): Promise<TestApp & { at: string; who: MadeDeveloper }> {
  const app = await server.newApp({ nombre: 'CRM Paraná' })
  return {
    ...app,
    at: `/portal/${app.app.appKey}/probar`,
    who: await makeDeveloper(server, app, { rol: 'desarrollador' }),
  }
}

/** The text of a page, without its marks. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

describe('a call that the portal signs', () => {
  it('303, 200: what only reads has an address of its own, and its answer can be followed', async () => {
    const { at, who } = await team()
    const sent = await who.visitor.post(at, { metodo: 'GET', ruta: '/v3/colores?q=azul', accept: 'application/json' })
    assert.deepEqual(
      [sent.status, sent.headers.location],
      [303, `${at}?ruta=%2Fv3%2Fcolores%3Fq%3Dazul&accept=application%2Fjson`],
    )
    const { status, text } = await who.visitor.get(sent.headers.location ?? '')
    assert.equal(status, 200)
    assert.match(text, /<span class="badge status-2">200<\/span> OK/)
    assert.match(textOf(text), /"Nombre": "Azul"/)
    const escaped = await who.visitor.post(at, { metodo: 'GET', ruta: '/v3/agencias/ana%40agencia.test' })
    assert.match(escaped.headers.location ?? '', /\?ruta=~[\w-]+$/, 'no email in an address')
    const [, tryHref] = new RegExp(`href="(${at}\\?ruta=%2Fv3%2Fcolores%2F\\d+)"`).exec(text) ?? []
    assert.match((await who.visitor.get(tryHref ?? '')).text, /status-2">200</)
  })

  it('200: a link of another site is only written into the form; one of our own, or typed, is called', async () => {
    const { at, who, app } = await team()
    const from = (site: string) => who.visitor.get(`${at}?ruta=/v3/colores`, { 'sec-fetch-site': site })
    for (const site of ['cross-site', 'same-site']) {
      const { status, text } = await from(site)
      assert.equal(status, 200)
      assert.match(text, /name="ruta" value="\/v3\/colores"/)
      assert.doesNotMatch(text, /id="respuesta"/)
    }
    const calls = () => server.store.query(sql`select 1 from audit_log where subject = ${app.appKey}`)
    assert.equal((await calls()).length, 0)
    for (const site of ['same-origin', 'none']) assert.match((await from(site)).text, /id="respuesta"/)
    assert.equal((await calls()).length, 2)
  })

  it('400: Errors are in Spanish, as the app would read them, whatever the language of the page', async () => {
    const { at, who } = await team()
    for (const idioma of ['pt', 'en']) {
      const { text } = await who.visitor.get(`${at}?idioma=${idioma}&ruta=/v3/modelos/bestmatch?make=Fiat`)
      assert.match(textOf(text), /"model": \[\s*"Falta este dato\."/, idioma)
    }
  })

  it('shows the text that was signed and what was sent; the signature holds when sent from elsewhere', async () => {
    const { at, who, app } = await team()
    const { text } = await who.visitor.get(`${at}?ruta=/v3/marcas`)
    const shown = textOf(text)
    const [, date = ''] = /x-car-date: ([^\n]+)/.exec(shown) ?? []
    const [, authorization = ''] = new RegExp(`authorization: (CAR-HMAC ${app.appKey}:[\\w+/]+=)`).exec(shown) ?? []
    assert.ok(shown.includes(`GET\n\n\nx-car-date:${date}\n/v3/marcas`))
    const again = await fetch(`${server.url}/v3/marcas`, { headers: { authorization, 'x-car-date': date } })
    assert.equal(again.status, 200)
    assert.doesNotMatch(shown, /APP_SECRET=/)
  })

  it('changes what it says it changes, as the app, and twice where it is sent twice', async () => {
    const { at, who, app } = await team()
    for (const [AdminMail, status] of [
      [newMail(), 202],
      [newMail(), 202],
      ['ninguno', 400],
    ] as const) {
      const cuerpo = `{\r\n  "AdminMail": "${AdminMail}"\r\n}`
      const { text } = await who.visitor.post(at, { metodo: 'POST', ruta: '/v3/agencias', cuerpo })
      assert.match(text, new RegExp(`status-${String(status)[0]}">${status}<`), textOf(text).slice(-2000))
    }
    const [invited] = await server.store.query<{ count: number }>(sql`
      select count(*) from invitaciones where app_id = ${app.id}`)
    assert.equal(invited?.count, 2)
  })

  it('304: an ETag of before is sent along, and 429: the app’s limit holds here too', async () => {
    const { at, who, ...app } = await team()
    const { headers } = await app.get('/v3/colores')
    const etag = encodeURIComponent(headers.etag ?? '')
    assert.match((await who.visitor.get(`${at}?ruta=/v3/colores&etag=${etag}`)).text, /status-3">304</)
    for (let turn = 0; turn < 5; turn++) await app.get('/v3/colores')
    assert.match((await who.visitor.get(`${at}?ruta=/v3/colores`)).text, /status-4">429</)
  })

  it('400: whatever is not of the API is not called, however it is written', async () => {
    const { at, who } = await team()
    const elsewhere = [
      '/interno/v1/avisos',
      '/v3/../cuenta',
      '/v3/%2e%2e/health/live',
      '//evil.test/v3',
      'https://evil.test/v3/x',
      '',
      '/v30',
      'javascript:1',
    ]
    for (const ruta of elsewhere) {
      const { status, text } = await who.visitor.post(at, { metodo: 'POST', ruta, cuerpo: '{}' })
      assert.equal(status, 400, ruta)
      assert.match(text, /que empiece con \/v3/)
    }
    assert.equal((await who.visitor.post(at, { metodo: 'GET', ruta: '/v3', accept: 'ñ\nx: y' })).status, 400)
    const masked = { metodo: 'POST', ruta: '/v3/agencias', cuerpo: '{"AdminMail": "string 12"}' }
    assert.match((await who.visitor.post(at, masked)).text, /Reemplace cada «string»/)
    const { status, text } = await who.visitor.get(`${at}?ruta=${encodeURIComponent('/v3/marcas?q={…}')}`)
    assert.deepEqual([status, text.includes('Reemplace lo que está entre llaves')], [400, true])
    const own = await who.visitor.get(`${at}?ruta=${encodeURIComponent(`${server.config.publicUrl}/v3`)}`)
    assert.match(own.text, /status-2">200</)
  })

  it('404: a developer of another app; 400: an app that is disabled', async () => {
    const [own, other] = [await team(), await team()]
    assert.equal((await other.who.visitor.get(`${own.at}?ruta=/v3`)).status, 404)
    assert.equal((await other.who.visitor.post(own.at, { metodo: 'POST', ruta: '/v3/agencias' })).status, 404)
    await server.store.query(sql`update apps set disabled_at = now() where id = ${own.app.id}`)
    const { status, text } = await own.who.visitor.get(`${own.at}?ruta=/v3`)
    assert.deepEqual([status, /deshabilitada: la API no la atiende/.test(text)], [400, true])
  })

  it('is in the audit log before it is made, and shows nothing of the app’s own code', async () => {
    const { at, who, app } = await team()
    await who.visitor.get(`${at}?ruta=${encodeURIComponent('/v3/eventos?cursor=fin')}`)
    const audited = await server.store.query(sql`
      select account_id, via, detail from audit_log where act = 'api.probar' and subject = ${app.appKey}`)
    assert.deepEqual(audited, [
      { account_id: who.account.id, via: 'portal', detail: { metodo: 'GET', ruta: '/v3/eventos' } },
    ])
    await server.usage.flush()
    assert.equal((await firstsOf(server.store, app.id)).size, 0)
  })

  it('every example of the reference can be picked, about an agency of the app’s own', async () => {
    const { at, who, app } = await team()
    const { mail } = await makeAgencia(depsOf(server), app)
    const { text } = await who.visitor.get(at)
    const ids = [...text.matchAll(/ejemplo=(\w+)"/g)].map(([, id]) => id)
    assert.ok(ids.length > 40, `${ids.length}`)
    for (const id of ids) {
      const { status, text } = await who.visitor.get(`${at}?ejemplo=${id}`)
      assert.equal(status, 200)
      assert.match(text, /id="campo-ruta" name="ruta" value="\/v3/, id)
    }
    const { text: one } = await who.visitor.get(`${at}?ejemplo=verAgencia`)
    assert.ok(one.includes(`value="/v3/agencias/${mail}"`))
    assert.match((await who.visitor.get(`${at}?ejemplo=nada`)).text, /name="ruta" value required/)
  })
})
