import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { type Mailbox, openMailbox } from '../../tests/support/mailbox.ts'
import { until } from '../../tests/support/until.ts'
import { type BrandSettings, defaultBrand } from '../brand/brand.ts'
import { measureAttempts, measureOutbox } from '../outbox/metrics.ts'
import { startWorker, type WorkerOptions } from '../outbox/worker.ts'
import { type Listener, openListener } from '../store/listener.ts'
import { createSeal } from '../store/sealed.ts'
import { type Email, enqueueEmail, WITHDRAWN, withdrawEmails } from './email.ts'
import { type MailHandlerOptions, mailHandlers } from './handler.ts'
import { readLatestEmails } from './mail-log.ts'

const TO = 'ana.gomez@agencia.test'
const LINK = `https://rodado.test/registro/${randomBytes(32).toString('base64url')}`
const STOP = 'https://rodado.test/baja/abc'
const seal = createSeal(randomBytes(32))
const lines: string[] = []
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })

let database: TestDatabase
let listener: Listener
let mailbox: Mailbox
let running: { stop(): Promise<void> }[] = []

before(async () => {
  database = await createDatabase()
  listener = openListener({ connection: database.connection, log })
  mailbox = await openMailbox()
  await database.store.query(
    sql`insert into apps (app_key, nombre, modo) values (${'0'.repeat(32)}, 'App', 'produccion')`,
  )
})
afterEach(async () => {
  mailbox.release()
  for (const worker of running) await worker.stop()
  running = []
  mailbox.mails.length = 0
  lines.length = 0
  await database.store.query(sql`truncate mails`)
  await database.store.query(sql`delete from invitaciones`)
})
after(async () => {
  await listener.close()
  await mailbox.close()
  await database.drop()
})

/** Emails about inquiries have their own tests (resources/consultas/emails.test.ts). */
const writer = async () => undefined

const brandBy = (settings: Partial<BrandSettings>) => defaultBrand({ publicUrl: 'https://rodado.test', ...settings })

function work(
  config: Partial<MailHandlerOptions['config']> = {},
  timing: NonNullable<WorkerOptions['timing']> = {},
  observe?: WorkerOptions['observe'],
) {
  const settings = {
    smtpUrl: mailbox.url,
    brand: brandBy({}),
    bounceAddress: undefined,
    dkim: undefined,
  }
  const worker = startWorker({
    store: database.store,
    listener,
    handlers: mailHandlers({ seal, writer, config: { ...settings, ...config } }),
    log,
    random: () => 0.5,
    timing,
    observe,
  })
  running.push(worker)
  return worker
}

const newEmail = (more: Partial<Email> = {}): Email => ({
  kind: 'invitacion',
  to: TO,
  subject: 'Señor Ñandú le invita',
  text: `Registre su agencia:\n${LINK}\n`,
  html: `<p><a href="${LINK}">${LINK}</a></p>`,
  ...more,
})

const send = (more: Partial<Email> = {}) => enqueueEmail(database.store, seal, newEmail(more))

async function invite(estado = 'pendiente'): Promise<number> {
  const [row] = await database.store.query<{ id: number }>(sql`
    insert into invitaciones (app_id, modo, admin_mail, token_hash, estado, vence)
    select id, modo, ${TO}, ${randomBytes(32)}, ${estado}, now() + interval '14 days' from apps returning id`)
  return row?.id ?? 0
}

interface StoredRow {
  estado: string
  attempts: number
  lastError: string | null
  wait: number
  leased: boolean
}

async function storedEmail(): Promise<StoredRow | undefined> {
  const [row] = await database.store.query<StoredRow>(sql`
    select estado, attempts, last_error as "lastError", lease is not null as leased,
      extract(epoch from due_at - now())::float8 as wait from mails order by id`)
  return row
}

const settledAs = (estado: string) => until(async () => (await storedEmail())?.estado === estado)
/** It is due again now; on a busy machine it may be let go once more. */
const arrives = () =>
  until(async () => {
    await database.store.query(sql`update mails set due_at = now() where estado = 'pendiente'`)
    return (await storedEmail())?.estado === 'entregada'
  })
const invitations = async () =>
  (await database.store.query<{ estado: string }>(sql`select estado from invitaciones order by id`)).map(
    ({ estado }) => estado,
  )

test('delivered: as text and HTML, to one address, with the headers of an automatic email', async () => {
  work({ brand: brandBy({ supportMail: 'Soporte <soporte@rodado.test>' }) })
  await send({ unsubscribeUrl: STOP })
  const [received] = await mailbox.waitFor(TO)
  assert.ok(received)
  assert.deepEqual([received.from, received.to], ['no-reply@rodado.test', [TO]])
  const { mail, header } = received
  assert.equal(mail.subject, 'Señor Ñandú le invita')
  assert.equal(mail.text?.trim(), `Registre su agencia:\n${LINK}`)
  assert.ok(mail.html?.includes(`<a href="${LINK}">`))
  assert.deepEqual([mail.from?.name, mail.from?.address], ['Rodado', 'no-reply@rodado.test'])
  assert.equal(header('reply-to'), 'Soporte <soporte@rodado.test>')
  assert.match(header('message-id') ?? '', /^<[0-9a-f-]{36}\.\d+@rodado\.test>$/)
  assert.ok(Math.abs(Date.parse(header('date') ?? '') - Date.now()) < 60_000)
  assert.equal(header('list-unsubscribe'), `<${STOP}>`)
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.equal(header('auto-submitted'), 'auto-generated')
  await settledAs('entregada')
})

test('delivered: from MAIL_FROM, with the email’s reply address; no unsubscribe link in a requested email', async () => {
  work({ brand: brandBy({ mailFrom: 'Mercado Ñ <hola@mercado.test>', supportMail: 'soporte@rodado.test' }) })
  await send({ replyTo: 'interesado@correo.test' })
  const [received] = await mailbox.waitFor(TO)
  assert.equal(received?.from, 'hola@mercado.test')
  assert.equal(received?.mail.from?.name, 'Mercado Ñ')
  assert.match(received?.header('message-id') ?? '', /@mercado\.test>$/)
  assert.equal(received?.header('reply-to'), 'interesado@correo.test')
  assert.equal(received?.header('list-unsubscribe'), undefined)
})

test('delivered: our copy loses the one-time link and nothing else', async () => {
  work()
  await send({ oneTimeUrls: [LINK] })
  await settledAs('entregada')
  assert.ok(mailbox.mails[0]?.mail.text?.includes(LINK))
  const [copy] = await readLatestEmails(database.store, { seal, writer }, 1)
  assert.equal(copy?.text, 'Registre su agencia:\nhttps://rodado.test/registro/…\n')
  assert.equal(copy?.html, '<p><a href="https://rodado.test/registro/…">https://rodado.test/registro/…</a></p>')
  assert.equal(copy?.subject, 'Señor Ñandú le invita')
})

test('kept: without SMTP_URL the email can be read, including its link', async () => {
  work({ smtpUrl: undefined })
  await send({ oneTimeUrls: [LINK] })
  await settledAs('guardada')
  const [copy] = await readLatestEmails(database.store, { seal, writer }, 1)
  assert.deepEqual([copy?.to, copy?.text], [TO, newEmail().text])
  assert.equal(mailbox.mails.length, 0)
})

for (const step of ['to', 'data'] as const) {
  test(`failed: refused for good at ${step}; the invitation is rebotada and the link is gone`, async () => {
    mailbox.refuse(step, 550, `no such person ${TO}`)
    work()
    await send({ invitacionId: await invite(), oneTimeUrls: [LINK] })
    await settledAs('fallida')
    assert.deepEqual(await invitations(), ['rebotada'])
    assert.match((await storedEmail())?.lastError ?? '', /550 no such person/)
    assert.ok(!(await readLatestEmails(database.store, { seal, writer }, 1))[0]?.text.includes(LINK))
    assert.equal(mailbox.mails.length, 0)
  })
}

test('failed: an invitation that was accepted meanwhile stays accepted', async () => {
  mailbox.refuse('to', 550)
  work()
  await send({ invitacionId: await invite('aceptada') })
  await settledAs('fallida')
  assert.deepEqual(await invitations(), ['aceptada'])
})

test('failed: a text that is not one address is not sent', async () => {
  work()
  const crooked = [
    'ana\r\nRCPT TO:<otra@agencia.test>@agencia.test',
    'ana@agencia.test, otra@agencia.test',
    'ana otra@agencia.test',
    '<otra@agencia.test>',
    'ana@agencia.test\r\nBcc: otra@agencia.test',
    'ana',
    '',
  ]
  for (const to of crooked) await send({ to })
  await until(async () => {
    const rows = await database.store.query<{ estado: string }>(sql`select estado from mails`)
    return rows.filter(({ estado }) => estado === 'fallida').length === crooked.length
  })
  assert.equal(mailbox.mails.length, 0)
})

for (const [name, refuse] of Object.entries({
  'a full mailbox': () => mailbox.refuse('to', 452),
  'an email not taken now': () => mailbox.refuse('data', 451),
  'a sender that the server does not take, which is ours to mend': () => mailbox.refuse('from', 553),
  'a server that turns everybody away': () => mailbox.refuse('connect', 554),
})) {
  test(`postponed: ${name}; delivered when that is over`, async () => {
    refuse()
    work({}, { pollMs: 20 })
    await send({ invitacionId: await invite() })
    await until(async () => (await storedEmail())?.lastError)
    const row = await storedEmail()
    assert.deepEqual([row?.estado, row?.attempts, row?.leased], ['pendiente', 1, false])
    assert.ok(Math.abs((row?.wait ?? 0) - 60) < 20, `due in ${row?.wait} s`)
    assert.deepEqual(await invitations(), ['pendiente'])
    mailbox.release()
    await arrives()
    assert.equal(mailbox.mails.length, 1)
  })
}

test('postponed: after the last attempt it has failed, and the invitation is rebotada', async () => {
  mailbox.refuse('to', 451)
  work({}, { pollMs: 20 })
  await send({ invitacionId: await invite() })
  for (let attempt = 1; attempt <= 7; attempt++) {
    await until(async () => (await storedEmail())?.attempts === attempt && !(await storedEmail())?.leased)
    await database.store.query(sql`update mails set due_at = now()`)
  }
  await settledAs('fallida')
  assert.deepEqual(await invitations(), ['rebotada'])
})

for (const step of ['connect', 'to'] as const) {
  test(`postponed: a server that falls silent at ${step} is given up; the email arrives later, once`, async () => {
    mailbox.hang(step)
    const hasty = work({}, { attemptMs: 300, pollMs: 20 })
    await send()
    await until(async () => (await storedEmail())?.lastError)
    assert.equal((await storedEmail())?.estado, 'pendiente')
    await hasty.stop() // on a busy machine it would give up again, after the email has arrived
    mailbox.release()
    await database.store.query(sql`update mails set due_at = now()`)
    work()
    await arrives()
    assert.equal(mailbox.mails.length, 1)
  })
}

test('postponed: a server that took the email without an answer gets it again, with the same Message-ID', async () => {
  mailbox.hang('data')
  const hasty = work({}, { attemptMs: 300, pollMs: 20 })
  await send()
  await until(async () => {
    if (mailbox.hanging() > 0) return true
    // On a busy machine an attempt may end before the server has the email.
    await database.store.query(sql`update mails set due_at = now()`)
    return false
  })
  await until(async () => (await storedEmail())?.lastError)
  await hasty.stop() // on a busy machine it would give up again
  mailbox.release()
  await database.store.query(sql`update mails set due_at = now()`)
  work()
  await settledAs('entregada')
  assert.ok(mailbox.mails.length >= 2)
  assert.equal(new Set(mailbox.mails.map(({ header }) => header('message-id'))).size, 1)
})

test('postponed: no mail server is listening', async () => {
  work({ smtpUrl: 'smtp://127.0.0.1:1' })
  await send()
  await until(async () => (await storedEmail())?.lastError)
  assert.equal((await storedEmail())?.estado, 'pendiente')
})

test('stop: with a server that hangs, the email is given back at once', async () => {
  mailbox.hang('to')
  const worker = work({}, { drainMs: 10 })
  await send()
  await until(() => mailbox.connections() > 0)
  await until(async () => (await storedEmail())?.leased)
  await worker.stop()
  const row = await storedEmail()
  assert.deepEqual([row?.estado, row?.attempts, row?.leased], ['pendiente', 0, false])
})

test('one connection serves many emails', async () => {
  const before = mailbox.connections()
  for (let n = 0; n < 40; n++) await send()
  work()
  await mailbox.waitFor(TO, 40)
  assert.ok(mailbox.connections() - before <= 5, `${mailbox.connections() - before} connections`)
})

test('one connection serves both emails of a row', async () => {
  const before = mailbox.connections()
  work()
  await send()
  await until(async () => (await storedEmail())?.estado === 'entregada')
  await database.store.query(sql`
    update mails set receipt_id = 1, receipt_to = 'persona@correo.test', receipt_due_at = now(), receipt_estado = 'pendiente'`)
  database.store.notify('mail_receipts')
  await mailbox.waitFor('persona@correo.test')
  assert.equal(mailbox.connections() - before, 1)
})

test('transaction: a rollback sends nothing', async () => {
  work()
  const failing = database.store.transaction(async (tx) => {
    await enqueueEmail(tx, seal, newEmail())
    throw new Error('no')
  })
  await assert.rejects(failing)
  await send({ to: 'otra@agencia.test' })
  await mailbox.waitFor('otra@agencia.test')
  assert.equal(mailbox.mails.length, 1)
})

test('withdrawn: the unsent emails of a renewed invitation are not sent; sent ones stay as they were', async () => {
  const id = await invite()
  await send({ invitacionId: id })
  await withdrawEmails(database.store, id)
  await send({ invitacionId: id, subject: 'otra' })
  work()
  const [received] = await mailbox.waitFor(TO)
  assert.equal(received?.mail.subject, 'otra')
  await withdrawEmails(database.store, id)
  await until(async () => {
    const rows = await database.store.query<{ estado: string }>(sql`select estado from mails order by id`)
    return rows.map(({ estado }) => estado).join() === 'fallida,entregada'
  })
  assert.deepEqual(await invitations(), ['pendiente'])
})

test('failed: an email that was being sent while its invitation was renewed does not make it rebotada', async () => {
  await renewDuringAttempt(550)
  await settledAs('fallida')
  assert.deepEqual(await invitations(), ['pendiente'])
})

test('withdrawn: an email that was being sent while its invitation was renewed is not tried again', async () => {
  await renewDuringAttempt(451)
  await until(async () => /451/.test((await storedEmail())?.lastError ?? ''))
  mailbox.release() // it would take the email now
  await database.store.query(sql`update mails set due_at = now()`)
  await until(async () => (await storedEmail())?.estado !== 'pendiente')
  const { estado, lastError } = (await storedEmail()) ?? {}
  assert.deepEqual([estado, lastError], ['fallida', WITHDRAWN])
  assert.equal(mailbox.mails.length, 0)
  assert.deepEqual(await invitations(), ['pendiente'])
})

/** Sends the email of an invitation, which is renewed before the mail server refuses the email. */
async function renewDuringAttempt(refusal: number): Promise<void> {
  mailbox.hang('to')
  work()
  const invitacionId = await invite()
  await send({ invitacionId })
  await until(() => mailbox.hanging() === 1)
  await database.store.query(sql`update invitaciones set enviada = now() where id = ${invitacionId}`)
  await withdrawEmails(database.store, invitacionId)
  mailbox.release()
  mailbox.refuse('data', refusal)
}

test('log: one line for each attempt, and nothing personal in any', async () => {
  mailbox.refuse('to', 550, `no such person ${TO}`)
  work()
  await send({ invitacionId: await invite(), oneTimeUrls: [LINK] })
  await settledAs('fallida')
  const attempts = lines.map((line) => JSON.parse(line)).filter(({ outcome }) => outcome)
  assert.equal(attempts.length, 1)
  const { table, kind, attempt, outcome, code } = attempts[0]
  assert.deepEqual([table, kind, attempt, outcome, code], ['mails', 'invitacion', 1, 'failed', 'RCPT TO 550'])
  for (const secret of [TO, 'agencia.test', 'registro', 'Ñandú']) assert.ok(!lines.join('').includes(secret), secret)
})

test('metrics: attempts by outcome, and how far behind the queue is', async () => {
  const registry = new Registry()
  measureOutbox(registry, database.store, [{ table: 'mails' }])
  const observe = measureAttempts(registry, ['mails'], () => 0)
  await send()
  await database.store.query(sql`update mails set due_at = now() - interval '1 hour'`)
  const behind = /rodado_outbox_behind_seconds\{table="mails"\} (\S+)/
  assert.ok(Number((await registry.metrics()).match(behind)?.[1]) >= 3_600)
  work({}, {}, observe)
  await settledAs('entregada')
  const text = await registry.metrics()
  assert.match(text, /rodado_outbox_attempt_duration_seconds_count\{table="mails",outcome="delivered"\} 1/)
  assert.equal(Number(text.match(behind)?.[1]), 0)
})
