import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { emailsTo } from '../../../../tests/support/agencia.ts'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { fill, follow, isTitled, press, refused, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { until } from '../../../../tests/support/until.ts'
import { makeAccount, PASSWORD, visitor } from '../../../../tests/support/visitor.ts'
import { inviteMember } from '../../../access/invitations.ts'
import { newLink } from '../../../accounts/links.ts'
import { leaveTeam, listMembers } from '../../../accounts/members.ts'
import { blockInvitaciones, MAX_INVITACIONES_A_DAY } from '../../../resources/agencias/invitacion-store.ts'

const NEWCOMER = { Nombre: 'Eva', Apellido: 'Luna', Clave: 'otra frase larga' }

describe('an app’s team', () => {
  const { server, onPage } = withPages()
  let created = 0

  const teamOf = ({ app }: TestApp) => `/portal/${app.appKey}/equipo`
  const newMail = () => `eva${++created}@partner.test`
  const members = async ({ app }: TestApp) =>
    (await listMembers(server.store, app.id)).map(({ email, rol }) => `${email} ${rol}`).sort()
  async function linkTo(email: string): Promise<string> {
    const text = (await emailsTo(server, email)).at(-1)?.text ?? ''
    return /\/equipo\/[\w-]{43}/.exec(text)?.[0] ?? assert.fail(`no link in ${text}`)
  }
  async function setUp() {
    const app = await server.newApp({ nombre: 'CRM Sur' })
    return { app, ...(await makeDeveloper(server, app)) }
  }

  it('303: somebody new is asked by mail, chooses a password and is in; the link is good once', async () => {
    const { app, email: owner, visitor: dana } = await setUp()
    const email = newMail()
    const response = await dana.post(teamOf(app), { Email: email.toUpperCase(), Rol: 'desarrollador' })
    assert.deepEqual([response.status, response.headers.location], [303, teamOf(app)])
    assert.match((await dana.get(teamOf(app))).text, new RegExp(`Invitaciones sin aceptar[\\s\\S]*${email}`))
    const link = await linkTo(email)
    const eva = visitor(server)
    assert.match((await eva.get(link)).text, /Sumarse al equipo de CRM Sur/)
    assert.equal((await eva.post(link, { ...NEWCOMER, Clave: 'corta' })).status, 400)
    const joined = await eva.post(link, NEWCOMER)
    assert.deepEqual([joined.status, joined.headers.location], [303, `/portal/${app.app.appKey}`])
    assert.deepEqual(await members(app), [`${owner} titular`, `${email} desarrollador`].sort())
    assert.equal((await eva.get(`/portal/${app.app.appKey}/webhooks`)).status, 200)
    assert.equal((await visitor(server).get(link)).status, 410)
    assert.equal((await visitor(server).post(link, NEWCOMER)).status, 410)
  })

  it('200: an app in test mode is told from one of the same name in production', async () => {
    const app = await server.newApp({ nombre: 'CRM Sur', modo: 'prueba' })
    const { visitor: dana } = await makeDeveloper(server, app)
    const email = newMail()
    await dana.post(teamOf(app), { Email: email, Rol: 'desarrollador' })
    const named = /al equipo de CRM Sur \(modo de prueba\)/
    assert.match((await emailsTo(server, email)).at(-1)?.subject ?? '', named)
    assert.match((await visitor(server).get(await linkTo(email))).text, named)
  })

  it('200, 403: who has an account signs in and accepts; a link is of no use to somebody else', async () => {
    const { app, visitor: dana } = await setUp()
    const email = newMail()
    await makeAccount(server, { email })
    await dana.post(teamOf(app), { Email: email, Rol: 'titular' })
    const link = await linkTo(email)
    const eva = visitor(server)
    assert.match((await eva.get(link)).text, /entre con su contraseña para aceptar/)
    const bent = await eva.post(link, NEWCOMER)
    assert.deepEqual([bent.status, bent.headers.location], [303, link])
    assert.equal((await dana.get(link)).status, 403)
    const entered = await eva.post('/entrar', { Email: email, Clave: PASSWORD, volver: link })
    assert.deepEqual([entered.status, entered.headers.location], [303, link])
    assert.equal((await eva.post(link)).status, 303)
    assert.ok((await members(app)).includes(`${email} titular`))
  })

  it('400: a mail that is none, somebody of the team, the fourth letter of a day; nobody is asked', async () => {
    const { app, email: owner, visitor: dana } = await setUp()
    const email = newMail()
    for (const wrong of ['', 'eva', 'eva@', owner, `${'e'.repeat(250)}@x.test`])
      assert.equal((await dana.post(teamOf(app), { Email: wrong, Rol: 'titular' })).status, 400, wrong)
    assert.equal((await dana.post(teamOf(app), { Email: email, Rol: 'jefe' })).status, 400)
    assert.deepEqual(await emailsTo(server, email), [])
    for (const status of [303, 303, 303, 400])
      assert.equal((await dana.post(teamOf(app), { Email: email, Rol: 'titular' })).status, status)
    assert.equal((await emailsTo(server, email)).length, 3)
  })

  it('400: who asked for no more invitations is not asked, nor is the twenty-first of a day; staff still asks', async () => {
    const { app, visitor: dana } = await setUp()
    const ask = (Email: string) => dana.post(teamOf(app), { Email, Rol: 'desarrollador' })
    const blocked = newMail()
    await blockInvitaciones(server.store, blocked)
    assert.match((await ask(blocked)).text, /pidió no recibir más invitaciones/)
    assert.deepEqual(await emailsTo(server, blocked), [])
    const { account } = await makeDeveloper(server, app, { rol: 'desarrollador' })
    const link = { purpose: 'equipo', accountId: account.id, appId: app.app.id, rol: 'titular', hours: 1 } as const
    for (let count = 1; count < MAX_INVITACIONES_A_DAY; count++) await newLink(server.store, link)
    assert.equal((await ask(newMail())).status, 303)
    const over = newMail()
    const refused = await ask(over)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /ya envió el máximo de invitaciones/)
    assert.deepEqual(await emailsTo(server, over), [])
    assert.equal(await inviteMember(server, { app: app.app, email: over, rol: 'titular' }), 'invited')
    await server.store.query(sql`
      update account_links set created_at = now() - interval '25 hours' where app_id = ${app.app.id}`)
    assert.equal((await ask(newMail())).status, 303, 'tomorrow')
  })

  it('a new invitation ends the one before; one that is withdrawn is good no more', async () => {
    const { app, visitor: dana } = await setUp()
    const email = newMail()
    await dana.post(teamOf(app), { Email: email, Rol: 'desarrollador' })
    const first = await linkTo(email)
    await dana.post(teamOf(app), { Email: email, Rol: 'desarrollador' })
    const second = await linkTo(email)
    assert.equal((await visitor(server).get(first)).status, 410)
    const id = /equipo\/(\d+)\/retirar/.exec((await dana.get(teamOf(app))).text)?.[1]
    assert.equal((await dana.post(`${teamOf(app)}/${id}/retirar`)).status, 303)
    assert.equal((await visitor(server).post(second, NEWCOMER)).status, 410)
    assert.equal((await dana.post(`${teamOf(app)}/${id}/retirar`)).status, 404)
    assert.equal((await members(app)).length, 1)
  })

  it('409: the only titular neither leaves nor steps down, also when two do at once', async () => {
    const { app, account, visitor: dana } = await setUp()
    assert.equal((await dana.post(`${teamOf(app)}/${account.id}/quitar`)).status, 409)
    assert.equal((await dana.post(`${teamOf(app)}/${account.id}/rol`, { Rol: 'desarrollador' })).status, 409)
    const luis = await makeDeveloper(server, app)
    const both = await Promise.all([
      dana.post(`${teamOf(app)}/${account.id}/quitar`),
      luis.visitor.post(`${teamOf(app)}/${luis.account.id}/rol`, { Rol: 'desarrollador' }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), [303, 409])
    assert.equal((await members(app)).filter((each) => each.endsWith('titular')).length, 1)
  })

  it('303: a role is changed, and who is removed sees the app no more, in the same session', async () => {
    const { app, visitor: dana } = await setUp()
    const luis = await makeDeveloper(server, app, { rol: 'desarrollador' })
    assert.equal((await dana.post(`${teamOf(app)}/${luis.account.id}/rol`, { Rol: 'titular' })).status, 303)
    assert.ok((await members(app)).includes(`${luis.email} titular`))
    assert.match((await dana.get(`${teamOf(app)}/${luis.account.id}/quitar`)).text, /¿Quitar a Dana Soto\?/)
    assert.equal((await dana.post(`${teamOf(app)}/${luis.account.id}/quitar`)).status, 303)
    assert.equal((await luis.visitor.get(teamOf(app))).status, 404)
    const acts = await server.store.query<{ act: string }>(sql`
      select act from audit_log where via = 'portal' and subject = ${app.app.appKey} order by id`)
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['equipo.rol', 'equipo.quitar'],
    )
  })

  it('404: a role is not given to somebody who leaves the team at the same moment', async () => {
    const { app, email: owner, visitor: dana } = await setUp()
    const { account, email } = await makeDeveloper(server, app, { email: newMail(), rol: 'desarrollador' })
    let given: Promise<{ status: number }> | undefined
    await server.store.transaction(async (tx) => {
      await leaveTeam(tx, app.app.id, account.id)
      given = dana.post(`${teamOf(app)}/${account.id}/rol`, { Rol: 'titular' })
      await until(async () => {
        const waiting = await server.store.query(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        return waiting.length > 0
      })
    })
    assert.equal((await given)?.status, 404, email)
    assert.deepEqual(await members(app), [`${owner} titular`])
  })

  it('403, 404: a desarrollador decides about nobody but himself; people of other apps are nobody', async () => {
    const { app, account, visitor: dana } = await setUp()
    const luis = await makeDeveloper(server, app, { rol: 'desarrollador' })
    const other = await setUp()
    const at = teamOf(app)
    assert.equal((await luis.visitor.post(at, { Email: newMail(), Rol: 'titular' })).status, 403)
    assert.equal((await luis.visitor.post(`${at}/${luis.account.id}/rol`, { Rol: 'titular' })).status, 403)
    assert.equal((await luis.visitor.post(`${at}/${account.id}/quitar`)).status, 403)
    assert.equal((await dana.post(`${at}/${other.account.id}/quitar`)).status, 404)
    assert.equal((await dana.post(`${at}/${other.account.id}/rol`, { Rol: 'titular' })).status, 404)
    const left = await luis.visitor.post(`${at}/${luis.account.id}/quitar`)
    assert.deepEqual([left.status, left.headers.location], [303, '/portal'])
    assert.match(
      (await luis.visitor.get('/portal', { cookie: `${luis.visitor.cookie()}; rodado_hecho=equipo-dejado` })).text,
      /Dejó el equipo/,
    )
    assert.equal((await members(app)).length, 1)
  })

  it('404: a link that never was', async () => {
    assert.equal((await visitor(server).get(`/equipo/${'x'.repeat(43)}`)).status, 404)
  })

  it('in a browser: somebody is asked, and joins from the letter', async () => {
    const { app, visitor: dana } = await setUp()
    const email = newMail()
    await onPage('portal-equipo', { as: dana }, async (page) => {
      await page.goto(teamOf(app))
      await fill(page, { Correo: 'nadie' })
      await press(page, 'Enviar la invitación')
      await refused(page, 'correo')
      await assertAccessible(page)
      await fill(page, { Correo: email })
      await press(page, 'Enviar la invitación')
      await waitForNotice(page, 'Le enviamos un correo')
      await assertAccessible(page)
    })
    await onPage('portal-equipo-sumarse', {}, async (page) => {
      await page.goto(await linkTo(email))
      await assertAccessible(page)
      await page.getByLabel('Nombre').fill('Eva')
      await page.getByLabel('Apellido').fill('Luna')
      await page.getByLabel('Elija una contraseña').fill(NEWCOMER.Clave)
      await page.getByRole('button', { name: 'Aceptar y entrar' }).click()
      await page.getByText('Listo: ya está en el equipo.').waitFor()
    })
  })

  it('in a browser: a titular makes somebody titular, takes it back, removes them, and withdraws an invitation', async () => {
    const { app, email: owner, visitor: dana } = await setUp()
    await makeDeveloper(server, app, { nombre: 'Luis', apellido: 'Gil', rol: 'desarrollador' })
    const email = newMail()
    await dana.post(teamOf(app), { Email: email, Rol: 'desarrollador' })
    await onPage('portal-equipo-decidir', { as: dana }, async (page) => {
      await page.goto(teamOf(app))
      await press(page, 'Hacer titular a Luis Gil')
      await waitForNotice(page, 'Se guardó el rol')
      await press(page, 'Hacer desarrollador a Luis Gil')
      await waitForNotice(page, 'Se guardó el rol')
      await follow(page, 'Quitar a Luis Gil')
      await isTitled(page, '¿Quitar a Luis Gil?')
      await assertAccessible(page)
      await press(page, 'Sí, quitar')
      await waitForNotice(page, 'Se quitó a esa persona: ya no ve la app')
      await press(page, `Retirar la invitación a ${email}`)
      await waitForNotice(page, 'Se retiró la invitación')
      assert.equal(await page.getByText(email).count(), 0)
    })
    assert.deepEqual(await members(app), [`${owner} titular`])
  })

  it('in a browser: somebody leaves the team after a question, and sees the app no more', async () => {
    const { app } = await setUp()
    const luis = await makeDeveloper(server, app, { rol: 'desarrollador' })
    await onPage('portal-equipo-dejar', { as: luis.visitor }, async (page) => {
      await page.goto(teamOf(app))
      await follow(page, 'Dejar el equipo')
      await isTitled(page, '¿Dejar el equipo?')
      await assertAccessible(page)
      await press(page, 'Sí, dejar el equipo')
      await waitForNotice(page, 'Dejó el equipo')
      await page.getByText('Todavía no está en el equipo de ninguna app').waitFor()
    })
  })
})
