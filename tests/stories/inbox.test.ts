import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { sendReminders } from '../../src/resources/consultas/reminders.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, eventsOf, makeAgencia, newMail } from '../support/agencia.ts'
import { assertAccessible } from '../support/axe.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { DESKTOP, fill, follow, onPageOf, overflow, press, search, waitForNotice } from '../support/pages.ts'
import { makePublicacion } from '../support/publicacion.ts'
import type { TestApp, TestServer, TestSitio } from '../support/server.ts'
import { PASSWORD } from '../support/visitor.ts'

const TELEPHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('story: an administrator shares inquiries with a salesperson, who sells', () => {
  let server: TestServer
  let mailbox: Mailbox
  let app: TestApp
  let sitio: TestSitio
  before(async () => {
    mailbox = await openMailbox()
    server = await startServer({ worker: { smtpUrl: mailbox.url } })
    ;[app, sitio] = [await server.newApp({ nombre: 'Gestor Norte' }), await server.newSitio()]
  })
  after(async () => {
    await server?.stop()
    await mailbox?.close()
  })

  async function looksRight(page: Page, what: string): Promise<void> {
    assert.equal(await overflow(page), 0, `${what} is no wider than the screen`)
    await assertAccessible(page, what)
  }

  it('invites, shares by turns; the salesperson notes, is reminded and sells, and the app hears of it', async () => {
    const { agencia, mail } = await makeAgencia(depsOf(server), app.app, { mail: newMail('ventas') })
    const aviso = (await makePublicacion(server.store, app.app, agencia)).id
    const seller = newMail('eva')
    const ask = async (Nombre: string, Comentario: string) => {
      const Interesado = { Interes: 'compra', Nombre, Email: newMail('quien'), Comentario }
      const body = JSON.stringify({ Aviso: aviso, OrigenLead: 'form', Interesado })
      const { status, headers } = await sitio.call('POST', '/interno/v1/consultas', { body })
      assert.equal(status, 201)
      return headers.location?.split('/').at(-1) ?? ''
    }
    const enter = async (page: Page, email: string) => {
      await page.goto(`${server.url}/entrar`)
      await fill(page, { Correo: email, Contraseña: PASSWORD })
      await press(page, 'Entrar')
      await page.waitForURL('**/cuenta')
    }
    const older = await ask('Jacarandá', '¿Toman un Gol en parte de pago?')

    await onPageOf(server, 'bandeja-invita', DESKTOP, async (page) => {
      await enter(page, mail)
      await page.goto(`${server.url}/cuenta/colaboradores`)
      await page.getByText('Invitar a un colaborador').click()
      await fill(page, { 'Correo de la persona': seller })
      await press(page, 'Enviar la invitación')
      await waitForNotice(page, 'Le enviamos un correo')
    })
    const invitation = (await mailbox.waitFor(seller)).at(-1)?.mail.text ?? ''
    await onPageOf(server, 'bandeja-suma', TELEPHONE, async (page) => {
      await page.goto(`${server.url}${/\/colaborar\/[\w-]{43}/.exec(invitation)?.[0]}`)
      await fill(page, { Nombre: 'Eva', Apellido: 'Luna', 'Elija una contraseña': PASSWORD })
      await press(page, 'Aceptar y entrar')
      await waitForNotice(page, 'ya colabora en la agencia')
      await page.goto(`${server.url}/cuenta/consultas`)
      assert.equal(await page.getByText('Jacarandá').count(), 0, 'nobody gave it to her')
    })

    let sid = ''
    await onPageOf(server, 'bandeja-reparte', DESKTOP, async (page) => {
      await enter(page, mail)
      await page.goto(`${server.url}/cuenta/consultas`)
      await follow(page, 'Reparto y respuesta')
      await page.getByLabel('Por turno', { exact: true }).check()
      await page.getByLabel('Responder en menos de').selectOption('30 min')
      await looksRight(page, 'how inquiries are shared')
      await press(page, 'Guardar')
      await waitForNotice(page, 'Se guardó el reparto')
      sid = await ask('Lapacho', '¿Puedo verlo el sábado?')
      await follow(page, 'Consultas')
      await page.getByLabel('Elegir: Jacarandá').check()
      await page.locator('#asignar').getByLabel('Asignar a').selectOption('Eva Luna')
      await press(page, 'Asignar la selección')
      await waitForNotice(page, 'Se guardó la asignación. Les avisamos')
      await looksRight(page, 'the list of inquiries')
      await page.goto(`${server.url}/cuenta/publicaciones`)
      await page.getByLabel(/^Elegir Fiat Cronos/).check()
      await page.locator('#asignar').getByLabel('Asignar a').selectOption('Eva Luna')
      await press(page, 'Asignar la selección')
      await waitForNotice(page, 'Se guardó la asignación. Las consultas nuevas')
      await page.getByText('A cargo de Eva Luna').waitFor()
    })
    await onPageOf(server, 'bandeja-vende', TELEPHONE, async (page) => {
      await enter(page, seller)
      await page.goto(`${server.url}/cuenta/consultas`)
      for (const name of ['Jacarandá', 'Lapacho']) await page.getByRole('link', { name: new RegExp(name) }).waitFor()
      await search(page, { Buscar: 'sabado' })
      await page.getByRole('link', { name: /Lapacho/ }).click()
      await page.getByText('Estado: Leída').waitFor()
      await fill(page, { Nota: 'Viene el sábado a las 10 con el timbó' })
      await press(page, 'Agregar la nota')
      await waitForNotice(page, 'Se agregó la nota')
      await page.getByText('Viene el sábado a las 10 con el timbó').waitFor()
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      await page.getByLabel('Día y hora').fill(`${tomorrow}T09:30`)
      await press(page, 'Recordarme')
      await waitForNotice(page, 'le recordaremos esta consulta')
      await looksRight(page, 'an inquiry with its timeline')
      await follow(page, 'Todas las consultas de este aviso')
      await page.getByRole('link', { name: /Jacarandá/ }).waitFor()
      await page.goto(`${server.url}/cuenta/consultas/${sid}`)
      await press(page, 'Vendida')
      await waitForNotice(page, 'Se guardó el estado')

      await server.store.query(sql`update consulta_reminders set due_at = now() where sid = ${sid}`)
      await sendReminders(server.store)
      await page.goto(`${server.url}/cuenta/consultas`)
      await page.getByRole('heading', { name: 'Recordatorios' }).waitFor()
      await looksRight(page, 'the inbox with a reminder')
      await page.goto(`${server.url}/cuenta/reparto`)
      await page.getByText('Mediana').waitFor()
      await looksRight(page, 'response times of a salesperson')
    })
    await onPageOf(server, 'bandeja-reasigna', DESKTOP, async (page) => {
      await enter(page, mail)
      await page.goto(`${server.url}/cuenta/consultas/${sid}`)
      await page.getByLabel('Asignar a').selectOption('Ana Paz')
      await press(page, 'Asignar')
      await waitForNotice(page, 'Se asignó la consulta')
      await page.getByText('Ana Paz la asignó a Ana Paz').waitFor()
    })
    const received = await mailbox.waitFor(seller, 4)
    const subjects = received.map((each) => each.mail.subject ?? '').sort()
    assert.deepEqual(
      [/asignó una consulta/, /^Consulta por .*Lapacho/, /^Recordatorio: Lapacho/].map((pattern) =>
        subjects.some((subject) => pattern.test(subject)),
      ),
      [true, true, true],
      subjects.join('\n'),
    )
    const changes = (await eventsOf(server, app.app, agencia.id))
      .filter(({ Topic }) => Topic === 'consulta.modificada')
      .map(({ Consulta }) => [
        Consulta._links.self.href.split('/').at(-1),
        Consulta.OperadorResponsable,
        Consulta.Estado,
      ])
    assert.deepEqual(changes, [
      [older, seller, 'nueva'],
      [sid, seller, 'leida'],
      [sid, seller, 'vendida'],
      [sid, mail, 'vendida'],
    ])
  })

  it('leaves no note and no name in the log', () => {
    const log = server.logged()
    for (const secret of ['Lapacho', 'Jacarandá', 'timbó', '@agencia.test'])
      assert.ok(!log.includes(secret), `the log has ${secret}`)
  })
})
