import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase, urlOf } from '../../tests/support/database.ts'
import { readLink } from '../accounts/links.ts'
import { membershipsOf } from '../accounts/members.ts'
import { isPasswordOf } from '../accounts/password.ts'
import { readStaffInvitation } from '../accounts/staff.ts'
import { findAccount } from '../accounts/store.ts'
import { createApp } from '../apps/store.ts'
import { createSeal } from '../store/sealed.ts'
import { run } from './run.ts'

const PASSWORD = 'una frase larga'

describe('rodado user', () => {
  let database: TestDatabase
  let env: Record<string, string>
  const masterKey = randomBytes(32)
  before(async () => {
    database = await createDatabase()
    env = { DATABASE_URL: urlOf(database.connection), MASTER_KEY: masterKey.toString('hex') }
  })
  after(() => database.drop())

  async function user(args: string[], typed = '') {
    const [out, err, input] = [new PassThrough(), new PassThrough(), new PassThrough()]
    input.end(typed)
    const code = await run(['user', ...args], { out, err, input, env })
    return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
  }
  const json = async (args: string[], typed = '') => {
    const { code, out, err } = await user([...args, '--json'], typed)
    assert.deepEqual([code, err], [0, ''])
    return JSON.parse(out)
  }
  const account = (email: string) => findAccount(database.store, 'produccion', email)

  it('create with a password: staff at once, and the password is on no command line', async () => {
    const made = await json(
      ['create', '--email', 'UNO@mercado.test', '--nombre', 'Uno', '--clave', '-'],
      `${PASSWORD}\n`,
    )
    assert.deepEqual(made, { Email: 'uno@mercado.test', Enlace: null })
    const uno = await account('uno@mercado.test')
    assert.ok(uno?.staff && uno.nombre === 'Uno' && (await isPasswordOf(database.store, uno, PASSWORD)))
    const shown = await user(['create', '--email', 'x@mercado.test', '--clave', PASSWORD])
    assert.equal(shown.code, 2)
    const weak = await user(['create', '--email', 'x@mercado.test', '--clave', '-'], '12345678\n')
    assert.equal(weak.code, 1)
    assert.equal(await account('x@mercado.test'), undefined)
    const again = await user(['create', '--email', 'uno@mercado.test'])
    assert.deepEqual([again.code, again.err], [1, 'rodado user: uno@mercado.test is already staff.\n'])
  })

  it('create of somebody who has an account: their sessions end before the second factor is set up', async () => {
    const { app } = await createApp(database.store, createSeal(masterKey), { nombre: 'Otro', modo: 'prueba' })
    await json(['create', '--email', 'cero@mercado.test', '--app', app.appKey, '--clave', '-'], PASSWORD)
    const before = await account('cero@mercado.test')
    assert.deepEqual(await json(['create', '--email', 'cero@mercado.test']), { Email: before?.email, Enlace: null })
    const joined = await account('cero@mercado.test')
    assert.deepEqual([joined?.staff, joined?.version], [true, (before?.version ?? 0) + 1])
    await json(['remove', 'cero@mercado.test', '--app', app.appKey])
    await json(['remove', 'cero@mercado.test'])
  })

  it('create without one: a link, and nothing before it is used', async () => {
    const { Enlace } = await json(['create', '--email', 'dos@mercado.test', '--nombre', 'Dos'])
    assert.equal((await account('dos@mercado.test'))?.staff, false)
    const read = await readStaffInvitation(database.store, Enlace.split('/').at(-1))
    assert.ok(read.kind === 'open' && read.account?.email === 'dos@mercado.test' && read.account.nombre === 'Dos')
    const listed = await json(['list'])
    assert.deepEqual(
      listed.map((each: { Email: string; Personal: boolean; Estado: string }) => [
        each.Email,
        each.Personal,
        each.Estado,
      ]),
      [
        ['dos@mercado.test', false, 'invitado'],
        ['uno@mercado.test', true, 'activo'],
      ],
    )
    assert.match((await user(['list'])).out, /uno@mercado\.test {2}staff, second factor not set up/)
    await json(['remove', 'dos@mercado.test'])
    assert.equal((await readStaffInvitation(database.store, Enlace.split('/').at(-1))).kind, 'used')
  })

  it('create --app: a developer, by a link or with a password', async () => {
    const { app } = await createApp(database.store, createSeal(masterKey), { nombre: 'Gestor', modo: 'prueba' })
    const team = ['--app', app.appKey.toUpperCase(), '--rol', 'titular']
    const { Enlace } = await json(['create', '--email', 'dev@gestor.test', ...team])
    const link = await readLink(database.store, Enlace.split('/equipo/').at(-1), 'equipo')
    assert.deepEqual([link?.state, link?.appId, link?.rol], ['open', app.id, 'titular'])
    const stateOf = async (url: string) =>
      (await readLink(database.store, url.split('/equipo/').at(-1) ?? '', 'equipo'))?.state
    const again = await json(['create', '--email', 'dev@gestor.test', '--app', app.appKey])
    assert.deepEqual([await stateOf(Enlace), await stateOf(again.Enlace)], ['used', 'open'], 'the newest link counts')
    await json(['remove', 'dev@gestor.test', '--app', app.appKey])
    assert.equal(await stateOf(again.Enlace), 'used', 'who was asked and has not come can be removed')
    await json(['create', '--email', 'tita@gestor.test', ...team, '--clave', '-'], PASSWORD)
    const tita = (await account('tita@gestor.test')) ?? assert.fail()
    for (const act of [
      ['remove', tita.email],
      ['create', '--email', tita.email],
    ])
      assert.match((await user([...act, '--app', app.appKey])).err, /the only titular/)
    assert.deepEqual(await membershipsOf(database.store, tita.id), [{ appKey: app.appKey, rol: 'titular' }])
    await json(['create', '--email', 'dora@gestor.test', '--app', app.appKey, '--clave', '-'], PASSWORD)
    const dora = await account('dora@gestor.test')
    assert.ok(dora && !dora.staff)
    const here = { appKey: app.appKey, rol: 'desarrollador' }
    assert.deepEqual(await membershipsOf(database.store, dora.id), [here])
    const [listed] = (await json(['list'])).filter((each: { Email: string }) => each.Email === dora.email)
    assert.deepEqual(listed.Apps, [{ AppKey: app.appKey, Rol: 'desarrollador' }])
    await json(['remove', 'dora@gestor.test', '--app', app.appKey])
    assert.deepEqual(await membershipsOf(database.store, dora.id), [])
    assert.ok(((await account('dora@gestor.test'))?.version ?? 0) > dora.version, 'sessions end')
  })

  it('remove: never the last; reset-totp: only what is set up', async () => {
    const last = await user(['remove', 'uno@mercado.test'])
    assert.equal(last.code, 1)
    assert.match(last.err, /last staff member/)
    await json(['create', '--email', 'tres@mercado.test', '--clave', '-'], PASSWORD)
    const before = await account('tres@mercado.test')
    const none = await user(['reset-totp', 'tres@mercado.test'])
    assert.deepEqual([none.code, /no second factor/.test(none.err)], [1, true])
    await database.store.query(
      sql`insert into second_factors (account_id, sealed_totp) values (${before?.id}, '\\x01')`,
    )
    assert.deepEqual(await json(['reset-totp', 'tres@mercado.test']), {
      Email: 'tres@mercado.test',
      SegundoPaso: false,
    })
    assert.ok(((await account('tres@mercado.test'))?.version ?? 0) > (before?.version ?? 0))
    const sentEmails = await database.store.query(sql`
      select from mails where to_address = 'tres@mercado.test' and kind = 'segundo-paso'`)
    assert.equal(sentEmails.length, 1, 'the owner is told')
    assert.match((await user(['remove', 'TRES@mercado.test'])).out, /no longer a staff member/)
    assert.equal((await account('tres@mercado.test'))?.staff, false)
    const acts = await database.store.query<{ act: string }>(
      sql`select act from audit_log where via = 'comando' and subject = ${`cuenta ${before?.id}`} order by id`,
    )
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['personal.crear', 'segundo-paso.reiniciar', 'personal.quitar'],
    )
  })

  it('2, 1: a wrong command line is reported', async () => {
    const cases: [string[], number, RegExp][] = [
      [[], 2, /say what to do/],
      [['make'], 2, /no "user make"/],
      [['create'], 2, /--email is needed/],
      [['create', '--email', 'x@y.test', '--rol', 'titular'], 2, /--app/],
      [['create', '--email', 'x@y.test', '--app', 'f'.repeat(32), '--rol', 'jefe'], 2, /titular or desarrollador/],
      [['create', '--email', 'x@y.test', '--app', 'f'.repeat(32)], 1, /no app with that AppKey/],
      [['remove'], 2, /name the MAIL/],
      [['remove', 'nadie@mercado.test'], 1, /not a staff member/],
      [['reset-totp', 'nadie@mercado.test'], 1, /has no account/],
    ]
    for (const [args, code, message] of cases) {
      const ran = await user(args)
      assert.equal(ran.code, code, args.join(' '))
      assert.match(ran.err, message)
    }
  })
})
