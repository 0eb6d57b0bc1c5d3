import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, FORM, invitedToken, newMail } from '../../tests/support/agencia.ts'
import { send } from '../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { makeAccount, visitor } from '../../tests/support/visitor.ts'
import { findAccount } from '../accounts/store.ts'
import { openContents } from '../mail/email.ts'

const LANG = /<html lang="(\w+)"/

describe('languages', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())
  const langOf = ({ text }: { text: string }) => LANG.exec(text)?.[1]

  it('200: a page is in the first language of Accept-Language that there is, else in Spanish', async () => {
    const languages = { 'pt-BR,pt;q=0.9,en;q=0.8': 'pt', 'fr,en;q=0.5': 'en', fr: 'es', '*': 'es', ';;': 'es' }
    for (const [header, language] of Object.entries(languages))
      for (const path of ['/', '/entrar', '/no-hay']) {
        const answer = await send(server.url, path, { headers: { 'accept-language': header, accept: 'text/html' } })
        assert.equal(langOf(answer), language, `${header} ${path}`)
        assert.match(answer.headers.vary ?? '', /Accept-Language, Cookie/)
      }
    assert.equal(langOf(await send(server.url, '/')), 'es', 'a page that is rendered once has a form for each language')
  })

  it('404: the menu of an unknown address is in the language of the page', async () => {
    const { visitor: staff } = await makeStaff(server)
    const { status, text } = await staff.get('/consola/no-hay', { 'accept-language': 'en', accept: 'text/html' })
    assert.equal(status, 404)
    assert.match(text, />Listings</)
    assert.doesNotMatch(text, />Avisos</)
  })

  it('400: the answer to a form is in the language of the request too', async () => {
    const answer = await visitor(server).post('/entrar', 'x'.repeat(5000), { 'accept-language': 'pt' })
    assert.equal(answer.status, 413)
    assert.match(answer.text, /O que você enviou é grande demais/)
  })

  it('303: the switch is kept in the browser and with the account, and returns to its page', async () => {
    await makeAccount(server, { email: 'ana@idioma.test' })
    const ana = await visitor(server).enter('ana@idioma.test')
    const answer = await ana.post('/idioma', { idioma: 'pt' }, { referer: `${server.url}/cuenta/acceso?x=1` })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/cuenta/acceso?x=1'])
    const cookie = /rodado_idioma=pt; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000/
    assert.match(answer.headers['set-cookie'] ?? '', cookie)
    assert.equal((await findAccount(server.store, 'produccion', 'ana@idioma.test'))?.idioma, 'pt')
    const own = { 'accept-language': 'en' }
    assert.equal(langOf(await ana.get('/cuenta', own)), 'pt', 'the account’s own, in a browser that has no cookie')
    const chosen = { cookie: `${ana.cookie()}; rodado_idioma=en` }
    assert.equal(langOf(await ana.get('/cuenta', chosen)), 'en', 'the cookie comes first')
  })

  it('200: an email is in the language of its recipient, not in that of the request', async () => {
    await makeAccount(server, { email: 'bea@idioma.test' })
    const subject = async (language: string) => {
      await visitor(server).post('/clave', { Email: 'bea@idioma.test' }, { 'accept-language': language })
      const [mail] = await server.store.query<{ sealed: Buffer }>(sql`
        select sealed from mails where to_address = 'bea@idioma.test' order by id desc limit 1`)
      return mail && openContents(server.seal, mail.sealed).subject
    }
    assert.match((await subject('pt')) ?? '', /^Elija una contraseña nueva/)
    const bea = await visitor(server).enter('bea@idioma.test')
    await bea.post('/idioma', { idioma: 'pt' })
    assert.match((await subject('en')) ?? '', /^Escolha uma nova senha/)
  })

  it('303: the language of the page becomes that of an account that registers or accepts, unless it has one', async () => {
    const [mail, ana] = [newMail(), visitor(server)]
    const invited = async () => invitedToken(depsOf(server), (await server.newApp()).app, { AdminMail: mail })
    const tokens = [await invited(), await invited(), await invited()]
    const accept = async (language: string) => {
      const token = tokens.pop()
      const { status } = await ana.post(`/registro/${token}`, FORM as Record<string, string>, {
        'accept-language': language,
      })
      return [status, (await findAccount(server.store, 'produccion', mail))?.idioma]
    }
    assert.deepEqual(await accept('pt-BR'), [303, 'pt'])
    assert.deepEqual(await accept('en'), [303, 'pt'])
    await server.store.query(sql`update accounts set idioma = null where email = ${mail}`)
    assert.deepEqual(await accept('en'), [303, 'en'])
  })

  it('303: it sets no other language, and leads to no other site', async () => {
    const other = await visitor(server).post('/idioma', { idioma: 'fr' })
    assert.deepEqual([other.status, other.headers.location, other.headers['set-cookie']], [303, '/', undefined])
    for (const referer of ['http://evil.test//evil.test/x', 'javascript:alert(1)', 'nothing'])
      assert.equal((await visitor(server).post('/idioma', { idioma: 'en' }, { referer })).headers.location, '/')
  })

  it('401: Title and Detail of a problem are in the language of the request, Errors stay Spanish', async () => {
    const ask = (language: string) =>
      send(server.url, '/v3/marcas', { headers: { 'accept-language': language, accept: 'application/json' } })
    const [spanish, english] = [await ask('es'), await ask('en-GB')]
    assert.deepEqual(
      [spanish, english].map(({ text }) => JSON.parse(text).Title),
      ['Falta una credencial válida', 'A valid credential is missing'],
    )
    assert.equal(JSON.parse(english.text).Detail, 'Sign the request or send a token: see /docs.')
    assert.match(english.headers.vary ?? '', /Accept-Language/)
  })
})
