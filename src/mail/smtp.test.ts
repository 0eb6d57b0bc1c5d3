import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Mailbox, openMailbox } from '../../tests/support/mailbox.ts'
import { receiverCa } from '../../tests/support/receiver.ts'
import { checkSmtp, openSmtp } from './smtp.ts'

const MAIL = { from: 'no-reply@rodado.test', to: 'ana@agencia.test', subject: 'Hola', text: 'Hola' }

/** A mail server on this machine under an address that is no loopback by its look, as one elsewhere has. */
const elsewhere = ({ url }: Mailbox, options = '') => `${url.replace('127.0.0.1', '0.0.0.0')}${options}`

async function send(url: string, ca?: string) {
  const smtp = openSmtp(url, { ca })
  try {
    return await smtp.send(MAIL, new AbortController().signal)
  } finally {
    smtp.close()
  }
}

describe('a mail server', () => {
  let plain: Mailbox
  let encrypting: Mailbox
  before(async () => {
    plain = await openMailbox()
    encrypting = await openMailbox({ starttls: true })
  })
  after(() => Promise.all([plain.close(), encrypting.close()]))

  it('without STARTTLS gets nothing, and the error says what to do', async () => {
    const outcome = await send(elsewhere(plain))
    assert.equal(outcome.kind, 'postponed')
    assert.match('reason' in outcome ? outcome.reason : '', /STARTTLS.*smtps:.*\?tls=opcional to SMTP_URL/)
    assert.equal(plain.mails.length, 0)
    await assert.rejects(checkSmtp(elsewhere(plain)), /\?tls=opcional to SMTP_URL/)
  })

  it('without STARTTLS is taken where ?tls=opcional says so, or on this machine', async () => {
    for (const url of [elsewhere(plain, '?tls=opcional'), plain.url]) {
      assert.equal((await send(url)).kind, 'delivered')
      await checkSmtp(url)
    }
    assert.deepEqual(
      plain.mails.map(({ encrypted }) => encrypted),
      [false, false],
    )
  })

  it('with STARTTLS and a certificate that nobody signed is taken on this machine, as Debian’s Postfix', async () => {
    await checkSmtp(encrypting.url)
    assert.equal((await send(encrypting.url)).kind, 'delivered')
    assert.equal(encrypting.mails.pop()?.encrypted, true)
  })

  it('with STARTTLS gets it encrypted, under a certificate that is trusted and no other', async () => {
    const url = elsewhere(encrypting, '?tls.servername=localhost')
    assert.equal((await send(url, receiverCa())).kind, 'delivered')
    assert.deepEqual(
      encrypting.mails.map(({ encrypted }) => encrypted),
      [true],
    )
    const outcome = await send(url)
    assert.equal(outcome.kind, 'postponed')
    assert.match('reason' in outcome ? outcome.reason : '', /certificate.*NODE_EXTRA_CA_CERTS/)
    assert.equal(encrypting.mails.length, 1)
    await checkSmtp(url, { ca: receiverCa() })
    await assert.rejects(checkSmtp(url), /NODE_EXTRA_CA_CERTS/)
  })
})
