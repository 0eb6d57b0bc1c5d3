import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { visitor } from '../../tests/support/visitor.ts'

describe('pages of signed-in people', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())

  it('404: signed-in people keep theirs, and the logo leads them home; nobody gets that of others', async () => {
    const [app, other] = [await server.newApp(), await server.newApp()]
    const { mail } = await makeAgencia(depsOf(server), app.app)
    const developer = (await makeDeveloper(server, app)).visitor
    const portal = `/portal/${app.app.appKey}`
    const theirs = `/portal/${other.app.appKey}`
    for (const [who, home, path, item, button] of [
      [developer, '/portal', `${portal}/nada`, `${portal}/webhooks`, 'Ir al portal'],
      [developer, '/portal', `${portal}/entregas/01JNG3Y4Z5A6B7C8D9E0F1G2H3`, `${portal}/webhooks`, 'Ir al portal'],
      [await visitor(server).enter(mail), '/cuenta', '/cuenta/nada', '/cuenta/consultas', 'Ir a mi cuenta'],
      [(await makeStaff(server)).visitor, '/consola', '/consola/nada/de/nada', '/consola/agencias', 'Ir a la consola'],
    ] as const) {
      const { status, text } = await who.get(path, { accept: 'text/html' })
      assert.deepEqual([status, text.includes(`href="${item}"`)], [404, true], path)
      assert.ok(text.includes(`href="/entrar">${button}</a>`), path)
      assert.ok(text.includes(`class="brand" href="${home}"`) && text.includes('action="/salir"'), path)
      assert.equal((await who.get('/')).headers.location, home)
    }
    for (const path of [`${theirs}/nada`, '/consola/nada']) {
      const { status, text } = await developer.get(path, { accept: 'text/html' })
      assert.deepEqual([status, /href="\/(consola|portal\/\w+)\/\w/.test(text)], [404, false], path)
    }
    const { status, text } = await visitor(server).get('/consola/nada', { accept: 'text/html' })
    assert.deepEqual([status, text.includes('/salir'), text.includes('class="brand" href="/"')], [404, false, true])
    assert.equal((await visitor(server).get('/')).status, 200)
  })

  it('200: no link to the lists about an agency has an email address in its address, and they open', async () => {
    const [staff, other] = [(await makeStaff(server)).visitor, (await makeStaff(server)).visitor]
    const app = await server.newApp()
    const { mail, agencia } = await makeAgencia(depsOf(server), app.app)
    const { text: page } = await staff.get(`/consola/agencias/${agencia.id}`)
    const links = [...page.matchAll(/(?:href|action|hx-get)="([^"]*)"/g)].map(([, href = '']) =>
      decodeURIComponent(href),
    )
    assert.deepEqual(
      links.filter((href) => href.includes(mail) && !href.startsWith('mailto:')),
      [],
    )
    const form = { lista: '/consola/agencias', q: mail, estado: '' }
    assert.match((await staff.post('/filtrar', form)).headers.location ?? '', /^\/consola\/agencias\?q=~[\w-]+$/)
    const elsewhere = await staff.post('/filtrar', { lista: 'https://otro.example/consola', q: 'x' })
    assert.equal(elsewhere.headers.location, '/consola?q=x')
    const [consultas = ''] = links.filter((href) => /^\/consola\/consultas\?agencia=~[\w-]+$/.test(href))
    assert.ok((await staff.get(consultas)).text.includes(`value="${mail}"`))
    assert.ok(!(await other.get(consultas)).text.includes(mail), 'another person cannot open it')
    assert.equal((await staff.get('/consola/consultas?agencia=~nada')).status, 200)
  })
})
