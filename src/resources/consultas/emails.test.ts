import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { type Mailbox, openMailbox } from '../../../tests/support/mailbox.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { receiptEmail } from '../../mail/emails.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { suppress } from './suppress.ts'

describe('letters about an inquiry', () => {
  let server: TestServer
  let mailbox: Mailbox
  let app: TestApp
  let sitio: TestSitio
  let agencia: Agencia
  let aviso: number
  before(async () => {
    mailbox = await openMailbox()
    server = await startServer({
      worker: { smtpUrl: mailbox.url },
      env: { SUPPORT_URL: 'https://rodado.test/ayuda', SUPPORT_MAIL: 'ayuda@rodado.test' },
    })
    ;[app, sitio] = [await server.newApp(), await server.newSitio()]
  })
  /** An agency of its own for each test: its letters are the test's. */
  const begin = async () => {
    agencia = (await makeAgencia(depsOf(server), app.app, { mail: newMail('ventas') })).agencia
    aviso = (await makePublicacion(server.store, app.app, agencia)).id
  }
  after(async () => {
    await server.stop()
    await mailbox.close()
  })
  const ask = async (Interesado: object): Promise<string> => {
    const body = JSON.stringify({ Aviso: aviso, OrigenLead: 'form', Interesado })
    const { status, headers, text } = await sitio.call('POST', '/interno/v1/consultas', { body })
    assert.equal(status, 201, text)
    return headers.location?.split('/').at(-1) ?? ''
  }
  const emailsTo = async (mail: string, count = 1) =>
    (await mailbox.waitFor(mail, count)).filter(({ mail: { subject } }) => /onsulta/.test(subject ?? ''))
  /** The operator also got the invitation that made the agency. */
  const toOperator = async () => (await emailsTo(agencia.adminMail, 2)).at(-1)

  it('to the operator: the car, the words, how to answer, where it is in the account; an answer goes to the person', async () => {
    await begin()
    const email = newMail('lucia')
    const sid = await ask({
      Nombre: 'Lucía',
      Apellido: 'Ferreyra',
      Email: email,
      Telefono: '+54 9 341 555-0134',
      Ciudad: 'Rosario',
      Comentario: 'Lo vi en https://otro.test\n¿Sigue disponible?',
      InfoOperacion: { EntregaVehiculo: { Marca: 'Renault', Modelo: 'Clio' }, QuiereCotizacionSeguro: true },
    })
    const letter = await toOperator()
    assert.equal(letter?.mail.subject, 'Consulta por Fiat Cronos 1.3 Drive 2022: Lucía Ferreyra')
    assert.equal(letter?.mail.replyTo?.[0]?.address, email)
    assert.equal(letter?.header('message-id'), `<consulta.${sid}@rodado.test>`)
    const text = letter?.mail.text ?? ''
    for (const words of [
      '> ¿Sigue disponible?',
      `mailto:${email}`.replace('mailto:', ''),
      'tel:+5493415550134',
      'https://wa.me/5493415550134',
      `http://rodado.test/cuenta/consultas/${sid}`,
      'Entrega: Renault Clio',
      'Quiere cotizar el seguro',
      'Vive en Rosario',
      '$ 18.500.000',
      'Stock: S-881',
    ])
      assert.ok(text.includes(words), words)
    assert.ok(!text.includes('https://otro.test'), 'no link of theirs')
  })

  it('to the person: which car, whom they asked and when, who holds the data and how to have it erased', async () => {
    await begin()
    const email = newMail('lucia')
    await ask({ Nombre: 'Lucía', Email: email, Comentario: '¿Sigue disponible?' })
    const [letter] = await emailsTo(email)
    assert.equal(letter?.mail.subject, 'Su consulta por Fiat Cronos 1.3 Drive 2022')
    const text = letter?.mail.text ?? ''
    for (const words of ['Automotores del Sur', '365 días', 'borren', 'ley 25.326', '/ayuda'])
      assert.ok(text.includes(words), words)
    assert.match(text, /recibió su consulta del \d\d\/\d\d\/\d{4} por Fiat Cronos/)
    assert.notEqual(letter?.mail.replyTo?.[0]?.address, agencia.adminMail)
  })

  it('to the person: nothing that was typed, for anybody can type anybody’s address', async () => {
    await begin()
    const typed = (name: string) => `${name} gane un premio`
    const person = { Nombre: typed('Uno'), Apellido: typed('Dos'), Ciudad: typed('Tres'), Comentario: typed('Cuatro') }
    const [listed, ofCatalogue] = [newMail('victima'), newMail('victima')]
    await ask({ ...person, Email: listed })
    const Catalogo = { Marca: 'Fiat', Modelo: typed('Cinco'), Version: typed('Seis') }
    const Interesado = { ...person, Email: ofCatalogue }
    const body = JSON.stringify({ AdminMail: agencia.adminMail, Catalogo, OrigenLead: 'form', Interesado })
    assert.equal((await sitio.call('POST', '/interno/v1/consultas', { body })).status, 201)
    for (const email of [listed, ofCatalogue]) {
      const [letter] = await emailsTo(email)
      const { subject = '', text = '', html = '' } = letter?.mail ?? {}
      assert.ok(text.includes('Automotores del Sur'))
      assert.doesNotMatch(`${subject} ${text} ${html}`, /premio/)
    }
    assert.match((await toOperator())?.mail.text ?? '', /premio/)
  })

  it('without a mail: the operator is told to call, and answers go to customer service', async () => {
    await begin()
    await ask({ Nombre: 'Ana', Telefono: '4555-1234' })
    const letter = await toOperator()
    assert.match(letter?.mail.text ?? '', /no dejó un correo/)
    assert.equal(letter?.mail.replyTo?.[0]?.address, 'ayuda@rodado.test')
  })

  it('a name with a header in it is a name', async () => {
    await begin()
    await ask({ Nombre: 'Ana\r\nBcc: otro@correo.test\r\n\r\nHola', Telefono: '4555-1234' })
    const letter = await toOperator()
    assert.equal(letter?.header('bcc'), undefined)
    assert.match(letter?.mail.subject ?? '', /: Ana Bcc: otro@\u200bcorreo\.\u200btest Hola$/)
    assert.deepEqual(letter?.to, [agencia.adminMail])
  })

  it('erased before it left: neither letter is sent, and neither can be read', async () => {
    await begin()
    const email = newMail('olvidada')
    mailbox.refuse('to', 450)
    const sid = await ask({ Nombre: 'Olvidada', Email: email })
    const waiting = () =>
      server.store.query<{ estado: string; error: string | null }>(
        sql`select estado, last_error as error from mails where sid = ${sid}`,
      )
    await until(async () => (await waiting()).every(({ error }) => error !== null)) // tried, and written down
    await suppress({ ...depsOf(server), store: server.store } as never, { email }, { accountId: null, via: 'comando' })
    mailbox.release()
    await server.store.query(sql`update mails set due_at = now() where sid = ${sid}`)
    await until(async () => (await waiting()).every(({ estado }) => estado === 'fallida'))
    assert.deepEqual(
      (await waiting()).map(({ error }) => error),
      ['What it was about was erased.'],
    )
    assert.ok(!mailbox.mails.some(({ to, raw }) => to.includes(email) || raw.includes('Olvidada')))
    assert.deepEqual(await server.emails(email), [])
    assert.ok(!(await server.emails(agencia.adminMail)).some(({ text }) => text.includes('Olvidada')))
  })
})

it('a receipt asks nobody to write to an address that it does not give', () => {
  const receipt = {
    ...{ to: 'lucia@correo.test', agencia: 'Automotores del Sur', contacto: [], auto: 'Fiat Cronos' },
    ...{ dia: '16/11/2026', dias: 365, ley: undefined },
  }
  const without = receiptEmail({ ...receipt, support: {} }).text
  assert.match(without, /Si no fue usted, avise a Automotores del Sur/)
  assert.doesNotMatch(without, /avísenos|atención al cliente/)
  const withIt = receiptEmail({ ...receipt, support: { mail: 'ayuda@rodado.test' } }).text
  assert.match(withIt, /avísenos y borramos los datos/)
  assert.match(withIt, /ayuda@rodado\.test/)
})
