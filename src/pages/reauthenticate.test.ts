import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { PASSWORD, type Visitor, visitor } from '../../tests/support/visitor.ts'

const CONFIRM = /<h1>Confirme que es usted<\/h1>/
/** The hidden fields of the page that asks again. */
const keptIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

describe('acts that give access to others', () => {
  let server: TestServer
  let now = new Date()
  let ticks = 0
  before(async () => {
    server = await startServer({ clock: () => now, nowMs: () => (ticks += 60_000) })
  })
  beforeEach(() => {
    now = new Date()
  })
  after(() => server.stop())
  const minutesLater = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000)
  }

  it('200, 303: after 15 minutes the password is asked for, and the form is sent as it was filled in', async () => {
    const { app } = await server.newApp()
    const { visitor: who } = await makeDeveloper(server, { app })
    const at = `/portal/${app.appKey}/equipo`
    assert.equal((await who.post(at, { Email: 'uno@equipo.test', Rol: 'titular' })).status, 303)
    minutesLater(15)
    const asked = await who.post(at, { Email: 'dos@equipo.test', Rol: 'desarrollador' })
    assert.equal(asked.status, 200)
    assert.match(asked.text, CONFIRM)
    assert.equal((await server.emails('dos@equipo.test')).length, 0, 'nothing is done yet')
    const kept = keptIn(asked.text)
    assert.deepEqual(kept, { Email: 'dos@equipo.test', Rol: 'desarrollador' })
    for (const ConfirmarClave of ['', 'no es']) {
      const wrong = await who.post(at, { ...kept, ConfirmarClave })
      assert.equal(wrong.status, 400)
      assert.deepEqual(keptIn(wrong.text), kept)
    }
    assert.equal((await who.post(at, { ...kept, ConfirmarClave: PASSWORD })).status, 303)
    assert.equal((await server.emails('dos@equipo.test')).length, 1)
    minutesLater(14)
    assert.equal((await who.post(at, { Email: 'tres@equipo.test', Rol: 'titular' })).status, 303)
  })

  it('200: keys, team, staff and administrators all ask; pages and other forms do not', async () => {
    const { app } = await server.newApp()
    const { visitor: who } = await makeDeveloper(server, { app })
    const staff = await makeStaff(server)
    minutesLater(15)
    const portal = `/portal/${app.appKey}`
    const forms: [Visitor, string][] = [
      [who, `${portal}/claves/rotar`],
      [who, `${portal}/claves/1/revocar`],
      [who, `${portal}/equipo`],
      [who, `${portal}/equipo/1/rol`],
      [who, `${portal}/equipo/1/retirar`],
      [who, `${portal}/equipo/1/quitar`],
      [who, '/cuenta/colaboradores'],
      [who, '/cuenta/colaboradores/1/quitar'],
      [who, '/cuenta/telefono'],
      [staff.visitor, '/consola/apps'],
      [staff.visitor, `/consola/apps/${app.appKey}/claves`],
      [staff.visitor, `/consola/apps/${app.appKey}/claves/1/revocar`],
      [staff.visitor, `/consola/apps/${app.appKey}/equipo`],
      [staff.visitor, `/consola/apps/${app.appKey}/equipo/1/quitar`],
      [staff.visitor, '/consola/agencias/1/administrador'],
      [staff.visitor, '/consola/agencias/1/personas/1/quitar'],
      [staff.visitor, '/consola/personal'],
      [staff.visitor, '/consola/personal/1/quitar'],
      [staff.visitor, '/consola/personal/1/reiniciar'],
    ]
    for (const [person, path] of forms) {
      const { status, text } = await person.post(path)
      assert.ok(status === 200 && CONFIRM.test(text), `${path}: ${status}`)
    }
    assert.equal((await who.get(`${portal}/claves/rotar`)).status, 200)
    assert.equal((await who.post('/cuenta/nombre', { Nombre: 'Ana', Apellido: 'Paz' })).status, 303)
  })

  it('201: a code is enough; for the second factor itself a password is not', async () => {
    const staff = await makeStaff(server)
    const { app } = await server.newApp()
    minutesLater(15)
    const refused = await staff.visitor.post('/cuenta/codigos', { ConfirmarClave: PASSWORD })
    assert.equal(refused.status, 400)
    assert.ok(!refused.text.includes('type="password"'))
    assert.equal((await staff.visitor.post('/cuenta/codigos', { ConfirmarCodigo: '000000' })).status, 400)
    const renewed = await staff.visitor.post('/cuenta/codigos', { ConfirmarCodigo: staff.code(now) })
    assert.equal(renewed.text.match(/<code>[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}<\/code>/g)?.length, 10)
    const rotated = await staff.visitor.post(`/consola/apps/${app.appKey}/claves`, { vigente: '0' })
    assert.notEqual(rotated.status, 200, 'the code counts for this too')
  })

  it('303: anybody may set up a phone, which is then asked for, and remove it; staff keep one', async () => {
    const { app } = await server.newApp()
    const staff = await makeStaff(server)
    const { visitor: who, email } = await makeDeveloper(server, { app })
    const elsewhere = await visitor(server).enter(email)
    const { text } = await who.get('/cuenta/telefono')
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
    const code = () => new TOTP({ secret }).generate({ timestamp: now.getTime() })
    assert.equal((await who.post('/cuenta/telefono', { Codigo: '000000' })).status, 400)
    const filled = { Codigo: code(), Version: /name="Version" value="(\d+)"/.exec(text)?.[1] ?? '' }
    const set = await who.post('/cuenta/telefono', filled)
    assert.match(set.text, /Guarde sus códigos de recuperación/)
    assert.equal((await who.post('/cuenta/telefono', filled)).headers.location, '/cuenta/acceso', 'loaded again')
    assert.match((await server.emails(email))[0]?.text ?? '', /Se configuró una app de códigos/)
    assert.equal((await who.get(`/portal/${app.appKey}`)).status, 200)
    assert.equal((await elsewhere.get(`/portal/${app.appKey}`)).status, 303, 'other sessions end')

    minutesLater(1)
    const half = visitor(server)
    const entered = await half.post('/entrar', { Email: email, Clave: PASSWORD })
    assert.equal(entered.headers.location, '/entrar/codigo')
    assert.equal((await half.get(`/portal/${app.appKey}`)).headers.location?.split('?')[0], '/entrar/codigo')
    assert.equal((await half.post('/entrar/codigo', { Codigo: code() })).headers.location, '/portal')
    assert.equal((await half.post('/cuenta/telefono/quitar')).headers.location, '/cuenta/acceso')
    assert.equal((await half.get(`/portal/${app.appKey}`)).status, 200)

    assert.equal((await staff.visitor.post('/cuenta/telefono/quitar')).status, 409)
    assert.match((await staff.visitor.get('/cuenta/acceso')).text, /Le quedan 10 códigos/)
    const [key] = await server.store.query<{ id: number }>(sql`
      insert into passkeys (account_id, credential_id, public_key, counter, nombre)
      values (${staff.account.id}, 'una', '', 0, 'Llave') returning id`)
    const both = ['/cuenta/telefono/quitar', `/cuenta/llaves/${key?.id}/quitar`]
    const answers = await Promise.all(both.map((path) => staff.visitor.post(path)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409], 'also where both are removed at once')
  })
})
