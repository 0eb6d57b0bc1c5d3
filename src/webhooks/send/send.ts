import { Client } from 'undici'
import type { Patience } from '../../outbox/patience.ts'
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
  /** What was really connected to, or what refused to be. */
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
  send(target: Target, headers: string[], body: Buffer, patience: Patience): Promise<Call>
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

  function send(target: Target, headers: string[], body: Buffer, patience: Patience): Promise<Call> {
    return new Promise((resolve) => {
      let exchange: Exchange
      const timer = setTimeout(() => exchange.over(new NotSent('timeout'), false), totalMs)
      patience.onEnd(() => exchange.over(new NotSent('cut'), false))

      function post(connection: Connection): void {
        const isReused = connection.calls++ > 0
        exchange = new Exchange((error, reusable) => {
          if (reusable) keep(target.key, connection)
          else void connection.client.destroy()
          // Closed by the other side just as we used it again: that says nothing about the receiver.
          if (isReused && exchange.status === null && wasLost(error)) return post(open(target))
          clearTimeout(timer)
          resolve(callOf(connection.address, exchange, error, clock))
        })
        try {
          connection.client.dispatch({ path: target.path, method: 'POST', headers, body }, exchange)
        } catch (error) {
          exchange.over(error as Error, false)
        }
      }
      post(reuse(target.key) ?? open(target))
    })
  }

  return {
    send,
    close() {
      for (const { client } of [...idle.values()].flat()) void client.destroy()
      idle.clear()
    },
  }
}

const wasLost = (error: Error | null): boolean => LOST.has((error as NodeJS.ErrnoException | null)?.code ?? '')

/** What a connection was refused by; where several addresses were tried, the first of them. */
function triedAddress(error: Error | null): string | null {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first as { address?: string } | null)?.address ?? null
}

/** A status decides, however the rest of the answer went: the receiver has spoken. */
function callOf(address: string | null, exchange: Exchange, error: Error | null, clock: () => Date): Call {
  const { status, retryAfter } = exchange
  const answer = exchange.answer()
  if (status === null) {
    const explained = explainError(error ?? new NotSent('timeout'))
    return { address: address ?? triedAddress(error), status, answer, ...explained, retryAfterSeconds: undefined }
  }
  if (status >= 200 && status < 300)
    return { address, status, answer, error: null, code: null, retryAfterSeconds: undefined }
  const waits = retryAfterSeconds(retryAfter, clock().getTime())
  return { address, status, answer, ...explainStatus(status), retryAfterSeconds: waits }
}
