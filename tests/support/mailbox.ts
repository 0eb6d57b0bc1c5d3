import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { certificate } from './receiver.ts'
import { until } from './until.ts'

/** A received email. */
interface Received {
  from: string
  to: string[]
  /** True if it came encrypted. */
  encrypted: boolean
  /** As received. */
  raw: string
  mail: Email
  /** A header by its name in lower case. */
  header(name: string): string | undefined
}

type Step = 'connect' | 'from' | 'to' | 'data'

/** A real mail server controlled by the test. */
export interface Mailbox {
  /** For SMTP_URL. */
  url: string
  mails: Received[]
  /** The number of connections so far. */
  connections(): number
  /** The emails to an address, once there are so many. */
  waitFor(to: string, count?: number): Promise<Received[]>
  /** Answers that step with the code from now on: 5xx is permanent, 4xx temporary. */
  refuse(step: Step, code: number, message?: string): void
  /** Answers RCPT TO of one address with the code from now on. */
  refuseRecipient(to: string, code: number): void
  /** Stops answering that step and keeps the connection open. */
  hang(step: Step): void
  /** How many connections wait for an answer. */
  hanging(): number
  /** Accepts everything again and releases hanging connections. */
  release(): void
  close(): Promise<void>
}

type Done = (error?: Error | null) => void

export async function openMailbox({ starttls = false }: { starttls?: boolean } = {}): Promise<Mailbox> {
  const mails: Received[] = []
  const answers = new Map<string, Error | 'hang'>()
  let hanging: Done[] = []
  let connections = 0

  function answer(step: Step, done: Done, to = ''): void {
    const how = answers.get(step) ?? answers.get(to)
    if (how === 'hang') hanging.push(done)
    else done(how)
  }

  const server = new SMTPServer({
    disabledCommands: starttls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(starttls && { key: certificate('key'), cert: certificate('cert') }),
    onConnect(_session, done) {
      connections++
      answer('connect', done)
    },
    onMailFrom: (_address, _session, done) => answer('from', done),
    onRcptTo: ({ address }, _session, done) => answer('to', done, address),
    async onData(stream, session, done) {
      const bytes = await buffer(stream).catch(() => undefined)
      if (!bytes) return // some tests close the connection in the middle
      const received = await read(bytes, session)
      answer('data', (error) => {
        if (!error) mails.push(received)
        done(error)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')

  const mailbox: Mailbox = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    connections: () => connections,
    async waitFor(to, count = 1) {
      const found = () => mails.filter((mail) => mail.to.includes(to))
      await until(() => found().length >= count)
      return found()
    },
    refuse: (step, code, message = 'no') =>
      void answers.set(step, Object.assign(new Error(message), { responseCode: code })),
    refuseRecipient: (to, code) => void answers.set(to, Object.assign(new Error('no'), { responseCode: code })),
    hang: (step) => void answers.set(step, 'hang'),
    hanging: () => hanging.length,
    release() {
      answers.clear()
      for (const done of hanging) done()
      hanging = []
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return mailbox
}

async function read(bytes: Buffer, { envelope, secure }: SMTPServerSession): Promise<Received> {
  const mail = await PostalMime.parse(bytes)
  return {
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
    encrypted: secure,
    raw: bytes.toString('utf8'),
    mail,
    header: (name) => mail.headers.find(({ key }) => key === name)?.value,
  }
}
