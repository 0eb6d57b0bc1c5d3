import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './circuit-breaker.ts'
import { type Connection, withClient } from './failover.ts'

export interface ListenerOptions {
  connection: Connection
  log: Log
  clockMs?: () => number
}

const HEARTBEAT_MS = 300
const HEARTBEAT_TIMEOUT_MS = 2_000
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 2_000

const CLIENT = { application_name: 'rodado listen', query_timeout: HEARTBEAT_TIMEOUT_MS, keepAlive: true }

type Query = (text: string) => Promise<unknown>

/** Runs statements one after another. */
function inSequence(client: pg.Client): Query {
  let last: Promise<unknown> = Promise.resolve()
  return (text) => {
    last = last.catch(() => undefined).then(() => client.query(text))
    return last
  }
}

export type Listener = ReturnType<typeof openListener>

/** The one connection that receives NOTIFY. A heartbeat proves that nothing is pending, and finds a dead peer. */
export function openListener({ connection, log, clockMs = () => performance.now() }: ListenerOptions) {
  const channels = new Map<string, ((payload: string) => void)[]>()
  const gapListeners: (() => void)[] = []
  const ending = new AbortController()
  const { signal } = ending
  let fresh = Number.NEGATIVE_INFINITY
  let pauseMs = FIRST_PAUSE_MS
  let current: Query | undefined

  async function listen(query: Query, names: Iterable<string>) {
    for (const name of names) await query(`listen ${pg.escapeIdentifier(name)}`)
    for (const listener of gapListeners) listener()
  }

  /** One connection, until it is lost, which throws. The next heartbeat finds a loss. */
  async function session(client: pg.Client) {
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of channels.get(channel) ?? []) listener(payload)
    })
    try {
      const query = inSequence(client)
      current = query
      await listen(query, channels.keys())
      pauseMs = FIRST_PAUSE_MS
      while (!signal.aborted) {
        const sent = clockMs()
        // PostgreSQL sends pending notifications before it answers: see freshSince.
        await query('select')
        fresh = sent
        await pause(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      current = undefined
    }
  }

  async function run() {
    while (!signal.aborted) {
      await withClient(connection, CLIENT, session).catch((err) => {
        if (!signal.aborted) log.warn({ err }, 'listener: the connection was lost')
      })
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
    }
  }

  // Starts after the caller's tick, so that it can add its channels first.
  const running = Promise.resolve().then(run)

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
    /** Everything committed before this time, in `clockMs`, has been received; `-Infinity` until we are connected. */
    freshSince: () => fresh,
    async close(): Promise<void> {
      ending.abort()
      await running
    },
  }
}
