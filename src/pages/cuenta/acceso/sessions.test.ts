import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newMail } from '../../../../tests/support/agencia.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { makeAccount, visitor } from '../../../../tests/support/visitor.ts'

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
})
