import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './circuit-breaker.ts'
import { createKeyedMutex } from './concurrency.ts'
import { type Connection, ignoreError, newClient } from './failover.ts'
import { reconnect } from './reconnect.ts'

interface ListenerOptions {
  /** Where the pool writes. The heartbeat is sent there. */
  connection: Connection
  /** Where LISTEN works, if `connection` leads through a pooler. */
  direct?: Connection
  log: Log
}

const HEARTBEAT_MS = 300
/** Only speed depends on it: what is not known to be fresh is read from the database (store/mirror.ts). */
const HEARTBEAT_TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 50
/** In a network that drops every packet a connection never ends. */
const END_TIMEOUT_MS = 1_000

const LISTENING = { application_name: 'rodado listen', query_timeout: HEARTBEAT_TIMEOUT_MS, keepAlive: true }
const SENDING = { ...LISTENING, application_name: 'rodado heartbeat' }

type Query = (text: string) => Promise<unknown>

/** Runs statements one after another. */
function inSequence(client: pg.Client): Query {
  const oneAtATime = createKeyedMutex()
  return (text) => oneAtATime('', () => client.query(text))
}

class NotReceived extends Error {
  constructor() {
    super(`a NOTIFY of our own was not received within ${HEARTBEAT_TIMEOUT_MS} ms`)
  }
}

/**
 * Sends a NOTIFY over one connection and waits until the other, which sends nothing itself, receives it. That proves that
 * LISTEN works there: behind a pooler in transaction mode it is accepted and nothing arrives. It also proves that both
 * connections lead to the same server, and that everything committed before has been received.
 */
function openHeartbeat(listening: pg.Client, sending: pg.Client) {
  const channel = `heartbeat_${randomBytes(8).toString('hex')}`
  let sent = 0
  let isLost = false
  let onReceived: (() => void) | undefined
  let onLost: (() => void) | undefined
  listening.on('notification', (received) => {
    if (received.channel === channel && received.payload === String(sent)) onReceived?.()
  })
  listening.on('end', stop)

  function stop(): void {
    isLost = true
    onLost?.()
  }

  async function beat(): Promise<void> {
    if (isLost) throw new Error('Connection terminated')
    sent++
    let timer: NodeJS.Timeout | undefined
    const received = new Promise<void>((resolve, reject) => {
      onReceived = resolve
      onLost = () => reject(new Error('Connection terminated'))
      timer = setTimeout(() => reject(new NotReceived()), HEARTBEAT_TIMEOUT_MS)
    })
    // It need not be on disk, and NOTIFY holds a lock of the whole database until its commit.
    const notify = `select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', '${sent}')`
    try {
      await Promise.all([sending.query(notify), received])
    } finally {
      clearTimeout(timer)
    }
  }
  return { channel, beat, stop }
}

export type Listener = ReturnType<typeof openListener>

/** The one connection that receives NOTIFY. A heartbeat proves that nothing is pending, and finds a dead peer. */
export function openListener({ connection, direct, log }: ListenerOptions) {
  const channels = new Map<string, ((payload: string) => void)[]>()
  const gapListeners: (() => void)[] = []
  const ending = new AbortController()
  const { signal } = ending
  let fresh = Number.NEGATIVE_INFINITY
  let isWarned = false
  let current: Query | undefined
  let stopHeartbeat: (() => void) | undefined

  async function listen(query: Query, names: Iterable<string>) {
    for (const name of names) await query(`listen ${pg.escapeIdentifier(name)}`)
    for (const listener of gapListeners) listener()
  }

  /** One pair of connections, until one is lost, which throws. The next heartbeat finds a loss. */
  async function session(client: pg.Client, sending: pg.Client) {
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of channels.get(channel) ?? []) listener(payload)
    })
    const heartbeat = openHeartbeat(client, sending)
    stopHeartbeat = heartbeat.stop
    try {
      const query = inSequence(client)
      current = query
      await listen(query, [heartbeat.channel, ...channels.keys()])
      while (!signal.aborted) {
        const sent = performance.now()
        await heartbeat.beat()
        fresh = sent
        isWarned = false
        await pause(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      current = undefined
    }
  }

  function warn(err: Error): void {
    if (!(err instanceof NotReceived)) return log.warn({ err }, 'listener: the connection was lost')
    if (isWarned) return
    isWarned = true
    log.error(
      { err },
      'listener: NOTIFY does not arrive, so each request reads its app from the database, which is slower. If DATABASE_URL leads through a pooler, set DATABASE_DIRECT_URL to PostgreSQL itself',
    )
  }

  async function connect() {
    const clients = [newClient(direct ?? connection, LISTENING), newClient(connection, SENDING)] as const
    try {
      await Promise.all(clients.map((client) => client.connect()))
      await session(...clients)
    } finally {
      const ended = Promise.all(clients.map((client) => client.end().catch(ignoreError)))
      await Promise.race([ended, pause(END_TIMEOUT_MS, undefined, { ref: false })])
    }
  }

  // Starts after the caller's tick, so that it can add its channels first.
  const running = Promise.resolve().then(() =>
    reconnect({ signal, firstPauseMs: FIRST_PAUSE_MS, session: connect, onLost: warn }),
  )

  return {
    /** Listens to a channel; best in the same tick as `openListener`, before the first connection. */
    on(channel: string, listener: (payload: string) => void): void {
      const known = channels.get(channel)
      if (known) return void known.push(listener)
      channels.set(channel, [listener])
      // A failure here is a lost connection, and the next one listens to all channels.
      if (current) listen(current, [channel]).catch(() => undefined)
    },
    /** Called when notifications may have been missed: after every connection, and after a channel is added later. */
    onGap: (listener: () => void) => void gapListeners.push(listener),
    /** Everything committed before this time, of `performance.now()`, has been received; `-Infinity` until we are connected. */
    freshSince: () => fresh,
    async close(): Promise<void> {
      ending.abort()
      stopHeartbeat?.()
      await running
    },
  }
}
