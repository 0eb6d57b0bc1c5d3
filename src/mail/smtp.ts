import { createTransport, type Mail, type NodemailerError, type SendMailOptions } from 'nodemailer'
import { type Dkim, isLoopback, mailServerOf } from '../config.ts'
import type { Outcome } from '../outbox/handler.ts'

/** Emails at a time, of each outbox table. */
export const CONNECTIONS = 5
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const IDLE_MS = 10_000

export type Smtp = ReturnType<typeof openSmtp>

interface SmtpOptions {
  /** Certificates to trust instead of the usual ones. */
  ca?: string | undefined
  /** Signs every email (RFC 6376). */
  dkim?: Dkim | undefined
}

/** Connects to the mail server as for an email, and signs in; the error says what to do. */
export async function checkSmtp(url: string, { ca }: SmtpOptions = {}): Promise<void> {
  const transport = createTransport(connectionOf(url, ca))
  try {
    await transport.verify()
  } catch (error) {
    throw new Error(explain(error as NodemailerError), { cause: error })
  } finally {
    transport.close()
  }
}

/** Encrypted, unless the server is on this machine or the operator opted out. */
function connectionOf(smtpUrl: string, ca?: string) {
  const url = new URL(smtpUrl)
  const isLocal = isLoopback(mailServerOf(smtpUrl).host)
  // Debian's Postfix offers STARTTLS with a certificate that nobody signed. On this machine we would send unencrypted too.
  const isUnverified = isLocal && url.protocol === 'smtp:'
  const isOptional = url.searchParams.get('tls') === 'opcional'
  url.searchParams.delete('tls') // not an option of nodemailer's
  return {
    url: url.href,
    requireTLS: !isOptional && !isLocal,
    tls: { ...(isUnverified && { rejectUnauthorized: false }), ...(ca && { ca }) },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  }
}

/** Each connection is a pool of one, so that an email that hangs can be aborted without the others. */
export function openSmtp(url: string, { ca, dkim }: SmtpOptions = {}) {
  const idle: Mail[] = []
  const open = (): Mail =>
    createTransport({
      ...connectionOf(url, ca),
      pool: true,
      maxConnections: 1,
      maxRequeues: 1, // if the server closed the connection meanwhile
      idleTimeout: IDLE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.key } }),
    })

  return {
    async send(mail: SendMailOptions, signal: AbortSignal): Promise<Outcome> {
      if (signal.aborted) return { kind: 'returned' }
      const connection = idle.pop() ?? open()
      const abort = () => connection.transporter.close?.({ force: true })
      signal.addEventListener('abort', abort)
      try {
        await connection.sendMail(mail)
        return { kind: 'delivered' }
      } catch (error) {
        return outcomeOf(error as NodemailerError)
      } finally {
        signal.removeEventListener('abort', abort)
        if (!signal.aborted) idle.push(connection)
      }
    },
    close(): void {
      for (const connection of idle.splice(0)) connection.close()
    },
  }
}

const ADDRESS = /[^\s<>()[\]"',:;]+@[^\s<>()[\]"',:;]+/g

/** Only a refusal of this recipient or this message is final; a problem of the server or our account may be fixed. */
function outcomeOf(error: NodemailerError): Outcome {
  const { permanent, command = '', code, responseCode } = error
  const reason = explain(error).replace(ADDRESS, '…') // the row has the address, and can be erased
  const about = { reason, code: [command, responseCode ?? code].filter(Boolean).join(' ') }
  const ofAddress = code === 'EENVELOPE' && command === 'API' // not one that SMTP can express
  const refused = permanent === true && (command === 'RCPT TO' || command === 'DATA')
  return refused || ofAddress ? { kind: 'failed', ...about } : { kind: 'postponed', ...about }
}

const NO_TLS =
  'The mail server offers no encryption (STARTTLS), so nothing was sent. Use one that does, or smtps://; to send unencrypted all the same, add ?tls=opcional to SMTP_URL.'
const UNTRUSTED = 'Trust its authority with NODE_EXTRA_CA_CERTS, or name the host in SMTP_URL as its certificate does.'

/** What the server or the connection says, and what to do where it is about encryption. */
function explain({ command, code, response, message }: NodemailerError): string {
  if (code === 'ETLS' && command === 'STARTTLS' && response) return `${NO_TLS} (${response})`
  if (/certificate|altnames/i.test(message) && !response) return `${message}. ${UNTRUSTED}`
  return response ?? message
}
