import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Connection, Log } from './db.ts'
import { newClient } from './failover.ts'

/** The one connection of a process that hears what others committed. */
export interface Listener {
  /** Hears a channel; best before the first connection, that is, in the same tick as `openListener`. */
  on(channel: string, hear: (payload: string) => void): void
  /** Called after every connection, the first included, before it counts as fresh: drop what may have been missed. */
  onReconnect(again: () => void): void
  /** Everything committed before this moment, in `clockMs`, has been heard; `-Infinity` until we are connected. */
  freshSince(): number
  close(): Promise<void>
}

export interface ListenerOptions {
  connection: Connection
  log: Log
  clockMs?: () => number
}

const HEARTBEAT_MS = 300
const HEARTBEAT_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

type Ask = (text: string) => Promise<unknown>

/** One statement after the other: a connection answers one at a time. */
function withLock(client: pg.Client): Ask {
  let last: Promise<unknown> = Promise.resolve()
  return (text) => {
    last = last.catch(() => undefined).then(() => client.query(text))
    return last
  }
}

/** Opens that connection and keeps it: its heartbeat proves that nothing is on the way, and finds a dead peer. */
export function openListener({ connection, log, clockMs = () => performance.now() }: ListenerOptions): Listener {
  const channels = new Map<string, ((payload: string) => void)[]>()
  const reconnected: (() => void)[] = []
  const ending = new AbortController()
  const { signal } = ending
  let fresh = Number.NEGATIVE_INFINITY
  let pauseMs = FIRST_PAUSE_MS
  let current: Ask | undefined

  async function listen(ask: Ask, names: Iterable<string>) {
    for (const name of names) await ask(`listen ${pg.escapeIdentifier(name)}`)
    for (const again of reconnected) again()
  }

  /** One connection, from its beginning to its loss, which is thrown. */
  async function session() {
    const client = newClient(connection, {
      application_name: 'rodado listen',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_TIMEOUT_MS,
      keepAlive: true,
    })
    // Its loss is found by the next heartbeat; unheard, this event would end the process.
    client.on('error', () => undefined)
    client.on('notification', ({ channel, payload = '' }) => {
      for (const hear of channels.get(channel) ?? []) hear(payload)
    })
    try {
      await client.connect()
      const ask = withLock(client)
      current = ask
      await listen(ask, channels.keys())
      pauseMs = FIRST_PAUSE_MS
      while (!signal.aborted) {
        const sent = clockMs()
        // PostgreSQL sends what is pending for us before it answers: see freshSince.
        await ask('select')
        fresh = sent
        await pause(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      current = undefined
      await client.end().catch(() => undefined)
    }
  }

  async function live() {
    while (!signal.aborted) {
      await session().catch((err) => {
        if (!signal.aborted) log.warn({ err }, 'listener: the connection was lost')
      })
      await pause(pauseMs, undefined, { signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  // The first step waits for the caller's tick to end, so that it can name its channels.
  const lived = Promise.resolve().then(live)

  return {
    on(channel, hear) {
      const known = channels.get(channel)
      if (known) return void known.push(hear)
      channels.set(channel, [hear])
      // A failure here is a lost connection, and the next one listens to all of them.
      if (current) listen(current, [channel]).catch(() => undefined)
    },
    onReconnect: (again) => void reconnected.push(again),
    freshSince: () => fresh,
    async close() {
      ending.abort()
      await lived
    },
  }
}
