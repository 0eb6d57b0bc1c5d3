import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newMail } from '../../../../tests/support/agencia.ts'
import type { Answer } from '../../../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { untilBlocked } from '../../../../tests/support/until-blocked.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { endSessions, findAccountById } from '../../../accounts/store.ts'

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0' }
const closings = (text: string) => text.match(/\/cuenta\/sesiones\/[0-9a-f-]{36}\/cerrar/g) ?? []

describe('the sessions of a person', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())

  it('303: another session is listed with its browser, and closed at once with one click', async () => {
    const email = newMail('sesiones')
    await makeAccount(server, { email })
    const [here, there] = [await visitor(server).enter(email), await visitor(server).enter(email)]
    assert.equal((await there.get('/cuenta', FIREFOX)).status, 200)
    const { text } = await here.get('/cuenta/acceso')
    assert.match(text, /Firefox en Linux/)
    assert.match(text, /Cerrar todas las demás/)
    const [close = '', ...more] = closings(text)
    assert.deepEqual(more, [], 'the own session is closed with Salir')
    assert.equal((await here.post(close)).headers.location, '/cuenta/acceso#sesiones')
    assert.equal((await there.get('/cuenta')).headers.location, '/entrar?volver=%2Fcuenta')
    assert.equal((await here.get('/cuenta')).status, 200)
    assert.equal((await here.post(close)).status, 404)
  })

  it('404: a session of somebody else is not closed', async () => {
    const [one, two] = [newMail('una'), newMail('otra')]
    for (const email of [one, two]) await makeAccount(server, { email })
    const [owner, elsewhere, stranger] = [
      await visitor(server).enter(one),
      await visitor(server).enter(one),
      await visitor(server).enter(two),
    ]
    await elsewhere.get('/cuenta')
    const [close = ''] = closings((await owner.get('/cuenta/acceso')).text)
    assert.ok(close)
    assert.equal((await stranger.post(close)).status, 404)
    assert.equal((await elsewhere.get('/cuenta')).status, 200)
    assert.equal((await stranger.post('/cuenta/sesiones/x/cerrar')).status, 404)
  })

  it('200: the list is empty of others after all were closed', async () => {
    const email = newMail('todas')
    await makeAccount(server, { email })
    const [here, there] = [await visitor(server).enter(email), await visitor(server).enter(email)]
    await there.get('/cuenta')
    await here.get('/cuenta')
    assert.equal((await here.post('/cuenta/sesiones')).status, 303)
    const { text } = await here.get('/cuenta/acceso')
    assert.deepEqual(closings(text), [])
    assert.match(text, />Esta sesión</)
    assert.doesNotMatch(text, /Cerrar todas las demás/)
    assert.equal((await there.get('/cuenta')).status, 303)
  })

  for (const [path, form] of [
    ['/cuenta/sesiones', {}],
    ['/cuenta/clave', { ClaveActual: PASSWORD, Clave: 'la frase del ladrón' }],
  ] as const)
    it(`409: ${path} does not renew a session that ended while the request waited`, async () => {
      const email = newMail('robada')
      const { id } = await makeAccount(server, { email })
      const thief = await visitor(server).enter(email)
      await thief.get('/cuenta')
      let answer: Promise<Answer> | undefined
      // The owner resets the password meanwhile.
      await server.store.transaction(async (tx) => {
        await endSessions(tx, id)
        answer = thief.post(path, form)
        await untilBlocked(server.store)
      })
      assert.equal((await answer)?.status, 409)
      assert.equal((await thief.get('/cuenta')).headers.location, '/entrar?volver=%2Fcuenta')
      assert.equal((await findAccountById(server.store, id))?.version, 2)
      await visitor(server).enter(email)
    })
})
