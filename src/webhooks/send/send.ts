import { Client } from 'undici'
import { type ConnectorOptions, NotSent, openConnector } from './connect.ts'
import { Exchange } from './exchange.ts'
import { explainError, explainStatus } from './explain.ts'
import { retryAfterSeconds } from './retry-after.ts'

/** Where it goes: connections are kept for each `key`, so that one receiver's hanging calls hold up nobody else's. */
export interface Target {
  key: string
  origin: string
  path: string
}

/** How one call went. */
export interface Call {
  /** What was really connected to. */
  address: string | null
  status: number | null
  /** The beginning of the answer. */
  answer: string | null
  /** In words for people; null when it was taken (2xx). */
  error: string | null
  /** The same for the log. */
  code: string | null
  retryAfterSeconds: number | undefined
}

export interface Sender {
  /** One POST. Whatever happens is told in the result; nothing is thrown. */
  send(target: Target, headers: string[], body: Buffer, signal: AbortSignal): Promise<Call>
  close(): void
}

export interface SenderOptions extends Omit<ConnectorOptions, 'connectMs'> {
  clock: () => Date
  times?: Partial<typeof TIMES>
}

interface Connection {
  client: Client
  address: string | null
  /** How often it was used. */
  calls: number
}

/** Decisions, 8. */
const TIMES = { connectMs: 5_000, totalMs: 15_000 }
const IDLE_MS = 4_000
const LONGEST_IDLE_MS = 30_000 // whatever the receiver offers
const MOST_IDLE = 256
const LOST = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The one place from which webhooks leave. A connection carries one call at a time, and is kept for the next. */
export function openSender({ clock, times, ...options }: SenderOptions): Sender {
  const { connectMs, totalMs } = { ...TIMES, ...times }
  const connect = openConnector({ ...options, connectMs })
  const idle = new Map<string, Connection[]>()
  let idling = 0

  function open({ key, origin }: Target): Connection {
    const client = new Client(origin, {
      connect: (options, callback) =>
        connect(options, (...ended) => {
          connection.address = ended[1]?.remoteAddress ?? null
          callback(...ended)
        }),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: LONGEST_IDLE_MS,
      headersTimeout: 0, // the whole call has its time, below
      bodyTimeout: 0,
    })
    const connection: Connection = { client, address: null, calls: 0 }
    client.on('disconnect', () => forget(key, connection))
    return connection
  }

  function keep(key: string, connection: Connection): void {
    if (idling >= MOST_IDLE || connection.client.destroyed) return void connection.client.destroy()
    const list = idle.get(key)
    if (list) list.push(connection)
    else idle.set(key, [connection])
    idling++
  }

  /** The one used last, which is the least likely to have been closed meanwhile. */
  function reuse(key: string): Connection | undefined {
    const list = idle.get(key)
    const connection = list?.pop()
    if (list?.length === 0) idle.delete(key)
    if (connection) idling--
    return connection
  }

  function forget(key: string, connection: Connection): void {
    const list = idle.get(key)
    const at = list?.indexOf(connection) ?? -1
    if (!list || at < 0) return
    list.splice(at, 1)
    idling--
    if (list.length === 0) idle.delete(key)
    void connection.client.destroy()
  }

  /** One exchange over one connection; `cut` is given the way to end it. */
  function post(
    target: Target,
    connection: Connection,
    headers: string[],
    body: Buffer,
    cut: (end: (error: NotSent) => void) => void,
  ): Promise<Call> {
    return new Promise<Call>((resolve) => {
      let isOver = false
      function over(error: Error | null, reusable: boolean): void {
        if (isOver) return
        isOver = true
        resolve(callOf(connection, exchange, error, clock))
        if (reusable) keep(target.key, connection)
        else void connection.client.destroy()
      }
      const exchange = new Exchange(over)
      cut((error) => over(error, false))
      connection.calls++
      try {
        connection.client.dispatch({ path: target.path, method: 'POST', headers, body }, exchange)
      } catch (error) {
        over(error as Error, false)
      }
    })
  }

  return {
    async send(target, headers, body, signal) {
      let end: (error: NotSent) => void = () => undefined
      const cut = (how: typeof end) => {
        end = how
      }
      const abort = () => end(new NotSent('cut'))
      const timer = setTimeout(() => end(new NotSent('timeout')), totalMs)
      signal.addEventListener('abort', abort, { once: true })
      try {
        const connection = reuse(target.key) ?? open(target)
        const call = await post(target, connection, headers, body, cut)
        // Closed by the other side just as we used it again: that says nothing about the receiver.
        const wasStale = connection.calls > 1 && call.status === null && LOST.has(call.code ?? '')
        return wasStale ? await post(target, open(target), headers, body, cut) : call
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      }
    },
    close() {
      for (const { client } of [...idle.values()].flat()) void client.destroy()
      idle.clear()
    },
  }
}

/** A status decides, however the rest of the answer went: the receiver has spoken. */
function callOf({ address }: Connection, exchange: Exchange, error: Error | null, clock: () => Date): Call {
  const { status, retryAfter } = exchange
  const told = { address, status, answer: exchange.answer(), retryAfterSeconds: undefined }
  if (status === null) {
    const explained = explainError(error ?? new NotSent('timeout'))
    return { ...told, ...explained }
  }
  if (status >= 200 && status < 300) return { ...told, error: null, code: String(status) }
  return { ...told, ...explainStatus(status), retryAfterSeconds: retryAfterSeconds(retryAfter, clock().getTime()) }
}
