import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ProblemError } from '@rodado/client'
import sql from 'sql-template-tag'
import { startServer } from '../secrets/watched.ts'
import { eventsOf, newMail, FORM as REGISTRATION } from '../support/agencia.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { onPageOf } from '../support/pages.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { PASSWORD, visitor } from '../support/visitor.ts'

const FORM = REGISTRATION as Record<string, string>
const TELEPHONE = { viewport: { width: 360, height: 740 }, isMobile: true }

/** A user with a telephone, a real browser and mail server; tests/stories/invitation.test.ts covers the rest. */
describe('story: a dealership on a telephone', () => {
  let server: TestServer
  let mailbox: Mailbox
  let crm: TestApp
  let poster: TestApp
  before(async () => {
    mailbox = await openMailbox()
    server = await startServer({ worker: { smtpUrl: mailbox.url }, env: { SUPPORT_MAIL: 'ayuda@rodado.test' } })
    ;[crm, poster] = [await server.newApp({ nombre: 'CRM del Sur' }), await server.newApp({ nombre: 'Publicador' })]
  })
  after(async () => {
    await server?.stop()
    await mailbox?.close()
  })

  const invite = ({ client }: TestApp, AdminMail: string, more: Record<string, string> = {}) =>
    client.invitarAgencia({ AdminMail, ...more }).withResponse()
  /** The path of the link in the newest of so many emails. */
  const linkIn = async (mail: string, count = 1) => {
    const received = (await mailbox.waitFor(mail, count)).at(-1)
    return /\/registro\/[\w-]{43}/.exec(received?.mail.text ?? '')?.[0] ?? ''
  }
  const stateOf = ({ client }: TestApp, adminMail: string) => client.verAgencia({ adminMail })
  const problem = (attempt: Promise<unknown>): Promise<ProblemError> =>
    attempt.then(
      () => assert.fail('was not refused'),
      (error) => error,
    )
  const registered = async (app: TestApp, mail = newMail()) => {
    await invite(app, mail)
    const path = await linkIn(mail)
    assert.equal((await visitor(server).post(path, FORM)).status, 303)
    return mail
  }
  const idOf = async (mail: string) => {
    const [row] = await server.store.query<{ id: number }>(sql`select id from agencias where admin_mail = ${mail}`)
    return row?.id ?? 0
  }

  it('is invited, gets the email, registers on a telephone, and the app is notified', async () => {
    const mail = newMail('rosa')
    const invited = await invite(crm, mail, {
      Nombre: 'Autos Paraná',
      Region: 'Sta Fe',
      Ciudad: 'ROSARIO',
      Mensaje: 'Vea www.crm.test',
    })
    assert.equal(invited.status, 202)
    assert.equal(invited.location, `/v3/agencias/${mail}`)
    assert.deepEqual([invited.data, (await stateOf(crm, mail)).Estado], [undefined, 'invitada'])

    const [received] = await mailbox.waitFor(mail)
    assert.match(received?.mail.subject ?? '', /CRM del Sur/)
    assert.ok(!/href="[^"]*crm\.test/.test(received?.mail.html ?? ''), 'the message has no link')
    await onPageOf(server, 'historia-registro', TELEPHONE, async (page) => {
      await page.goto(`${server.url}${await linkIn(mail)}`)
      assert.ok(await page.getByText('CRM del Sur').first().isVisible())
      await page.getByLabel('Nombre', { exact: true }).fill('Rosa')
      await page.getByLabel('Apellido', { exact: true }).fill('Díaz')
      await page.getByLabel('Elija una contraseña').fill(PASSWORD)
      await page.getByRole('button', { name: 'Registrar la agencia' }).click()
      await page.waitForURL('**/cuenta')
      assert.ok(await page.getByRole('heading', { level: 1, name: 'Autos Paraná' }).isVisible())
    })

    const agencia = await stateOf(crm, mail)
    assert.deepEqual([agencia.Estado, agencia.Region, agencia.Ciudad], ['asociada', 'Santa Fe', 'Rosario'])
    assert.deepEqual(agencia.Administrador, { Nombre: 'Rosa', Apellido: 'Díaz', Email: mail })
    const [event, ...more] = await eventsOf(server, crm.app, await idOf(mail))
    assert.deepEqual([event.Topic, event.AdminMail, more.length], ['agencia.registrada', mail, 0])
    assert.equal((await problem(stateOf(poster, mail))).status, 404, 'another app sees nothing')
  })

  it('if registered already, it connects another app on the page that its 409 names', async () => {
    const mail = await registered(crm)
    const refused = await problem(invite(poster, mail))
    assert.equal(refused.code, 'conflicto')
    assert.match(refused.detail, /ayuda@rodado\.test/)
    const connect = new URL(String(refused.extensions.Conectar)).pathname
    assert.equal(connect, `/conectar/${poster.app.appKey}`)

    await onPageOf(server, 'historia-conectar', TELEPHONE, async (page) => {
      await page.goto(`${server.url}${connect}`)
      await page.getByLabel('Correo').fill(mail)
      await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByRole('heading', { level: 1 }).getByText('Publicador').waitFor()
      await page.getByLabel('Editar los datos de la agencia').check()
      await page.getByRole('button', { name: 'Aceptar y asociar' }).click()
      await page.waitForURL('**/cuenta')
    })
    const agencia = await stateOf(poster, mail)
    assert.deepEqual([agencia.Estado, agencia.Invitacion], ['asociada', null])
    assert.equal(agencia._links.editar?.method, 'PUT')
  })

  it('leaves no personal data and no link in the log', () => {
    const log = server.logged()
    assert.ok(log.includes('"request"'))
    const tokens = mailbox.mails.map(({ mail }) => /\/registro\/([\w-]{43})/.exec(mail.text ?? '')?.[1] ?? 'none')
    assert.ok(tokens.length >= 2)
    for (const secret of ['@agencia.test', 'Rosa', 'Díaz', FORM.Telefono ?? '', PASSWORD, ...tokens])
      assert.ok(!log.includes(secret), `the log holds ${secret}`)
  })

  it('leaves no link of a sent email in the database', async () => {
    const emails = await server.emails()
    assert.ok(emails.length > 0)
    const [{ text } = { text: '' }] = emails
    for (const { mail } of mailbox.mails) {
      const token = /\/registro\/([\w-]{43})/.exec(mail.text ?? '')?.[1]
      assert.ok(!token || !text.includes(token))
    }
  })
})
