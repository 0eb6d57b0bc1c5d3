import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, emailsTo, eventsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { startServer, type TestApp, type TestServer } from '../../../tests/support/server.ts'
import { untilBlocked } from '../../../tests/support/until-blocked.ts'
import { newLink, useLink } from '../../accounts/links.ts'
import { findAccountById } from '../../accounts/store.ts'
import type { Agencia } from './agencia.ts'
import { connect, INVITER } from './associations.ts'
import type { AgenciasDeps } from './context.ts'
import { blockInvitaciones, MAX_INVITACIONES_A_DAY } from './invitacion-store.ts'
import { join, readCollaboration } from './join.ts'
import { inviteOperador, removeOperador, withdrawInvitation } from './operadores.ts'
import { agenciasOfAccount, lockAgencia, pendingOperadores } from './read.ts'

const PERSON = { Nombre: 'Luz', Apellido: 'Rey', Clave: 'otra frase larga' }

describe('the people of an agency', () => {
  let server: TestServer
  let deps: AgenciasDeps
  let app: TestApp
  before(async () => {
    server = await startServer()
    deps = depsOf(server)
    app = await server.newApp()
  })
  after(() => server.stop())

  async function inviteAndReadToken(
    agencia: Agencia,
    email: string,
    rol: 'administrador' | 'vendedor',
  ): Promise<string> {
    assert.deepEqual(await inviteOperador(deps, { agencia, email, rol }), { kind: 'invited' })
    return /\/colaborar\/([\w-]{43})/.exec((await emailsTo(deps, email)).at(-1)?.text ?? '')?.[1] ?? ''
  }
  const topics = async (agencia: Agencia) => (await eventsOf(deps, app.app, agencia.id)).map(({ Topic }) => Topic)

  it('a collaborator is asked, chooses a password, is shown to the app, and is removed and signed out', async () => {
    const { agencia, mail } = await makeAgencia(deps, app.app)
    const email = newMail('luz')
    const token = await inviteAndReadToken(agencia, email.toUpperCase().toLowerCase(), 'vendedor')
    assert.deepEqual(
      (await pendingOperadores(server.store, agencia.id)).map((each) => each.email),
      [email],
    )
    assert.equal((await readCollaboration(server.store, token)).kind, 'open')
    const invalid = await join(deps, token, { Clave: 'x' })
    assert.ok(invalid.kind === 'invalid')
    assert.deepEqual(Object.keys(invalid.errors), ['Nombre', 'Apellido', 'Clave'])

    const all = await Promise.all([1, 2, 3].map(() => join(deps, token, PERSON)))
    assert.deepEqual(all.map(({ kind }) => kind).sort(), ['joined', 'used', 'used'])
    const joined = all.find((each) => each.kind === 'joined')
    assert.ok(joined?.kind === 'joined')
    const { json } = await app.get(`/v3/agencias/${mail}`)
    assert.deepEqual(json.Operadores[1], { Nombre: 'Luz', Apellido: 'Rey', Email: email, Rol: 'vendedor' })
    assert.deepEqual(await topics(agencia), ['agencia.registrada', 'agencia.modificada'])
    const found = await app.get(`/v3/agencias?operador=${email}`)
    assert.equal(found.json._entries[0].AdminMail, mail)
    assert.deepEqual(await inviteOperador(deps, { agencia, email, rol: 'vendedor' }), { kind: 'already' })
    assert.equal((await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: email }) })).status, 409)

    assert.equal(await removeOperador(deps, agencia, joined.account.id), true)
    assert.equal(await removeOperador(deps, agencia, joined.account.id), false)
    const account = await findAccountById(server.store, joined.account.id)
    assert.equal(account?.version, joined.account.version + 1)
    assert.equal((await app.get(`/v3/agencias/${mail}`)).json.Operadores.length, 1)
  })

  it('403: an administrator who was replaced while a request waited decides about nobody any more', async () => {
    const { agencia, account: former } = await makeAgencia(deps, app.app)
    const seller = await join(deps, await inviteAndReadToken(agencia, newMail('vende'), 'vendedor'), PERSON)
    assert.ok(seller.kind === 'joined')
    const taken = await join(deps, await inviteAndReadToken(agencia, newMail('jefa'), 'administrador'), PERSON)
    assert.equal(taken.kind, 'joined')
    for (const rol of ['administrador', 'vendedor'] as const) {
      const email = newMail('tarde')
      await assert.rejects(inviteOperador(deps, { agencia, email, rol, by: former }), { status: 403 })
      assert.deepEqual(await emailsTo(deps, email), [])
    }
    await assert.rejects(removeOperador(deps, agencia, seller.account.id, former), { status: 403 })
  })

  it('an invitation that is accepted while it is withdrawn was not withdrawn', async () => {
    const { agencia, account: by } = await makeAgencia(deps, app.app)
    for (const who of [by, undefined]) {
      const token = await inviteAndReadToken(agencia, newMail('luz'), 'vendedor')
      const [{ accountId } = { accountId: 0 }] = await pendingOperadores(server.store, agencia.id)
      let withdrawing: Promise<unknown> | undefined
      await server.store.transaction(async (tx) => {
        await useLink(tx, token, 'colaborar')
        withdrawing = withdrawInvitation(deps, agencia, accountId, who)
        await untilBlocked(server.store)
      })
      assert.equal(await withdrawing, false)
    }
  })

  it('used: an invitation that the administrator withdraws while it is accepted; neither waits for the other', async () => {
    const { agencia, account: by } = await makeAgencia(deps, app.app)
    const token = await inviteAndReadToken(agencia, newMail('luz'), 'vendedor')
    const [{ accountId } = { accountId: 0 }] = await pendingOperadores(server.store, agencia.id)
    let joining: ReturnType<typeof join> | undefined
    await server.store.transaction(async (tx) => {
      await lockAgencia(tx, agencia.id)
      joining = join(deps, token, PERSON)
      joining.catch(() => undefined)
      await untilBlocked(server.store)
      assert.equal(await withdrawInvitation({ ...deps, store: tx }, agencia, accountId, by), true)
    })
    assert.deepEqual(await joining, { kind: 'used' })
  })

  it('the administrator cannot be removed, and only three letters a day go to one address', async () => {
    const { agencia, account } = await makeAgencia(deps, app.app)
    assert.equal(await removeOperador(deps, agencia, account.id), false)
    const email = newMail()
    const first = await inviteAndReadToken(agencia, email, 'vendedor')
    for (let at = 0; at < 2; at++) await inviteAndReadToken(agencia, email, 'vendedor')
    assert.equal((await readCollaboration(server.store, first)).kind, 'used')
    assert.deepEqual(await inviteOperador(deps, { agencia, email, rol: 'vendedor' }), { kind: 'too-many' })
    assert.deepEqual(await inviteOperador(deps, { agencia, email: 'no', rol: 'vendedor' }), { kind: 'invalid' })
  })

  it('who asked for no more invitations is not asked by an agency, nor is the twenty-first of a day', async () => {
    const { agencia, account: by } = await makeAgencia(deps, app.app)
    const ask = (email: string) => inviteOperador(deps, { agencia, email, rol: 'vendedor', by })
    const blocked = newMail('no')
    await blockInvitaciones(server.store, blocked)
    assert.deepEqual(await ask(blocked), { kind: 'blocked' })
    assert.deepEqual(await emailsTo(deps, blocked), [])
    const link = { purpose: 'colaborar', accountId: by.id, agenciaId: agencia.id, rol: 'vendedor', hours: 1 } as const
    for (let count = 2; count < MAX_INVITACIONES_A_DAY; count++) await newLink(server.store, link)
    const both = await Promise.all([1, 2, 3].map(() => ask(newMail('luz'))))
    assert.deepEqual(both.map(({ kind }) => kind).sort(), ['flood', 'invited', 'invited'])
    assert.deepEqual(await inviteOperador(deps, { agencia, email: blocked, rol: 'vendedor' }), { kind: 'invited' })
    const other = await makeAgencia(deps, app.app)
    const invited = await inviteOperador(deps, { ...other, email: newMail(), rol: 'vendedor', by: other.account })
    assert.deepEqual(invited, { kind: 'invited' }, 'each agency has its own')
  })

  it('who has an account signs in to join; one person helps in several and administers one', async () => {
    const [first, second] = [await makeAgencia(deps, app.app), await makeAgencia(deps, app.app)]
    const token = await inviteAndReadToken(second.agencia, first.mail, 'vendedor')
    assert.equal((await join(deps, token, PERSON)).kind, 'sign-in')
    assert.equal((await join(deps, token, PERSON, second.account)).kind, 'sign-in')
    assert.equal((await join(deps, token, {}, first.account)).kind, 'joined')
    const roles = (await agenciasOfAccount(server.store, first.account)).map(({ id, rol }) => [id, rol])
    assert.deepEqual(roles, [
      [first.agencia.id, 'administrador'],
      [second.agencia.id, 'vendedor'],
    ])
    const over = await inviteAndReadToken(second.agencia, first.mail, 'administrador')
    assert.equal((await join(deps, over, {}, first.account)).kind, 'administers-another')
    assert.equal((await readCollaboration(server.store, over)).kind, 'open')
  })

  it('200 by both addresses: the administrator is replaced, the old address answers for 90 days, the apps are told', async () => {
    const { agencia, mail, account } = await makeAgencia(deps, app.app)
    const email = newMail('luz')
    const joined = await join(deps, await inviteAndReadToken(agencia, email, 'administrador'), PERSON)
    assert.equal(joined.kind, 'joined')
    const [now, before] = [await app.get(`/v3/agencias/${email}`), await app.get(`/v3/agencias/${mail}`)]
    assert.deepEqual(now.json, before.json)
    assert.equal(now.json.AdminMail, email)
    assert.equal(now.json._links.self.href, `/v3/agencias/${email}`)
    assert.deepEqual(now.json.Administrador, { Nombre: 'Luz', Apellido: 'Rey', Email: email })
    assert.equal(now.json.Operadores.length, 1)
    const event = (await eventsOf(deps, app.app, agencia.id)).at(-1)
    assert.deepEqual([event.Topic, event.AdminMail, event.AdminMailAnterior], ['agencia.modificada', email, mail])
    assert.equal((await findAccountById(server.store, account.id))?.version, account.version + 1)
    assert.equal((await emailsTo(deps, mail)).at(-1)?.kind, 'administrador-reemplazado')
    const edited = await app.call('PUT', `/v3/agencias/${mail}`, { body: JSON.stringify({ Nombre: 'Nuevo' }) })
    assert.equal(edited.json.AdminMail, email)

    await server.store.query(sql`update agencia_aliases set expires_at = now() where admin_mail = ${mail}`)
    assert.equal((await app.get(`/v3/agencias/${mail}`)).status, 404)
    assert.equal((await app.get(`/v3/agencias/${email}`)).status, 200)
  })

  it('204: a former address that is invited anew means that invitation; revoking it leaves the agency alone', async () => {
    const { agencia, mail } = await makeAgencia(deps, app.app)
    const email = newMail()
    await join(deps, await inviteAndReadToken(agencia, email, 'administrador'), PERSON)
    await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: mail, Nombre: 'Segunda' }) })
    const invited = await app.get(`/v3/agencias/${mail}`)
    assert.deepEqual([invited.json.AdminMail, invited.json.Estado], [mail, 'invitada'])
    assert.equal((await app.call('PUT', `/v3/agencias/${mail}`, { body: '{"Nombre":"No"}' })).status, 403)
    assert.equal((await app.call('PATCH', `/v3/agencias/${mail}/desasociar`)).status, 204)
    assert.equal((await app.get(`/v3/agencias/${email}`)).json.Estado, 'asociada')
  })

  it('200 by the old address also for an app whose invitation bounced before it was associated', async () => {
    const other = await server.newApp()
    const mail = newMail()
    await other.client.invitarAgencia({ AdminMail: mail })
    await server.store.query(sql`
      update invitaciones set estado = 'rebotada', ended_at = now() where app_id = ${other.app.id} and admin_mail = ${mail}`)
    const { agencia } = await makeAgencia(deps, app.app, { mail })
    await connect(deps, other.app, agencia, INVITER)
    const accepted = await other.get(`/v3/agencias/${mail}`)
    assert.deepEqual([accepted.json.Estado, accepted.json.Invitacion.Estado], ['asociada', 'aceptada'])
    const email = newMail()
    await join(deps, await inviteAndReadToken(agencia, email, 'administrador'), PERSON)
    for (const path of [`/v3/agencias/${mail}`, `/v3/consultas/${mail}`, `/v3/publicaciones/${mail}`])
      assert.equal((await other.get(path)).status, 200, path)
    assert.equal((await other.get(`/v3/agencias/${mail}`)).json.AdminMail, email)
  })

  it('a former address that gets an agency of its own is no alias any more', async () => {
    const { agencia, mail } = await makeAgencia(deps, app.app)
    await join(deps, await inviteAndReadToken(agencia, newMail(), 'administrador'), PERSON)
    await server.store.query(sql`update accounts set password_hash = null where email = ${mail}`)
    const { agencia: own } = await makeAgencia(deps, app.app, { mail, Nombre: 'Propia' })
    assert.equal((await app.get(`/v3/agencias/${mail}`)).json.Nombre, 'Propia')
    assert.notEqual(own.id, agencia.id)
  })
})
