import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Agencia, ProblemError } from '@rodado/client'
import sql from 'sql-template-tag'
import { startServer } from '../secrets/watched.ts'
import { eventsOf, FORM, newMail } from '../support/agencia.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { visitor } from '../support/visitor.ts'

const FIELDS = FORM as Record<string, string>

describe('story: from an invitation to an associated agency', () => {
  let server: TestServer
  let mailbox: Mailbox
  let one: TestApp
  let two: TestApp
  before(async () => {
    mailbox = await openMailbox()
    server = await startServer({ worker: { smtpUrl: mailbox.url } })
    ;[one, two] = [await server.newApp({ nombre: 'Gestor Uno' }), await server.newApp({ nombre: 'Gestor Dos' })]
  })
  after(async () => {
    await server.stop()
    await mailbox.close()
  })

  const invite = ({ client }: TestApp, AdminMail: string) => client.invitarAgencia({ AdminMail }).withResponse()
  const stateOf = async ({ client }: TestApp, adminMail: string) => {
    const { Estado, Invitacion } = await client.verAgencia({ adminMail })
    return [Estado, Invitacion?.Estado ?? null]
  }
  const detach = ({ client }: TestApp, adminMail: string) => client.desasociarAgencia({ adminMail })
  const refusedWith = (status: number) => (error: unknown) => error instanceof ProblemError && error.status === status
  /** The link of the newest of so many emails. */
  const linkTo = async (mail: string, count = 1): Promise<string> => {
    const text = (await mailbox.waitFor(mail, count)).at(-1)?.mail.text ?? ''
    return /http:\/\/rodado\.test(\/registro\/[\w-]+)/.exec(text)?.[1] ?? ''
  }
  const agenciaId = async (mail: string): Promise<number> => {
    const [row] = await server.store.query<{ id: number }>(sql`select id from agencias where admin_mail = ${mail}`)
    return row?.id ?? 0
  }
  const eventsFor = async (app: TestApp, mail: string) =>
    (await eventsOf(server, app.app, await agenciaId(mail))).map(({ Topic }) => Topic)

  it('invited, emailed, opened by a scanner, registered by the person; the app is notified', async () => {
    const mail = newMail()
    const { status, location = '' } = await invite(one, mail)
    assert.equal(status, 202)
    const link = await linkTo(mail)
    for (let at = 0; at < 3; at++) assert.equal((await visitor(server).get(link)).status, 200)
    assert.deepEqual(await stateOf(one, mail), ['invitada', 'pendiente'])
    const ana = visitor(server)
    assert.equal((await ana.post(link, FIELDS)).status, 303)
    assert.match((await ana.get('/cuenta')).text, /Gestor Uno/)
    assert.equal((await one.client.request<Agencia>('GET', location)).Estado, 'asociada')
    assert.deepEqual(await eventsFor(one, mail), ['agencia.registrada'])
  })

  it('renewed: the second email works, the link of the first is invalid', async () => {
    const mail = newMail()
    await invite(one, mail)
    const first = await linkTo(mail)
    await invite(one, mail)
    const second = await linkTo(mail, 2)
    assert.equal((await visitor(server).post(first, FIELDS)).status, 404)
    assert.equal((await visitor(server).post(second, FIELDS)).status, 303)
    assert.deepEqual(await stateOf(one, mail), ['asociada', 'aceptada'])
  })

  it('expired: the page says so, the app reads vencida, and invites again', async () => {
    const mail = newMail()
    await invite(one, mail)
    const link = await linkTo(mail)
    await server.store.query(sql`update invitaciones set vence = now() where admin_mail = ${mail}`)
    assert.equal((await visitor(server).post(link, FIELDS)).status, 410)
    assert.deepEqual(await stateOf(one, mail), ['invitada', 'vencida'])
    await invite(one, mail)
    assert.equal((await visitor(server).post(await linkTo(mail, 2), FIELDS)).status, 303)
  })

  it('bounced: permanently refused, the app reads rebotada; invited again, it is pending', async () => {
    const mail = newMail()
    mailbox.refuse('to', 550)
    await invite(one, mail)
    await until(async () => (await stateOf(one, mail))?.toString() === 'invitada,rebotada')
    await assert.rejects(detach(one, mail), refusedWith(403))
    mailbox.release()
    assert.equal((await invite(one, mail)).status, 202)
    assert.deepEqual(await stateOf(one, mail), ['invitada', 'pendiente'])
    assert.equal((await visitor(server).post(await linkTo(mail), FIELDS)).status, 303)
  })

  it('two inviters: the first link registers; the other asks to sign in and associates its app too', async () => {
    const mail = newMail()
    await invite(one, mail)
    const first = await linkTo(mail)
    await invite(two, mail)
    const second = await linkTo(mail, 2)
    const ana = visitor(server)
    assert.equal((await ana.post(first, FIELDS)).status, 303)
    assert.deepEqual(await stateOf(two, mail), ['invitada', 'pendiente'])
    assert.equal((await visitor(server).post(second, FIELDS)).status, 303) // to sign in
    assert.deepEqual(await stateOf(two, mail), ['invitada', 'pendiente'])
    await assert.rejects(invite(two, mail), refusedWith(409))
    assert.equal((await ana.post(second, {})).status, 303)
    assert.deepEqual(await stateOf(two, mail), ['asociada', 'aceptada'])
    assert.deepEqual(await eventsFor(two, mail), ['agencia.registrada'])
    assert.deepEqual(await eventsFor(one, mail), ['agencia.registrada'])
  })

  it('detached: the app sees nothing, the person signs in as before, the other app is not affected', async () => {
    const mail = newMail()
    await invite(one, mail)
    const ana = visitor(server)
    await ana.post(await linkTo(mail), FIELDS)
    await detach(one, mail)
    await assert.rejects(stateOf(one, mail), refusedWith(404))
    assert.deepEqual(await eventsFor(one, mail), [])
    const again = await visitor(server).enter(mail)
    assert.match((await again.get('/cuenta')).text, /Automotores del Sur/)
  })

  it('no log line contains a name, an address or a token', async () => {
    const mail = newMail()
    await invite(one, mail)
    const link = await linkTo(mail)
    await visitor(server).post(link, FIELDS)
    await one.client.editarAgencia({ adminMail: mail }, { Nombre: 'Autos Quebracho' })
    await one.client.listarAgencias({ operador: mail })
    const logged = server.logged()
    assert.ok(logged.includes('/v3/agencias'), 'routes are logged')
    for (const secret of [
      '@agencia.test',
      '%40',
      link.split('/').at(-1) ?? '',
      'Quebracho',
      'Automotores',
      FIELDS.Clave,
    ])
      assert.ok(!logged.includes(secret ?? ''), secret)
  })
})
