import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createPublicKey, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { openMailbox } from '../../tests/support/mailbox.ts'
import { until } from '../../tests/support/until.ts'
import { createSeal } from '../store/sealed.ts'
import { readBounceMailbox } from './bounce-mailbox.ts'
import { readBounce, recordBounce } from './bounces.ts'
import { enqueueEmail, openContents } from './email.ts'
import { compose } from './handler.ts'
import { openSmtp } from './smtp.ts'

/** As Postfix writes it. */
const notification = (messageId: string, { action = 'failed', status = '5.1.1' } = {}): string => `Return-Path: <>
From: MAILER-DAEMON@mx.example (Mail Delivery System)
To: rebotes@mercado.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.

--B
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ana@agencia.example
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 5.1.1 <ana@agencia.example>: Recipient
    address rejected

--B
Content-Type: text/rfc822-headers

From: no-reply@mercado.example
Message-ID: <${messageId}>
Subject: Hola

--B--
`

/** Dovecot opens no mailbox as root. */
const NOBODY = 65_534

const bytes = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))

describe('an email that bounces later', () => {
  const seal = createSeal(randomBytes(32))
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
    await database.store.query(sql`
      insert into apps (app_key, nombre, modo) values (${'a'.repeat(32)}, 'App', 'produccion')`)
  })
  after(() => database.drop())

  /** A sent invitation: its id, that of its email, and its Message-ID. */
  async function sentInvitation(mail: string) {
    const { store } = database
    const [invitation] = await store.query<{ id: number }>(sql`
      insert into invitaciones (app_id, modo, admin_mail, token_hash, vence)
      values ((select id from apps limit 1), 'produccion', ${mail}, ${randomBytes(32)}, now() + interval '1 day') returning id`)
    const invitacionId = invitation?.id ?? 0
    return { invitacionId, ...(await sentEmail(mail, invitacionId)) }
  }
  async function sentEmail(mail: string, invitacionId: number) {
    const { store } = database
    const email = { kind: 'invitacion', to: mail, subject: 'Hola', text: 'Hola', html: '<p>Hola</p>' } as const
    await store.transaction((tx) => enqueueEmail(tx, seal, { ...email, invitacionId }))
    const [row] = await store.query<{ id: number; sealed: Buffer }>(sql`
      update mails set estado = 'entregada', settled_at = now() where to_address = ${mail} and estado = 'pendiente' returning id, sealed`)
    const from = { name: 'Mercado', address: 'no-reply@mercado.example' }
    const headers = { id: row?.id ?? 0, from, to: mail, replyTo: undefined, at: new Date() }
    const { messageId } = compose(headers, openContents(seal, row?.sealed as Buffer))
    return { id: row?.id ?? 0, messageId: String(messageId).slice(1, -1) }
  }
  const stateOf = async (mail: string) => {
    const [row] = await database.store.query<{ estado: string; email: string; reason: string | null }>(sql`
      select i.estado, m.estado as email, m.last_error as reason from invitaciones i join mails m on m.invitacion_id = i.id
      where i.admin_mail = ${mail}`)
    return row
  }

  it('rebotada: a permanent failure of an email of ours, with its reason and without the address', async () => {
    const { messageId } = await sentInvitation('uno@agencia.test')
    const bounce = await readBounce(bytes(notification(messageId)))
    assert.ok(bounce)
    assert.equal(await recordBounce(database.store, seal, bounce), true)
    const reason = '550 5.1.1 <…>: Recipient address rejected'
    assert.deepEqual(await stateOf('uno@agencia.test'), { estado: 'rebotada', email: 'fallida', reason })
    assert.equal(await recordBounce(database.store, seal, bounce), false, 'a second report changes nothing')
  })

  it('pendiente: a bounce of the email before a renewal; rebotada: one of the present email', async () => {
    const { store } = database
    const mail = 'renovada@agencia.test'
    const former = await sentInvitation(mail)
    await store.query(sql`update invitaciones set enviada = now() where id = ${former.invitacionId}`)
    const present = await sentEmail(mail, former.invitacionId)
    const estado = async () =>
      (await store.query<{ estado: string }>(sql`select estado from invitaciones where admin_mail = ${mail}`))[0]
        ?.estado
    assert.equal(await recordBounce(store, seal, { messageId: former.messageId, reason: 'x' }), true)
    assert.equal(await estado(), 'pendiente')
    assert.equal(await recordBounce(store, seal, { messageId: present.messageId, reason: 'x' }), true)
    assert.equal(await estado(), 'rebotada')
  })

  it('fallida: the receipt of an inquiry, and not the email to the dealership in its row', async () => {
    const { store } = database
    const sid = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
    const [row] = await store.query<{ receipt: number }>(sql`
      insert into mails (kind, to_address, sid, estado, receipt_to, receipt_id, receipt_estado, receipt_due_at)
      values ('consulta', 'tres@agencia.test', ${sid}, 'entregada', 'ana@correo.test', nextval('mails_id_seq'), 'entregada', now())
      returning receipt_id as receipt`)
    const bounce = await readBounce(bytes(notification(`consulta-recibo.${sid}.${row?.receipt}@mercado.example`)))
    assert.ok(bounce)
    assert.equal(await recordBounce(store, seal, bounce), true)
    const states = await store.query(sql`select kind, estado from mail_recipients where sid = ${sid} order by kind`)
    assert.deepEqual(states, [
      { kind: 'consulta', estado: 'entregada' },
      { kind: 'consulta-recibo', estado: 'fallida' },
    ])
  })

  it('a delay, an ordinary email, an unknown or a guessed Message-ID changes nothing', async () => {
    const { id, messageId } = await sentInvitation('dos@agencia.test')
    assert.equal(await readBounce(bytes(notification(messageId, { action: 'delayed', status: '4.4.1' }))), undefined)
    assert.equal(await readBounce(bytes('From: a@b.example\nSubject: Hola\n\nHola\n')), undefined)
    assert.equal(await readBounce(randomBytes(5_000)), undefined)
    const long = notification(messageId).replace('Message-ID', `${'Received: by mx.example\n'.repeat(700)}Message-ID`)
    assert.equal((await readBounce(bytes(long)))?.messageId, messageId)
    // Only the beginning is read.
    const late = notification(messageId).replace('\n\n', `\n\n${'\n'.repeat(1_000)}`)
    assert.equal(await readBounce(bytes(late)), undefined)
    for (const guessed of [
      `00000000-0000-4000-8000-000000000000.${id}@x.example`,
      'x@y.example',
      `${messageId}.999999@x`,
    ])
      assert.equal(await recordBounce(database.store, seal, { messageId: guessed, reason: 'x' }), false)
    assert.deepEqual(await stateOf('dos@agencia.test'), { estado: 'pendiente', email: 'entregada', reason: null })
  })

  it('a mailbox that does not answer holds up no stop', async (t) => {
    const silent = createServer().listen(0, '127.0.0.1')
    t.after(() => silent.close())
    const connected = once(silent, 'connection')
    await once(silent, 'listening')
    const url = `imap://rebotes:secreto@127.0.0.1:${(silent.address() as AddressInfo).port}/INBOX`
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const stopping = new AbortController()
    const reading = readBounceMailbox({ store: database.store, seal, log, url }, stopping.signal)
    const ended = assert.rejects(reading, { name: 'AbortError' }) // its own timeout is 20 s
    await connected
    stopping.abort()
    await ended
  })

  const missing = spawnSync('dovecot', ['--version']).error !== undefined || process.getuid?.() !== 0
  const skip = missing && 'without dovecot, which starts as root, no mailbox is read'

  it('rebotada: read from a mailbox by IMAP, once', { skip }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-imap-'))
    await chmod(folder, 0o777)
    const port = await freePort()
    const maildir = join(folder, 'mail', 'new')
    for (const name of ['new', 'cur', 'tmp']) await mkdir(join(folder, 'mail', name), { recursive: true })
    await writeFile(
      join(folder, 'dovecot.conf'),
      `base_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${folder}/mail
passdb {
  driver = static
  args = password=secreto
}
userdb {
  driver = static
  args = uid=${NOBODY} gid=${NOBODY} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service stats {
  chroot =
}
service anvil {
  chroot =
}
`,
    )
    const { messageId } = await sentInvitation('tres@agencia.test')
    await writeFile(join(maildir, '1.bounce'), bytes(notification(messageId)))
    await writeFile(join(maildir, '2.other'), bytes('From: a@b.example\nSubject: Hola\n\nHola\n'))
    spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(folder, 'mail')])
    const server = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'inherit' })
    try {
      await until(async () => {
        const socket = connect(port, '127.0.0.1')
        const connected = await Promise.race([
          once(socket, 'connect').then(() => true),
          once(socket, 'error').then(() => false),
        ]).catch(() => false)
        socket.destroy()
        return connected
      })
      const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
      const url = `imap://rebotes:secreto@127.0.0.1:${port}/INBOX`
      await readBounceMailbox({ store: database.store, seal, log, url })
      assert.equal((await stateOf('tres@agencia.test'))?.estado, 'rebotada')
      const seen = await readdir(join(folder, 'mail', 'cur'))
      assert.equal(seen.filter((name) => /:2,.*S/.test(name)).length, 2)
      await assert.rejects(readBounceMailbox({ store: database.store, seal, log, url: url.replace('imap:', 'imaps:') }))
    } finally {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  })
})

it('an email has a DKIM signature that the published key verifies', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const mailbox = await openMailbox()
  const smtp = openSmtp(mailbox.url, { dkim: { domain: 'mercado.example', selector: 'rodado', key } })
  try {
    const mail = { from: 'no-reply@mercado.example', to: 'ana@agencia.test', subject: 'Ñandú', text: 'Hola\n' }
    await smtp.send(mail, new AbortController().signal)
    const [received] = await mailbox.waitFor('ana@agencia.test')
    const [head = ''] = (received?.raw ?? '').split('\r\n\r\n', 1)
    const fields = head.split(/\r\n(?![ \t])/)
    const signature = fields.find((field) => /^DKIM-Signature:/i.test(field)) ?? ''
    const tag = (name: string) => new RegExp(`[;\\s]${name}=([^;]*)`).exec(signature)?.[1]?.replace(/\s+/g, '') ?? ''
    assert.deepEqual(
      [tag('d'), tag('s'), tag('a'), tag('c')],
      ['mercado.example', 'rodado', 'rsa-sha256', 'relaxed/relaxed'],
    )
    // RFC 6376, 3.4.2: relaxed header canonicalization.
    const relaxed = (field: string) => {
      const [name = '', ...value] = field.split(':')
      return `${name.toLowerCase().trim()}:${value.join(':').replace(/\s+/g, ' ').trim()}`
    }
    const signed = tag('h')
      .split(':')
      .flatMap((name) => fields.find((field) => new RegExp(`^${name}:`, 'i').test(field)) ?? [])
    const own = relaxed(signature).replace(/([;\s]b=)[^;]*/, '$1')
    const verify = createVerify('sha256').update([...signed.map(relaxed), own].join('\r\n'))
    assert.equal(verify.verify(createPublicKey(key), tag('b'), 'base64'), true)
  } finally {
    smtp.close()
    await mailbox.close()
  }
})
