import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { enterStaff, makeStaff } from '../../../tests/support/staff.ts'
import { makeAccount, PASSWORD, visitor } from '../../../tests/support/visitor.ts'
import { newLink } from '../../accounts/links.ts'
import { recordWrongCode } from '../../accounts/second-factor.ts'
import { addStaff } from '../../accounts/staff.ts'
import { safeReturn } from '../signed-in.ts'

/** A page of each place that asks who is there. */
const INSIDE = ['/consola/personal', '/cuenta', '/cuenta/clave', '/portal']

describe('the second step of signing in', () => {
  let server: TestServer
  before(async () => {
    server = await startServer()
  })
  after(() => server.stop())

  /** Half a minute goes by: the next code is another. */
  const nextCode = (id: number) =>
    server.store.query(sql`update second_factors set totp_step = 0 where account_id = ${id}`)

  it('303: with a password alone the staff is signed in nowhere, and is led to the code and back', async () => {
    const { email } = await makeStaff(server)
    const half = visitor(server)
    const { status, headers } = await half.post('/entrar', {
      Email: email,
      Clave: PASSWORD,
      volver: '/consola/correos',
    })
    assert.deepEqual([status, headers.location], [303, '/entrar/codigo?volver=%2Fconsola%2Fcorreos'])
    for (const path of INSIDE) {
      const answer = await half.get(path)
      assert.deepEqual([answer.status, answer.headers.location?.split('?')[0]], [303, '/entrar/codigo'], path)
    }
    assert.equal((await half.get('/entrar')).headers.location, '/entrar/codigo')
    const page = await half.get('/entrar/codigo?volver=/consola/correos')
    assert.equal(page.status, 200)
    assert.ok(page.text.includes('name="volver" value="/consola/correos"') && page.text.includes('one-time-code'))
  })

  it('303: the right code opens the session, once', async () => {
    const staff = await makeStaff(server)
    const [one, two] = [await visitor(server).enter(staff.email), await visitor(server).enter(staff.email)]
    await nextCode(staff.account.id)
    const code = staff.code()
    const right = await one.post('/entrar/codigo', { Codigo: code, volver: '/consola/auditoria' })
    assert.deepEqual([right.status, right.headers.location], [303, '/consola/auditoria'])
    assert.equal((await one.get('/cuenta')).status, 200)
    const again = await two.post('/entrar/codigo', { Codigo: code })
    assert.equal(again.status, 400)
    assert.match(again.text, /ya se usó/)
    assert.equal((await two.get('/cuenta')).status, 303)
  })

  it('303: a return that climbs out of where it seems to stay is not taken', async () => {
    for (const volver of ['/consola/../entrar', '/consola/..', '/portal/./x', '/consola/.oculto', '/cuenta/../x'])
      assert.equal(safeReturn(volver), undefined, volver)
    for (const volver of ['/consola/agencias/ana.sur-2', '/portal/0f/webhooks/consulta.recibida', '/cuenta/clave'])
      assert.equal(safeReturn(volver), volver)
    const staff = await makeStaff(server)
    const half = await visitor(server).enter(staff.email)
    await nextCode(staff.account.id)
    const { headers } = await half.post('/entrar/codigo', { Codigo: staff.code(), volver: '/consola/../registro' })
    assert.equal(headers.location, '/consola')
  })

  it('303: a return to another site is not taken', async () => {
    const staff = await makeStaff(server)
    const half = await visitor(server).enter(staff.email)
    await nextCode(staff.account.id)
    const { headers } = await half.post('/entrar/codigo', { Codigo: staff.code(), volver: '//otro.example/' })
    assert.equal(headers.location, '/consola')
  })

  it('429: after a few wrong codes even the right one waits; each is in the audit log, and the owner is told once', async () => {
    const staff = await makeStaff(server)
    const half = await visitor(server).enter(staff.email)
    for (let guess = 0; guess < 6; guess++)
      assert.equal((await half.post('/entrar/codigo', { Codigo: `00000${guess}` })).status, 400)
    await nextCode(staff.account.id)
    const { status, headers } = await half.post('/entrar/codigo', { Codigo: staff.code() })
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 60)
    const acts = await server.store.query<{ act: string }>(
      sql`select act from audit_log where account_id = ${staff.account.id} and act like 'segundo-paso.%' order by id`,
    )
    assert.deepEqual(
      acts.map(({ act }) => act),
      [...Array(6).fill('segundo-paso.fallido'), 'segundo-paso.limite'],
    )
    const countWarnings = async () =>
      (await server.emails(staff.email)).filter(({ text }) => text.includes('varios códigos equivocados')).length
    assert.equal(await countWarnings(), 1)
    assert.equal(
      await server.store.transaction((tx) => recordWrongCode(tx, staff.account, 0)),
      false,
      'not twice a day',
    )
  })

  it('303: a recovery code stands in for the telephone once, and what is left is told', async () => {
    const staff = await makeStaff(server)
    const [code = ''] = staff.recoveryCodes
    const half = await visitor(server).enter(staff.email)
    const right = await half.post('/entrar/codigo', { Codigo: code.toUpperCase() })
    assert.deepEqual([right.status, right.headers.location], [303, '/cuenta/acceso'])
    assert.equal((await half.get('/cuenta')).status, 200)
    assert.match((await half.get('/cuenta/acceso')).text, /Le quedan 9 códigos/)
    await server.store.query(
      sql`update second_factors set recovery_hashes = '{}' where account_id = ${staff.account.id}`,
    )
    assert.match((await half.get('/cuenta/acceso')).text, /No le quedan códigos[^<]*<strong>Cree otros\.</)
    assert.match((await server.emails(staff.email))[0]?.text ?? '', /códigos de recuperación/)
    const again = await visitor(server).enter(staff.email)
    assert.equal((await again.post('/entrar/codigo', { Codigo: code })).status, 400)
  })

  it('200: a person without a second factor reaches only its set-up, and gets recovery codes once', async () => {
    const account = await makeAccount(server, { email: 'nueva@rodado.test' })
    await addStaff(server.store, account.id)
    const half = await visitor(server).enter(account.email)
    for (const path of INSIDE)
      assert.equal((await half.get(path)).headers.location?.split('?')[0], '/entrar/codigo', path)
    const { text } = await half.get('/entrar/codigo')
    assert.ok(text.includes('<svg class="qr"') && text.includes('Proteja su cuenta'))
    assert.equal((await half.get('/entrar/codigo')).text, text, 'the same when it is loaded again')
    const wrong = await half.post('/entrar/codigo', { Codigo: '123456' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /hora del teléfono/)
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') ?? ''
    const { TOTP } = await import('otpauth')
    const set = await half.post('/entrar/codigo', { Codigo: new TOTP({ secret }).generate(), volver: '/consola/apps' })
    assert.equal(set.status, 200)
    assert.equal(set.text.match(/<code>[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}<\/code>/g)?.length, 10)
    assert.ok(set.text.includes('href="/consola/apps"'))
    const [, file = ''] =
      /href="data:text\/plain;charset=utf-8,([^"]+)" download="codigos-de-recuperacion.txt"/.exec(set.text) ?? []
    assert.equal(decodeURIComponent(file).match(/^[a-z2-9-]{14}\r$/gm)?.length, 10, 'as a file')
    for (const shown of [set.text, decodeURIComponent(file)])
      assert.ok(shown.includes(`Códigos de recuperación de ${account.email} (Rodado)`), 'with whose they are')
    assert.ok(set.text.includes('data-copy="codigos"') && set.text.includes('data-print'))
    assert.match((await server.emails(account.email))[0]?.text ?? '', /Se configuró una app de códigos/)
    assert.equal((await half.get('/cuenta')).status, 200)
    assert.equal((await half.get('/entrar/codigo')).headers.location, '/consola')
  })

  it('303: a new password by mail does not pass by the second factor', async () => {
    const staff = await makeStaff(server)
    const token = await newLink(server.store, { purpose: 'clave', accountId: staff.account.id, hours: 1 })
    const thief = visitor(server)
    const reset = await thief.post(`/clave/${token}`, { Clave: 'otra frase larga' })
    assert.deepEqual([reset.status, reset.headers.location], [303, '/consola'])
    for (const path of INSIDE) assert.equal((await thief.get(path)).status, 303, path)
    assert.equal((await staff.visitor.get('/cuenta')).status, 303, 'and ends the open session')
  })

  it('303: an ended session’s cookie lends its second factor to no other', async () => {
    const staff = await makeStaff(server)
    const old = staff.visitor.cookie()
    await staff.visitor.post('/cuenta/sesiones')
    const thief = visitor(server, old)
    assert.equal((await thief.get('/cuenta')).status, 303)
    await thief.enter(staff.email)
    assert.equal((await thief.get('/cuenta')).headers.location, '/entrar/codigo?volver=%2Fcuenta')
  })

  it('200: changing the password or ending other sessions keeps what was shown in this one', async () => {
    const staff = await makeStaff(server)
    const other = await enterStaff(server, staff)
    assert.equal((await staff.visitor.post('/cuenta/sesiones')).status, 303)
    assert.equal((await staff.visitor.get('/cuenta')).status, 200)
    assert.equal((await other.get('/cuenta')).status, 303)
    await staff.visitor.post('/cuenta/clave', { ClaveActual: PASSWORD, Clave: 'otra frase larga' })
    assert.equal((await staff.visitor.get('/cuenta')).status, 200)
  })

  it('303: staff enter the second factor again after twelve hours, and both after twelve hours without use', async () => {
    let now = new Date()
    const hoursLater = (hours: number) => {
      now = new Date(now.getTime() + hours * 3600_000)
    }
    const late = await startServer({ clock: () => now })
    try {
      const staff = await makeStaff(late)
      assert.equal((await staff.visitor.get('/cuenta')).status, 200)
      hoursLater(6)
      assert.equal((await staff.visitor.get('/cuenta')).status, 200)
      hoursLater(6)
      assert.equal((await staff.visitor.get('/cuenta')).headers.location, '/entrar/codigo?volver=%2Fcuenta')
      assert.equal((await staff.visitor.post('/entrar/codigo', { Codigo: staff.code(now) })).status, 303)
      assert.equal((await staff.visitor.get('/cuenta')).status, 200)
      hoursLater(12)
      assert.equal((await staff.visitor.get('/cuenta')).headers.location, '/entrar?volver=%2Fcuenta')
    } finally {
      await late.stop()
    }
  })

  it('303: who is not of the staff has no second step', async () => {
    await makeAccount(server, { email: 'agencia@agencia.test' })
    const person = await visitor(server).enter('agencia@agencia.test')
    assert.equal((await person.get('/entrar/codigo')).headers.location, '/cuenta')
    assert.equal((await person.post('/entrar/codigo', { Codigo: '123456' })).headers.location, '/cuenta')
    assert.equal((await visitor(server).get('/entrar/codigo')).headers.location, '/entrar')
  })

  it('every sign-in of the staff is in the audit log', async () => {
    const staff = await makeStaff(server)
    const acts = await server.store.query<{ act: string }>(
      sql`select act from audit_log where account_id = ${staff.account.id} order by id`,
    )
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['sesion.abrir'],
    )
  })
})
