import { fill } from './address.ts'
import { type Answer, type Call, createCall } from './call.ts'
import { answerOf, type Exchanged, exchange, type OutgoingRequest } from './exchange.ts'
import type { Client, Options, SiteClient } from './methods.ts'
import { IDEMPOTENT, OPERATIONS } from './operations.ts'
import { RodadoError } from './problems.ts'
import { sleep, withRetries } from './retry.ts'
import { createSigner } from './sign.ts'
import { createThrottle } from './throttle.ts'
import { createTokens } from './token.ts'

export interface ClientConfig extends SharedConfig {
  appKey: string
  appSecret: string
  /** How calls authenticate: a signature for each (the default), or a token that is renewed when needed. */
  auth?: 'signature' | 'bearer'
  /** The server's SIGNATURE_PREFIX. */
  prefix?: string
}

export interface SiteConfig extends SharedConfig {
  sitioKey: string
}

interface SharedConfig {
  /** The server's URL: `https://api.mercado.example`. */
  baseUrl: string
  /** The server's VENDOR: the name in its media types. */
  vendor?: string
  /** How often a repeatable call is retried; 3 by default. */
  retries?: number
  /** The timeout of one attempt; 30 s by default. */
  timeoutMs?: number
  /** The longest Retry-After to wait for; 60 s by default. */
  longestWaitMs?: number
  /** Sends no faster than the server announces, so that there is no 429; true by default. */
  throttle?: boolean
  /** Called before each attempt, for logs and metrics. */
  onRequest?: (attempt: Attempt) => void
  /** Called after each attempt with its response, or with the error that it ended with. */
  onResponse?: (attempt: Attempt, outcome: Outcome) => void
  /** Another `fetch` and another clock, for tests and for runtimes with their own. */
  fetch?: typeof fetch
  now?: () => number
}

/** One attempt of a call. */
export interface Attempt {
  method: string
  /** Path and query. */
  path: string
  /** 1, or more for retries. */
  number: number
}

export interface Outcome {
  /** Absent if there was no response. */
  status?: number
  requestId?: string | undefined
  error?: unknown
  durationMs: number
}

const TIMEOUT_MS = 30_000
/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A client for a partner's app. */
export function createClient({
  appKey,
  appSecret,
  auth = 'signature',
  prefix = 'SVC',
  ...shared
}: ClientConfig): Client {
  if (!appKey || !appSecret) throw new RodadoError('appKey and appSecret are needed: they come with the app.')
  const now = shared.now ?? Date.now
  if (auth === 'bearer') {
    const tokens = createTokens({
      ...serverOf(shared),
      appKey,
      appSecret,
      now,
      timeoutMs: shared.timeoutMs ?? TIMEOUT_MS,
    })
    return build(shared, {
      credentials: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
      correct(code) {
        if (code !== 'token-invalido') return false
        tokens.forget()
        return true
      },
    })
  }
  const sign = createSigner({ appKey, appSecret, prefix })
  let skewMs = 0
  return build(shared, {
    credentials: (request) => sign(request, { date: new Date(now() + skewMs), nonce: crypto.randomUUID() }),
    // A client with a wrong clock takes the server's from the response.
    correct(code, headers) {
      const theirs = Date.parse(headers.get('date') ?? '')
      if (code !== 'fecha-fuera-de-rango' || Number.isNaN(theirs)) return false
      skewMs = theirs - now()
      return true
    },
  })
}

/** A client for the site API. */
export const createSiteClient = ({ sitioKey, ...shared }: SiteConfig): SiteClient =>
  build(shared, { credentials: async () => ({ authorization: `Bearer ${sitioKey}` }), correct: () => false })

interface Identity {
  credentials(request: OutgoingRequest): Promise<Record<string, string>>
  /** Corrects the clock or the token after a 401 with that code; true if one more attempt is worth it. */
  correct(code: unknown, headers: Headers): boolean
}

const serverOf = ({ baseUrl, fetch: given }: SharedConfig) => ({
  baseUrl: serverUrl(baseUrl),
  fetch: given ?? ((...call: Parameters<typeof fetch>) => fetch(...call)),
})

/** The address without a slash at its end. */
function serverUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isServer = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
  if (!isServer) throw new RodadoError(`baseUrl "${given}" is not a server's address: https://api.mercado.example`)
  const address = given.replace(/\/+$/, '')
  if (/\/v3$/i.test(address))
    throw new RodadoError(`baseUrl "${given}" ends in /v3: leave that out, the client adds it to every path.`)
  return address
}

function build<C>(config: SharedConfig, identity: Identity): C {
  const { baseUrl, fetch } = serverOf(config)
  const { origin, pathname } = new URL(baseUrl)
  const root = pathname.replace(/\/+$/, '')
  const { vendor = 'service', retries = 3, timeoutMs = TIMEOUT_MS, longestWaitMs = 60_000, throttle = true } = config
  const server = { origin, fetch, credentials: identity.credentials }
  const limit = throttle ? createThrottle({ longestWaitMs, sleep, now: () => performance.now() }) : undefined
  const accepts = { entry: 'application/json', ref: `application/vnd.${vendor}.ref+json`, adf: 'application/x-adf+xml' }

  async function send<T>(method: string, href: string, body: unknown, options: Options): Promise<Answer<T>> {
    const { as = 'entry', ifMatch, ifNoneMatch, idempotencyKey, signal } = options
    // Normalised as fetch sends it, so that the signature matches.
    const { pathname, search } = new URL(root + href, origin)
    const outgoing = { method, target: pathname + search, body: body === undefined ? undefined : JSON.stringify(body) }
    const headers = {
      accept: accepts[as],
      ...(outgoing.body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
      ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...Object.fromEntries(new Headers(options.headers)),
    }
    const bounds = { timeoutMs: options.timeoutMs ?? timeoutMs, signal }
    let corrected = false
    let number = 0
    async function observed(): Promise<Exchanged> {
      const attempt = { method, path: outgoing.target, number: ++number }
      config.onRequest?.(attempt)
      const started = performance.now()
      const durationMs = () => performance.now() - started
      try {
        const exchanged = await exchange(server, outgoing, headers, bounds)
        const { status, headers: received } = exchanged.response
        const requestId = received.get('x-request-id') ?? undefined
        config.onResponse?.(attempt, { status, requestId, error: exchanged.problem, durationMs: durationMs() })
        return exchanged
      } catch (error) {
        config.onResponse?.(attempt, { error, durationMs: durationMs() })
        throw error
      }
    }
    async function attempt(): Promise<Answer<T>> {
      const { response, text, problem } = await (limit ? limit.run(observed, signal) : observed())
      if (!problem) return answerOf<T>(response, text, headers.accept)
      if (response.status !== 401 || corrected) throw problem
      corrected = identity.correct(problem.extensions.Codigo, response.headers)
      if (!corrected) throw problem
      return attempt()
    }
    const safe = SAFE.has(method) || (idempotencyKey !== undefined && IDEMPOTENT.has(href))
    return withRetries(attempt, safe, { retries, longestWaitMs, random: Math.random, sleep }, signal)
  }

  function request<T>(method: string, href: string, { body, ...options }: { body?: unknown } & Options = {}): Call<T> {
    if (!href.startsWith('/')) throw new RodadoError(`"${href}" is not a path of the API: those begin with /.`)
    const again = (next: string) => send<T>('GET', next, undefined, options)
    return createCall(send<T>(method, href, body, options), again)
  }

  const client: Record<string, unknown> = { request }
  for (const [name, [method, path, takes]] of Object.entries(OPERATIONS))
    client[name] = (...given: unknown[]) => {
      const params = (takes.includes('p') ? given.shift() : undefined) as Record<string, unknown> | undefined
      const body = takes.includes('b') ? given.shift() : undefined
      return request(method, fill(path, params ?? {}), { body, ...(given[0] as Options | undefined) })
    }
  return client as C
}
