import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, FORM, invitedToken, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import type { AgenciasDeps } from './context.ts'
import { asociacionesOf, findAgencia } from './read.ts'
import { acceptInvitacion, readInvitacion, register } from './register.ts'

describe('registering an agency that was invited', () => {
  let server: TestServer
  let deps: AgenciasDeps
  let one: TestApp
  let two: TestApp
  before(async () => {
    server = await startServer()
    deps = depsOf(server)
    ;[one, two] = [await server.newApp({ nombre: 'Uno' }), await server.newApp({ nombre: 'Dos' })]
  })
  after(() => server.stop())

  const count = async (table: 'agencias' | 'accounts', mail: string) => {
    const where = table === 'agencias' ? sql`agencias where admin_mail = ${mail}` : sql`accounts where email = ${mail}`
    const [row] = await server.store.query<{ count: number }>(sql`select count(*) from ${where}`)
    return row?.count
  }

  it('registered: account, agency, association and event are there together; the link is used', async () => {
    const mail = newMail()
    const token = await invitedToken(deps, one.app, { AdminMail: mail, Direccion: 'Espora 1200' })
    assert.equal((await readInvitacion(server.store, token)).kind, 'open')
    const done = await register(deps, token, FORM)
    assert.ok(done.kind === 'registered')
    assert.deepEqual([done.account.email, done.account.nombre, done.account.hasPassword], [mail, 'Ana', true])
    const agencia = await findAgencia(server.store, one.app, mail)
    assert.equal(agencia?.ciudad, 'Temperley')
    assert.equal(agencia?.direccion, 'Espora 1200')
    assert.deepEqual(agencia?.permisos, { editar: true, consultasDeCatalogo: false, consultasDeOtros: false })
    assert.equal(agencia?.invitacion?.estado, 'aceptada')
    const [event, ...more] = await eventsOf(deps, one.app, done.agencia.id)
    assert.deepEqual(more, [])
    assert.match(event.Id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
    assert.deepEqual(
      { ...event, Id: '', Momento: '' },
      {
        Id: '',
        Topic: 'agencia.registrada',
        Version: 1,
        Momento: '',
        Agencia: { href: `/v3/agencias/${mail}`, title: `Automotores del Sur (${mail})` },
        AdminMail: mail,
      },
    )
    assert.equal((await readInvitacion(server.store, token)).kind, 'used')
  })

  it('registered once: ten submits at the same moment end in the same account', async () => {
    const mail = newMail()
    const token = await invitedToken(deps, one.app, { AdminMail: mail })
    const all = await Promise.all(Array.from({ length: 10 }, () => register(deps, token, FORM)))
    assert.deepEqual([...new Set(all.map(({ kind }) => kind))], ['registered'])
    assert.deepEqual([await count('agencias', mail), await count('accounts', mail)], [1, 1])
    const agencia = await findAgencia(server.store, one.app, mail)
    assert.equal((await eventsOf(deps, one.app, agencia?.id ?? 0)).length, 1)
    assert.equal((await register(deps, token, { ...FORM, Clave: 'otra clave distinta' })).kind, 'used')
  })

  it('two inviters: both links used at once register one agency; the other asks to sign in and then associates', async () => {
    const mail = newMail()
    const tokens = [
      await invitedToken(deps, one.app, { AdminMail: mail }),
      await invitedToken(deps, two.app, { AdminMail: mail }),
    ]
    const results = await Promise.all(tokens.map((token) => register(deps, token, FORM)))
    assert.deepEqual(results.map(({ kind }) => kind).sort(), ['registered', 'sign-in'])
    assert.equal(await count('agencias', mail), 1)
    const winner = results.find((each) => each.kind === 'registered')
    assert.ok(winner?.kind === 'registered')
    const late = tokens[results[0] === winner ? 1 : 0] ?? ''
    assert.equal((await readInvitacion(server.store, late)).kind, 'registered-already')
    const accepted = await Promise.all([1, 2, 3].map(() => acceptInvitacion(deps, late, winner.account)))
    assert.deepEqual(accepted.map(({ kind }) => kind).sort(), ['associated', 'used', 'used'])
    const apps = (await asociacionesOf(server.store, winner.agencia.id)).map(({ app }) => app.nombre)
    assert.deepEqual(apps.sort(), ['Dos', 'Uno'])
    for (const { app } of [one, two]) assert.equal((await eventsOf(deps, app, winner.agencia.id)).length, 1)
  })

  it('only the owner of the address accepts a second link', async () => {
    const [mine, other] = [await makeAgencia(deps, one.app), await makeAgencia(deps, one.app)]
    const mail = newMail()
    const token = await invitedToken(deps, two.app, { AdminMail: mail })
    assert.equal((await acceptInvitacion(deps, token, mine.account)).kind, 'other-account')
    assert.equal((await acceptInvitacion(deps, 'x'.repeat(43), other.account)).kind, 'unknown')
  })

  it('expired: after its days, when revoked, when its app is disabled; unknown: any other token', async () => {
    const mail = newMail()
    const token = await invitedToken(deps, one.app, { AdminMail: mail })
    await server.store.query(sql`update invitaciones set vence = now() where admin_mail = ${mail}`)
    const read = await readInvitacion(server.store, token)
    assert.ok(read.kind === 'expired' && read.estado === 'vencida')
    assert.equal((await register(deps, token, FORM)).kind, 'expired')
    assert.equal((await register(deps, 'x'.repeat(43), FORM)).kind, 'unknown')
  })

  it('invalid: every fault at once, by field, with the places that came near; nothing is made', async () => {
    const mail = newMail()
    const token = await invitedToken(deps, one.app, { AdminMail: mail })
    const answer = await register(deps, token, {
      Nombre: ' ',
      Telefono: 'x',
      Clave: 'corta',
      Region: 'Mendoza',
      Ciudad: 'San Xyz',
    })
    assert.ok(answer.kind === 'invalid')
    assert.deepEqual(Object.keys(answer.errors).sort(), [
      'AdminApellido',
      'AdminNombre',
      'Ciudad',
      'Clave',
      'Nombre',
      'Telefono',
    ])
    const alone = await register(deps, token, { ...FORM, Region: '' })
    assert.ok(alone.kind === 'invalid' && alone.errors.Region)
    assert.equal(await count('agencias', mail), 0)
    assert.equal((await readInvitacion(server.store, token)).kind, 'open')
  })

  it('renewed: the new link works, the former one is dead', async () => {
    const mail = newMail()
    const first = await invitedToken(deps, one.app, { AdminMail: mail })
    const second = await invitedToken(deps, one.app, { AdminMail: mail })
    assert.notEqual(first, second)
    assert.equal((await emailsTo(deps, mail)).length, 2)
    assert.equal((await readInvitacion(server.store, first)).kind, 'unknown')
    assert.equal((await register(deps, second, FORM)).kind, 'registered')
  })

  it('the token is in the mail and nowhere else', async () => {
    const token = await invitedToken(deps, one.app, { AdminMail: newMail() })
    for (const table of ['invitaciones', 'mails', 'events'] as const) {
      const [row] = await server.store.query<{ all: string | null }>(
        sql`select string_agg(t::text, ' ') as all from ${table === 'invitaciones' ? sql`invitaciones t` : table === 'mails' ? sql`mails t` : sql`events t`}`,
      )
      assert.ok(!row?.all?.includes(token))
    }
    assert.ok(!server.logged().includes(token))
  })
})
