import { createTransport, type Mail, type NodemailerError, type SendMailOptions } from 'nodemailer'
import type { Outcome } from '../outbox/carrier.ts'
import type { Patience } from '../outbox/patience.ts'

/** Letters at a time; more would only wait at the mail server. */
export const CONNECTIONS = 5
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const IDLE_MS = 10_000

/** The way to the mail server. */
export interface Smtp {
  send(mail: SendMailOptions, patience: Patience): Promise<Outcome>
  close(): void
}

/** Each connection is a pool of one, so that a letter that hangs can be cut off and the others go on. */
export function openSmtp(url: string): Smtp {
  const idle: Mail[] = []
  const open = (): Mail =>
    createTransport({
      url,
      pool: true,
      maxConnections: 1,
      maxRequeues: 1, // a connection that the server had closed meanwhile
      idleTimeout: IDLE_MS,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })

  return {
    async send(mail, patience) {
      const connection = idle.pop() ?? open()
      let sending = true
      patience.onEnd(() => sending && connection.transporter.close?.({ force: true }))
      try {
        await connection.sendMail(mail)
        return { kind: 'delivered' }
      } catch (error) {
        return outcomeOf(error as NodemailerError)
      } finally {
        sending = false
        if (!patience.over) idle.push(connection)
      }
    },
    close() {
      for (const connection of idle) connection.close()
    },
  }
}

const ADDRESS = /[^\s<>()[\]"',:;]+@[^\s<>()[\]"',:;]+/g

/** Only a refusal of this person or this letter is for good; what ails the server or our account on it may be mended. */
export function outcomeOf({
  permanent,
  command = '',
  code,
  response,
  responseCode,
  message,
}: NodemailerError): Outcome {
  const reason = (response ?? message).replace(ADDRESS, '…') // which it is stands beside it, and is erased there
  const about = { reason, code: [command, responseCode ?? code].filter(Boolean).join(' ') }
  const ofAddress = code === 'EENVELOPE' && command === 'API' // not one that SMTP can express
  const refused = permanent === true && (command === 'RCPT TO' || command === 'DATA')
  return refused || ofAddress ? { kind: 'failed', ...about } : { kind: 'postponed', ...about }
}
