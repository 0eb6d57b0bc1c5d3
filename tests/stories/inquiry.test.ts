import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook } from '@rodado/client'
import { devices } from 'playwright-core'
import sql from 'sql-template-tag'
import type { Agencia } from '../../src/resources/agencias/agencia.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, makeAgencia, newMail } from '../support/agencia.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { onPageOf } from '../support/pages.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer, TestSitio } from '../support/server.ts'

describe('story: an inquiry reaches everyone concerned', () => {
  let server: TestServer
  let mailbox: Mailbox
  let receiver: Receiver
  let app: TestApp
  let sitio: TestSitio
  let agencia: Agencia
  let aviso: number
  let secret: string
  before(async () => {
    ;[mailbox, receiver] = [await openMailbox(), await openReceiver()]
    server = await startServer({
      worker: { smtpUrl: mailbox.url },
      env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8', SUPPORT_MAIL: 'ayuda@rodado.test' },
    })
    ;[app, sitio] = [await server.newApp({ nombre: 'Gestor Uno' }), await server.newSitio()]
    agencia = (await makeAgencia(depsOf(server), app.app, { mail: newMail('ventas') })).agencia
    aviso = (await makePublicacion(server.store, app.app, agencia)).id
    const { Secret } = await app.client.configurarWebhook(
      { topic: 'consulta.recibida' },
      { Callback: `${receiver.url}/consultas` },
    )
    secret = Secret ?? ''
  })
  after(async () => {
    await server.stop()
    await Promise.all([mailbox.close(), receiver.close()])
  })

  it('on a telephone without JavaScript: sent, emailed to both, delivered to the partner, and read', async () => {
    const email = newMail('quebracho')
    const phone = { ...devices['Pixel 7'], javaScriptEnabled: false }
    await onPageOf(server, 'consultar', phone, async (page) => {
      await page.goto(`${server.url}/aviso/${aviso}/consultar`)
      await page.getByRole('button', { name: 'Enviar la consulta' }).click()
      await page.getByRole('alert').getByText('Hay 4 datos que corregir').waitFor()
      await page.getByLabel('Nombre', { exact: true }).fill('Quebracho')
      await page.getByLabel('Correo').fill(email)
      await page.getByLabel('Qué le interesa').selectOption('permuta')
      await page.getByLabel('Su mensaje').fill('¿Toman un Gol 2013?\nGracias')
      await page.getByLabel('Acepto que').check()
      await page.getByRole('button', { name: 'Enviar la consulta' }).click()
      await page.getByRole('heading', { name: 'Enviamos su consulta' }).waitFor()
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
    })

    const [delivery] = await receiver.waitFor(1)
    const payload = await verifyWebhook(delivery?.headers ?? {}, delivery?.body ?? '', secret)
    assert(payload.Topic === 'consulta.recibida')
    const at = { adminMail: agencia.adminMail, sid: payload.Consulta._links.self?.href.split('/').at(-1) ?? '' }
    assert.equal(payload.Consulta.Interesado.Comentario, '¿Toman un Gol 2013?\nGracias')
    assert.deepEqual(await app.client.verConsulta(at), payload.Consulta)
    const listed = await app.client.listarConsultas(at)
    assert.deepEqual([listed.Total, listed._entries[0]], [1, payload.Consulta])

    const [receipt] = await mailbox.waitFor(email)
    assert.match(receipt?.mail.subject ?? '', /^Su consulta por Fiat Cronos/)
    const toOperador = (await mailbox.waitFor(agencia.adminMail, 2)).at(-1)
    assert.match(toOperador?.mail.subject ?? '', /^Consulta por Fiat Cronos.*: Quebracho$/)
    assert.equal(toOperador?.mail.replyTo?.[0]?.address, email)
    const [, sid = ''] = /\/cuenta\/consultas\/(\w{26})/.exec(toOperador?.mail.text ?? '') ?? []
    assert.equal(at.sid, sid)
    for (const personal of ['Quebracho', email, 'Gol 2013']) assert.ok(!server.logged().includes(personal), personal)
  })

  it('a hundred concurrent inquiries: each is once in the feed and once delivered', async () => {
    const already = receiver.received.length
    const ask = (at: number) =>
      sitio.client
        .recibirConsulta(
          {
            Aviso: aviso,
            OrigenLead: 'chat',
            Interesado: { Nombre: `Persona ${at}`, Telefono: `341 555-${String(at).padStart(4, '0')}` },
          },
          { idempotencyKey: `lote-${at}` },
        )
        .withResponse()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(at)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    const delivered = (await receiver.waitFor(already + 100)).slice(already)
    const sids = answers.map(({ location }) => location?.split('/').at(-1))
    assert.deepEqual(
      new Set(delivered.map(({ body }) => JSON.parse(body).Consulta._links.self.href.split('/').at(-1))),
      new Set(sids),
    )
    const [counts] = await server.store.query<object>(sql`
      select (select count(*) from consultas where publicacion_id = ${aviso}) as stored,
        (select sum(n) from consulta_counts, unnest(dias) n where agencia_id = ${agencia.id}) as counted`)
    assert.deepEqual(counts, { stored: 101, counted: 101 })
  })
})
