import { setTimeout as pause } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import { isLoopback } from '../config.ts'
import { isUnavailable, type Log } from '../store/circuit-breaker.ts'
import type { Store } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { readBounce, recordBounce } from './bounces.ts'

/** Read of an email: a notification with the returned headers is smaller. */
const MAX_BYTES = 65_536
const MAX_EMAILS = 200
const TIMEOUT_MS = 20_000
/** How long an interrupted reading may take to end what it has begun. */
const END_MS = 1_000

interface MailboxDeps {
  store: Store
  seal: Seal
  log: Log
  /** BOUNCE_IMAP_URL. */
  url: string
}

/** Reads the unread emails of the mailbox, records the bounces among them, and marks each as read. */
export async function readBounceMailbox(deps: MailboxDeps, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const client = openClient(deps.url)
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason)
  })
  signal?.addEventListener('abort', stop)
  const reading = readUnread(client, deps)
  try {
    await Promise.race([reading, stopped])
  } finally {
    signal?.removeEventListener('abort', stop)
    client.close()
    // A transaction that has begun ends before the store is closed. A pending `connect` never settles.
    const ended = reading.catch(() => undefined)
    await Promise.race([ended, pause(END_MS, undefined, { ref: false })])
  }
}

function openClient(url: string): ImapFlow {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'imaps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const client = new ImapFlow({
    host,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    // Otherwise an attacker in between could strip STARTTLS and read the password.
    ...(!secure && !isLoopback(host) && { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  // Without a listener, a connection that breaks later would end the process.
  client.on('error', () => undefined)
  return client
}

async function readUnread(client: ImapFlow, { store, seal, log, url }: MailboxDeps): Promise<void> {
  await client.connect()
  try {
    const lock = await client.getMailboxLock(decodeURIComponent(new URL(url).pathname.slice(1)) || 'INBOX')
    try {
      const unread = (await client.search({ seen: false }, { uid: true })) || []
      let recorded = 0
      for (const uid of unread.slice(0, MAX_EMAILS)) {
        const email = await client.fetchOne(String(uid), { source: { maxLength: MAX_BYTES } }, { uid: true })
        const { source } = email || {}
        try {
          const bounce = source && (await readBounce(source))
          if (bounce && (await recordBounce(store, seal, bounce))) recorded++
        } catch (err) {
          if (isUnavailable(err)) throw err
          // Anybody can write to this address: one email must not stop those after it.
          log.warn({ err, uid }, 'mail: an email of the bounce mailbox could not be read')
        }
        await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
      }
      if (recorded > 0) log.info({ recorded }, 'mail: bounces recorded')
    } finally {
      lock.release()
    }
  } finally {
    await client.logout().catch(() => undefined)
  }
}
