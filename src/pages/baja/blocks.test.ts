import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTitled, press, withPages } from '../../../tests/support/pages.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import { blockToken, isBlocked } from '../../resources/agencias/invitacion-store.ts'

describe('no recibir más invitaciones', () => {
  const { server, onPage } = withPages()
  const linkTo = (email: string) => `/baja/${blockToken(server.seal, email)}`

  it('200: opening the link blocks nothing, its button does, once and for all', async () => {
    const path = linkTo('ana@uno.test')
    const seen = await visitor(server).get(path)
    assert.equal(seen.status, 200)
    assert.match(seen.text, /ana@uno\.test/)
    assert.equal((await visitor(server).head(path)).status, 200)
    assert.equal(await isBlocked(server.store, 'ana@uno.test'), false)
    for (let i = 0; i < 2; i++) assert.equal((await visitor(server).post(path)).status, 200)
    assert.equal(await isBlocked(server.store, 'ANA@uno.test'), true)
  })

  it('200: a mail program’s one click blocks too (RFC 8058), as a form or as its parts', async () => {
    await visitor(server).post(linkTo('ana@dos.test'), 'List-Unsubscribe=One-Click')
    assert.equal(await isBlocked(server.store, 'ana@dos.test'), true)
    const parts = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    assert.equal((await visitor(server).post(linkTo('ana@tres.test'), parts, type)).status, 200)
    assert.equal(await isBlocked(server.store, 'ana@tres.test'), true)
  })

  it('404: a link that is not ours, bent, or sealed for something else', async () => {
    const sealed = server.seal.seal('ana@uno.test', 'session').toString('base64url')
    const bent = linkTo('ana@uno.test').replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A'))
    for (const path of ['/baja/nada', `/baja/${sealed}`, bent]) {
      assert.equal((await visitor(server).get(path)).status, 404)
      assert.equal((await visitor(server).post(path)).status, 404)
    }
  })

  it('in a browser: the link of a letter asks, and one button ends the invitations', () =>
    onPage('baja', {}, async (page) => {
      await page.goto(linkTo('ana@cuatro.test'))
      await page.getByText('ana@cuatro.test').waitFor()
      await press(page, 'No recibir más')
      await isTitled(page, 'Listo')
      assert.equal(await isBlocked(server.store, 'ana@cuatro.test'), true)
    }))
})
