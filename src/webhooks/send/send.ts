import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type buildConnector, Client } from 'undici'
import { getOrInsert } from '../../memoize.ts'
import type { Outcome } from '../../outbox/handler.ts'
import { type CallbackConfig, callbackRules } from '../callback-rules.ts'
import { type ConnectorOptions, NoResponse, openConnector, readInSlices } from './connect.ts'
import { codeOf, explainEncoding, explainError, explainStatus, retryAfterSeconds } from './explain.ts'

/** Where a request goes. Connections are kept by `key`, so that a receiver that hangs delays no other. */
export interface Endpoint {
  key: string
  origin: string
  path: string
  /** The headers of every request to this endpoint: names and values in turn. */
  headers: readonly string[]
  /** The private ranges that its app alone may reach. */
  appRanges: readonly string[]
}

export interface SendResult {
  /** The address that was connected to, or that refused the connection. */
  address: string | null
  status: number | null
  /** The beginning of the response body. */
  answer: string | null
  /** For people, in Spanish; null after a 2xx. */
  error: string | null
  /** The error for the log. */
  code: string | null
  retryAfterSeconds: number | undefined
}

export type Sender = ReturnType<typeof openSender>

export interface SenderOptions extends Omit<ConnectorOptions, 'connectMs' | 'rules'> {
  config: CallbackConfig
  clock: () => Date
  nowMs?: () => number
  times?: Partial<typeof TIMES>
}

/** docs/decisions/deliveries.md */
const TIMES = { connectMs: 5_000, totalMs: 15_000 }
const MAX_IDLE_CONNECTIONS = 256
const MAX_RULE_SETS = 1_000 // one for each set of appRanges
const MAX_HEADER_BYTES = 16_384
const MAX_RESPONSE_BYTES = 65_536 + MAX_HEADER_BYTES // in all, chunk sizes and trailers included
const STORED_BYTES = 4_096 // docs/decisions/deliveries.md
/** If the receiver had closed an idle connection, we learn it within a round trip. */
const STALE_CONNECTION_MS = 250
const CONTINUE = 'HTTP/1.1 100'
const CONNECTION_LOST = new Set(['ECONNRESET', 'EPIPE', 'closed'])

const CLIENT_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: 4_000, // where the receiver does not say how long
  keepAliveMaxTimeout: 30_000,
  keepAliveTimeoutThreshold: 1_000, // close it before the receiver does
  headersTimeout: 0, // `totalMs` bounds the whole request
  bodyTimeout: 0,
}

/** Sends every webhook. A connection carries one request at a time and is kept for the next one of the same endpoint. */
export function openSender({ config, clock, nowMs = () => performance.now(), times, ca }: SenderOptions) {
  const { connectMs, totalMs } = { ...TIMES, ...times }
  const connectors = new LRUCache<string, buildConnector.connector>({ max: MAX_RULE_SETS })
  const idle = new Map<string, Connection[]>()
  const busy = new Set<Connection>()
  let idleCount = 0
  let isClosed = false

  function connectorFor(appRanges: readonly string[]): buildConnector.connector {
    const key = appRanges.join()
    const open = () => openConnector({ rules: callbackRules(config, appRanges), connectMs, ca })
    return getOrInsert<string, buildConnector.connector>(connectors, key, open)
  }

  const open = ({ key, origin, appRanges }: Endpoint): Connection =>
    new Connection(origin, connectorFor(appRanges), (connection) => forget(key, connection))

  /** The connection used last: the receiver is least likely to have closed it. */
  function reuse(key: string): Connection | undefined {
    const connection = idle.get(key)?.at(-1)
    if (connection) forget(key, connection)
    return connection
  }

  function release(key: string, connection: Connection): void {
    if (!connection.isOpen) return
    if (isClosed || idleCount >= MAX_IDLE_CONNECTIONS) return connection.close()
    const list = idle.get(key)
    if (list) list.push(connection)
    else idle.set(key, [connection])
    idleCount++
  }

  function forget(key: string, connection: Connection): void {
    const list = idle.get(key)
    const index = list?.lastIndexOf(connection) ?? -1
    if (!list || index < 0) return
    list.splice(index, 1)
    idleCount--
    if (list.length === 0) idle.delete(key)
  }

  function abortAll(): void {
    for (const connection of busy) connection.abort(new NoResponse('stopped'))
  }

  async function post(connection: Connection, request: Request): Promise<Response> {
    const timer = setTimeout(() => connection.abort(new NoResponse('timeout')), totalMs)
    busy.add(connection)
    const response = await connection.post(request)
    busy.delete(connection)
    clearTimeout(timer)
    return response
  }

  /** Never rejects: a failure is part of the result. One signal aborts all requests together. */
  async function send(
    endpoint: Endpoint,
    headers: readonly string[],
    body: string,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const request = { path: endpoint.path, headers: [...endpoint.headers, ...headers], body }
    signal.addEventListener('abort', abortAll) // added once, however often it is called
    const startedMs = nowMs()
    let connection = reuse(endpoint.key) ?? open(endpoint)
    let response = await post(connection, request)
    if (response.isStale && nowMs() - startedMs < STALE_CONNECTION_MS) {
      connection = open(endpoint)
      response = await post(connection, request)
    }
    release(endpoint.key, connection)
    return resultOf(connection.address, response, clock)
  }

  return {
    send,
    close(): void {
      isClosed = true
      for (const connection of [...idle.values()].flat()) connection.close()
    },
  }
}

interface Request {
  path: string
  headers: string[]
  body: string
}

interface Response {
  status: number | null
  retryAfter: string | undefined
  text: string | null
  error: Error | null
  /** The receiver had closed the reused connection before it read the request. */
  isStale: boolean
}

/** An undici client with at most one connection and one request at a time. */
class Connection {
  address: string | null = null
  #socket: Socket | undefined
  #isReused = false
  #hasStatus = false
  #bytesBefore = 0
  /** Bytes of the response that undici was given. */
  #parsed = 0
  readonly #client: Client

  constructor(origin: string, connect: buildConnector.connector, onDisconnect: (connection: Connection) => void) {
    this.#client = new Client(origin, {
      ...CLIENT_OPTIONS,
      connect: (options, callback) =>
        connect(options, (...result) => {
          const [, socket] = result
          if (socket) this.#use(socket)
          callback(...result)
        }),
    })
    this.#client.on('disconnect', () => onDisconnect(this))
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed && !this.#client.destroyed
  }

  #use(socket: Socket): void {
    this.#socket = socket
    this.#isReused = false
    this.#bytesBefore = 0
    this.address = socket.remoteAddress ?? null
    readInSlices(socket, (chunk) => {
      // undici bounds neither interim responses nor chunk extensions, and of headers only names and values.
      this.#parsed += chunk.length
      if (this.#bytesRead > MAX_RESPONSE_BYTES || (!this.#hasStatus && this.#parsed > MAX_HEADER_BYTES))
        return this.abort(new NoResponse('long-headers'))
      // undici ends the connection at a 100 and ignores a 102. A client must accept both (RFC 9110, 15.2).
      if (!this.#hasStatus && chunk.toString('latin1', 0, CONTINUE.length) === CONTINUE)
        chunk.write('2', CONTINUE.length - 1)
    })
  }

  /** Bytes of the response to the current request. */
  get #bytesRead(): number {
    return (this.#socket?.bytesRead ?? 0) - this.#bytesBefore
  }

  post({ path, headers, body }: Request): Promise<Response> {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0
    this.#parsed = 0
    this.#hasStatus = false
    return new Promise((resolve) => {
      let status: number | null = null
      let retryAfter: string | undefined
      let encoding: string | undefined
      let size = 0
      const chunks: Buffer[] = []
      const end = (error: Error | null) => {
        const isStale = error !== null && this.#isReused && this.#bytesRead === 0 && CONNECTION_LOST.has(codeOf(error))
        this.#isReused = true
        resolve({ status, retryAfter, text: textOf(chunks, encoding), error, isStale })
      }
      this.#client.dispatch(
        { method: 'POST', path, headers, body },
        {
          onRequestStart() {},
          onResponseStart: (_, code, received) => {
            if (code < 200) return
            this.#hasStatus = true
            status = code
            retryAfter = [received['retry-after']].flat()[0]
            encoding = [received['content-encoding']].flat()[0]
          },
          onResponseData(_, chunk) {
            if (size <= STORED_BYTES) chunks.push(chunk)
            size += chunk.length
          },
          onResponseEnd: () => end(null),
          onResponseError: (_, error) => end(error),
        },
      )
    })
  }

  /** Ends the connection, and the current request with this error. */
  abort(error: Error): void {
    this.#client.destroy(error, () => undefined)
  }

  close(): void {
    this.#client.close(() => undefined)
  }
}

/** The beginning of a body as text that PostgreSQL can store: no NUL, no half of a character. Of a compressed one, its encoding. */
function textOf(chunks: Buffer[], encoding = 'identity'): string | null {
  if (chunks.length === 0) return null
  if (!/^\s*(identity\s*)?$/i.test(encoding)) return explainEncoding(encoding)
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  const text = bytes.toString('utf8', 0, STORED_BYTES).replaceAll('\0', '\uFFFD')
  return bytes.length > STORED_BYTES ? text.replace(/\uFFFD$/, '') : text
}

/** The address that refused the connection; where several were tried, the first. */
function triedAddress(error: Error | null): string | null {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first as { address?: string } | null)?.address ?? null
}

/** The status decides, even if the rest of the response never came. */
function resultOf(address: string | null, response: Response, clock: () => Date): SendResult {
  const { status, text: answer, error } = response
  if (status === null) {
    const explained = explainError(error ?? new NoResponse('timeout'))
    return { address: address ?? triedAddress(error), status, answer, ...explained, retryAfterSeconds: undefined }
  }
  if (status >= 200 && status < 300)
    return { address, status, answer, error: null, code: null, retryAfterSeconds: undefined }
  const seconds = retryAfterSeconds(response.retryAfter, clock().getTime())
  return { address, status, answer, ...explainStatus(status), retryAfterSeconds: seconds }
}

/** What a response means for the outbox: 2xx is delivered, a status among `final` is never retried, all else is. */
export function outcomeOf({ status, error, code, retryAfterSeconds }: SendResult, final: readonly number[]): Outcome {
  if (error === null) return { kind: 'delivered' }
  const about = { reason: error, ...(code && { code }) }
  if (status !== null && final.includes(status)) return { kind: 'failed', ...about }
  return { kind: 'postponed', ...about, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
}
