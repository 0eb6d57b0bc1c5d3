import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import sql, { raw, type Sql } from 'sql-template-tag'
import { depsOf, makeAgencia, newMail } from '../../../tests/support/agencia.ts'
import { brandWith } from '../../../tests/support/brand.ts'
import { createDatabase } from '../../../tests/support/database.ts'
import { type Mailbox, openMailbox } from '../../../tests/support/mailbox.ts'
import { makePublicacion } from '../../../tests/support/publicacion.ts'
import { startServer, type TestApp, type TestServer, type TestSitio } from '../../../tests/support/server.ts'
import { until } from '../../../tests/support/until.ts'
import { receiptEmail } from '../../mail/compose.ts'
import { mailHandlers } from '../../mail/handler.ts'
import { listEmails, resendEmail } from '../../mail/mail-log.ts'
import { claim, SINGLE_QUEUE } from '../../outbox/outbox.ts'
import { startWorker } from '../../outbox/worker.ts'
import { openListener } from '../../store/listener.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { consultaWriter } from './emails.ts'
import { erasePerson } from './erase-person.ts'

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
  /** An agency of its own for each test: its emails are the test's. */
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
  const toOperador = async () => (await emailsTo(agencia.adminMail, 2)).at(-1)

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
    const sentEmail = await toOperador()
    assert.equal(sentEmail?.mail.subject, 'Consulta por Fiat Cronos 1.3 Drive 2022: Lucía Ferreyra')
    assert.equal(sentEmail?.mail.replyTo?.[0]?.address, email)
    assert.match(sentEmail?.header('message-id') ?? '', new RegExp(`^<consulta\\.${sid}\\.\\d+@rodado\\.test>$`))
    const text = sentEmail?.mail.text ?? ''
    for (const words of [
      '> ¿Sigue disponible?',
      `mailto:${email}`.replace('mailto:', ''),
      'tel:+5493415550134',
      'https://wa.me/5493415550134',
      `http://rodado.test/cuenta/consultas/${sid}`,
      'Auto que entrega: Renault Clio',
      'Seguro: Quiere cotizarlo',
      'Vive en Rosario',
      '$ 18.500.000',
      'Stock: S-881',
    ])
      assert.ok(text.includes(words), words)
    assert.ok(!text.includes('https://otro.test'), 'no link of theirs')
  })

  it('to the operator: a telephone as people write it in the market has its WhatsApp link', async () => {
    await begin()
    await ask({ Nombre: 'Lucía', Telefono: '341 555-0199' })
    const text = (await toOperador())?.mail.text ?? ''
    for (const words of ['Llamar al 341 555-0199', 'tel:+543415550199', 'https://wa.me/5493415550199'])
      assert.ok(text.includes(words), words)
  })

  it('to the person: which car, whom they asked and when, who holds the data and how to have it erased', async () => {
    await begin()
    const email = newMail('lucia')
    await ask({ Nombre: 'Lucía', Email: email, Comentario: '¿Sigue disponible?' })
    const [sentEmail] = await emailsTo(email)
    assert.equal(sentEmail?.mail.subject, 'Su consulta por Fiat Cronos 1.3 Drive 2022')
    const text = sentEmail?.mail.text ?? ''
    for (const words of ['Automotores del Sur', '365 días', 'borren', 'ley 25.326', '/ayuda'])
      assert.ok(text.includes(words), words)
    assert.match(text, /recibió su consulta del \d\d\/\d\d\/\d{4} por Fiat Cronos/)
    assert.notEqual(sentEmail?.mail.replyTo?.[0]?.address, agencia.adminMail)
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
      const [sentEmail] = await emailsTo(email)
      const { subject = '', text = '', html = '' } = sentEmail?.mail ?? {}
      assert.ok(text.includes('Automotores del Sur'))
      assert.doesNotMatch(`${subject} ${text} ${html}`, /premio/)
    }
    assert.match((await toOperador())?.mail.text ?? '', /premio/)
  })

  it('without a mail: the operator is told to call, and answers go to customer service', async () => {
    await begin()
    await ask({ Nombre: 'Ana', Telefono: '4555-1234' })
    const sentEmail = await toOperador()
    assert.match(sentEmail?.mail.text ?? '', /no dejó un correo/)
    assert.equal(sentEmail?.mail.replyTo?.[0]?.address, 'ayuda@rodado.test')
  })

  it('a name with a header in it is a name', async () => {
    await begin()
    await ask({ Nombre: 'Ana\r\nBcc: otro@correo.test\r\n\r\nHola', Telefono: '4555-1234' })
    const sentEmail = await toOperador()
    assert.equal(sentEmail?.header('bcc'), undefined)
    assert.match(sentEmail?.mail.subject ?? '', /: Ana Bcc: otro@\u200bcorreo\.\u200btest Hola$/)
    assert.deepEqual(sentEmail?.to, [agencia.adminMail])
  })

  it('erased before it left: neither letter is sent, and neither can be read', async () => {
    await begin()
    const email = newMail('olvidada')
    mailbox.refuse('to', 450)
    const sid = await ask({ Nombre: 'Olvidada', Email: email })
    const waiting = () =>
      server.store.query<{ estado: string; error: string | null }>(
        sql`select estado, last_error as error from mail_recipients where sid = ${sid}`,
      )
    await until(async () => (await waiting()).every(({ error }) => error !== null)) // tried, and written down
    await erasePerson(
      { ...depsOf(server), store: server.store } as never,
      { email },
      { accountId: null, via: 'comando' },
    )
    mailbox.release()
    await server.store.query(sql`update mails set due_at = now() where sid = ${sid}`)
    await until(async () => (await waiting()).every(({ estado }) => estado === 'fallida'))
    assert.deepEqual(
      (await waiting()).map(({ error }) => error),
      ['erased'],
    )
    assert.ok(!mailbox.mails.some(({ to, raw }) => to.includes(email) || raw.includes('Olvidada')))
    assert.deepEqual(await server.emails(email), [])
    assert.ok(!(await server.emails(agencia.adminMail)).some(({ text }) => text.includes('Olvidada')))
  })

  interface Status {
    kind: string
    estado: string
    attempts: number
  }
  const rowsOf = async (sid: string) => (await server.store.query(sql`select from mails where sid = ${sid}`)).length
  const statusOf = (sid: string) =>
    server.store.query<Status>(sql`
      select kind, estado, attempts from mail_recipients where sid = ${sid} order by kind`)

  for (const refused of ['consulta', 'consulta-recibo'] as const)
    it(`postponed: of one row, the ${refused} that is refused is retried alone; the other was sent once`, async () => {
      await begin()
      const email = newMail('insistente')
      const recipients = { consulta: agencia.adminMail, 'consulta-recibo': email }
      mailbox.refuseRecipient(recipients[refused], 450)
      const sid = await ask({ Nombre: 'Insistente', Email: email })
      const has = (kind: string, estado: string, attempts: number) => async () =>
        (await statusOf(sid)).some((each) => each.kind === kind && each.estado === estado && each.attempts === attempts)
      const [sent] = (['consulta', 'consulta-recibo'] as const).filter((kind) => kind !== refused)
      assert.ok(sent)
      await until(has(sent, 'entregada', 1))
      const table = raw(refused === 'consulta' ? 'mails' : 'mail_receipts')
      /** Makes it due again once its attempt has ended. */
      const retryAfter = (attempts: number) =>
        until(async () => {
          const due = await server.store.query(sql`
            update ${table} set due_at = now() where sid = ${sid} and attempts = ${attempts} and lease is null returning 1`)
          return due.length > 0
        })
      await retryAfter(1)
      await until(has(refused, 'pendiente', 2))
      await until(
        async () => (await server.store.query(sql`select from ${table} where sid = ${sid} and lease is null`))[0],
      )
      assert.match(await server.metrics.metrics(), new RegExp(`rodado_outbox_queued{table="${table.sql}"} [1-9]`))
      mailbox.release()
      await retryAfter(2)
      await until(has(refused, 'entregada', 3))
      assert.ok(await has(sent, 'entregada', 1)())
      assert.equal(await rowsOf(sid), 1)
      const received = mailbox.mails.filter(({ raw }) => raw.includes(`.${sid}.`))
      assert.deepEqual(received.map(({ to }) => to[0]).sort(), Object.values(recipients).sort())
    })

  it('failed: a receipt that is refused for good does not fail the email to the operator, and can be resent alone', async () => {
    await begin()
    const email = newMail('ajena')
    mailbox.refuseRecipient(email, 550)
    const sid = await ask({ Nombre: 'Ajena', Email: email })
    const states = async () => (await statusOf(sid)).map(({ estado }) => estado).join()
    await until(async () => (await states()) === 'entregada,fallida')
    mailbox.release()
    const [receipt] = await server.store.query<{ id: number }>(
      sql`select id from mail_recipients where sid = ${sid} and kind = 'consulta-recibo'`,
    )
    assert.ok(receipt)
    assert.ok(await server.store.transaction((tx) => resendEmail(tx, receipt.id)))
    await until(async () => (await states()) === 'entregada,entregada')
    const received = mailbox.mails.filter(({ raw }) => raw.includes(`.${sid}.`))
    assert.deepEqual(received.map(({ to }) => to[0]).sort(), [agencia.adminMail, email].sort())
  })

  it('stored: receipts beyond the five of an address in a day, which several nodes inserted at the same moment', async () => {
    await begin()
    const email = newMail('victima')
    const sid = await ask({ Nombre: 'Otra', Telefono: '4555-1234' })
    await server.store.query(sql`
      insert into mails (kind, to_address, sid, estado, receipt_id, receipt_to, receipt_estado, receipt_due_at)
      select 'consulta', ${agencia.adminMail}, ${sid}, 'entregada', nextval('mails_id_seq'), ${email}, 'pendiente', now()
      from generate_series(1, 8)`)
    server.store.notify('mail_receipts')
    const states = () =>
      server.store.query<{ estado: string }>(sql`
        select estado from mail_receipts where to_address = ${email} and estado <> 'pendiente' order by id`)
    await until(async () => (await states()).length === 8)
    assert.deepEqual(
      (await states()).map(({ estado }) => estado),
      [...Array(5).fill('entregada'), ...Array(3).fill('guardada')],
    )
    assert.equal((await mailbox.waitFor(email, 5)).length, 5)
  })

  it('erased: a receipt in a row of its own, from an earlier version', async () => {
    await begin()
    const email = newMail('anterior')
    await server.store.query(sql`
      insert into mails (kind, to_address, sid, estado)
      select 'consulta-recibo', ${email}, ${await ask({ Nombre: 'Anterior', Telefono: '4555-1234' })}, 'entregada'
      from generate_series(1, 4)`)
    await ask({ Nombre: 'A', Email: email })
    const older = await server.store.query<{ sid: string }>(
      sql`select distinct sid from mails where to_address = ${email}`,
    )
    await server.store.query(sql`update consultas set email = ${email} where sid = ${older[0]?.sid}`)
    const deps = { ...depsOf(server), store: server.store } as never
    const { correos } = await erasePerson(deps, { email }, { accountId: null, via: 'comando' })
    assert.equal(correos, 5)
    assert.deepEqual(await server.store.query(sql`select from mails m where m::text like ${`%${email}%`}`), [])
  })

  it('delivered: a receipt that a worker of the previous version left, which knows only the first email of a row', async () => {
    const database = await createDatabase()
    const next = await startServer({ connection: database.connection, env: { SMTP_URL: mailbox.url, ROLE: 'api' } })
    const listener = openListener({ connection: database.connection, log: pino({ enabled: false }) })
    const writer = consultaWriter(database.store, next.config)
    const [first, second] = mailHandlers({ seal: next.seal, writer, config: next.config })
    assert.ok(first && second)
    const work = (handler: typeof first) =>
      startWorker({
        store: database.store,
        listener,
        handlers: [handler],
        random: () => 0.5,
        log: pino({ enabled: false }),
      })
    try {
      const made = await makeAgencia(depsOf(next), (await next.newApp()).app, { mail: newMail('ventas') })
      const email = newMail('lenta')
      const site = await next.newSitio()
      const Catalogo = { Marca: 'Fiat', Modelo: 'Cronos' }
      const Interesado = { Nombre: 'Lenta', Email: email }
      const body = JSON.stringify({ AdminMail: made.agencia.adminMail, Catalogo, OrigenLead: 'form', Interesado })
      assert.equal((await site.call('POST', '/interno/v1/consultas', { body })).status, 201)
      const states = () =>
        database.store.query<{ estado: string }>(sql`
          select estado from mail_recipients where sid is not null order by kind`)
      const previous = work(first)
      await until(async () => (await states())[0]?.estado === 'entregada')
      await previous.stop()
      assert.equal((await states())[1]?.estado, 'pendiente')
      const current = work(second)
      await mailbox.waitFor(email)
      await until(async () => (await states())[1]?.estado === 'entregada')
      await current.stop()
    } finally {
      await listener.close()
      await next.stop()
      await database.drop()
    }
  })
})

const INQUIRIES = 12

describe('emails about an inquiry without a mail server', () => {
  it('both are stored in one row that nothing updates, and both are shown with their status', async () => {
    const database = await createDatabase()
    const server = await startServer({ connection: database.connection, worker: { timing: { pollMs: 20 } } })
    let others = 0
    try {
      const [app, sitio] = [await server.newApp(), await server.newSitio()]
      const { agencia } = await makeAgencia(depsOf(server), app.app, { mail: newMail('ventas') })
      const aviso = (await makePublicacion(server.store, app.app, agencia)).id
      const people = Array.from({ length: INQUIRIES }, () => newMail('lucia'))
      const requests = people.map((Email) => {
        const body = JSON.stringify({ Aviso: aviso, OrigenLead: 'form', Interesado: { Nombre: 'Lucía', Email } })
        return sitio.call('POST', '/interno/v1/consultas', { body })
      })
      for (const { status } of await Promise.all(requests)) assert.equal(status, 201)
      // The worker has polled since: it has stored what came later.
      await app.client.invitarAgencia({ AdminMail: newMail('otra') })
      await until(
        async () => (await server.store.query(sql`select from mails where estado = 'pendiente'`)).length === 0,
      )
      const rows = await server.store.query<{ sid: string | null }>(sql`select sid from mails`)
      others = rows.filter(({ sid }) => sid === null).length
      assert.equal(rows.length - others, INQUIRIES)
      const each = people.map((to) => ({ to, count: 1 }))
      for (const { to, count } of [{ to: agencia.adminMail, count: INQUIRIES }, ...each]) {
        const stored = (await server.emails(to)).filter(({ subject }) => /onsulta/.test(subject))
        assert.deepEqual(
          stored.map(({ estado }) => estado),
          Array(count).fill('guardada'),
        )
        const listed = await listEmails(server.store, { to, estado: 'guardada' }, { limit: 25 })
        assert.equal(listed.rows.filter(({ kind }) => kind.startsWith('consulta')).length, count)
      }
    } finally {
      await server.stop() // PostgreSQL counts what a connection did at the latest when it ends
    }
    const counts = sql`select n_tup_ins as inserted, n_tup_upd as updated from pg_stat_user_tables where relname = 'mails'`
    const counted = async () => (await database.store.query<{ inserted: number; updated: number }>(counts))[0]
    await until(async () => Number((await counted())?.inserted) >= others + INQUIRIES)
    // A statement that failed and was repeated would count too. The other emails are claimed and stored by the worker.
    assert.deepEqual(await counted(), { inserted: others + INQUIRIES, updated: 2 * others })
    await database.drop()
  })
})

describe('the queue of emails', () => {
  it('reads no row before it is due', async () => {
    const database = await createDatabase()
    await database.store.query(sql`
      insert into mails (kind, to_address, sid, due_at, receipt_id, receipt_to, receipt_estado, receipt_due_at)
      select 'consulta', 'ana@agencia.test', n::text, now() + interval '1 day',
        nextval('mails_id_seq'), 'lucia@correo.test', 'pendiente', now() + interval '1 day'
      from generate_series(1, 2000) n`)
    for (const [table, index] of Object.entries({ mails: 'mails_due', mail_receipts: 'mails_receipt_due' })) {
      let plan = ''
      const explained = {
        ...database.store,
        async query(statement: Sql) {
          const lines = await database.store.query<Record<string, string>>(sql`explain (analyze) ${statement}`)
          plan = lines.map((line) => line['QUERY PLAN']).join('\n')
          return []
        },
      }
      const claimed = { lease: 'x', leaseSeconds: 45, takenMs: 0, limits: [[SINGLE_QUEUE, 5]] as const }
      await claim(explained as never, { table, id: 'bigint' }, sql`row.kind`, claimed)
      assert.match(
        plan,
        new RegExp(`Index Scan using ${index} on mails.*rows=0(\\.00)? loops=1[^]*Index Cond: \\(\\w+ <= now\\(\\)\\)`),
      )
      assert.doesNotMatch(plan, /Seq Scan|Rows Removed/)
    }
    await database.drop()
  })
})

it('a receipt asks nobody to write to an address that it does not give', () => {
  const receipt = {
    to: 'lucia@correo.test',
    agencia: 'Automotores del Sur',
    contacto: [],
    auto: 'Fiat Cronos',
    dia: '16/11/2026',
    dias: 365,
    ley: undefined,
  }
  const without = receiptEmail({ ...receipt, brand: brandWith() }).text
  assert.match(without, /Si no fue usted, avise a Automotores del Sur/)
  assert.doesNotMatch(without, /avísenos|atención al cliente/)
  const withIt = receiptEmail({ ...receipt, brand: brandWith({ supportMail: 'ayuda@rodado.test' }) }).text
  assert.match(withIt, /avísenos y borramos los datos/)
  assert.match(withIt, /ayuda@rodado\.test/)
})
