import { type Answer, type Call, createCall } from './call.ts'
import { OPERATIONS, type Operations, type SiteOperations } from './operations.ts'
import { ConnectionError, ProblemError, problemOf } from './problems.ts'
import { sleep, withRetries } from './retry.ts'
import { createSigner } from './sign.ts'
import { createTokens } from './token.ts'

export interface ClientConfig extends SharedConfig {
  appKey: string
  appSecret: string
  /** How each call shows who asks: signed by itself (the default), or by a token that is renewed when it must be. */
  auth?: 'signature' | 'bearer'
  /** The server's SIGNATURE_PREFIX. */
  prefix?: string
}

export interface SiteConfig extends SharedConfig {
  sitioKey: string
}

interface SharedConfig {
  /** Where the server is: `https://api.mercado.example`. */
  baseUrl: string
  /** The server's VENDOR: the name in its media types. */
  vendor?: string
  /** How often a call that may be repeated is tried again; 3 by default. */
  retries?: number
  /** How long one attempt may take; 30 s by default. */
  timeoutMs?: number
  /** The longest wait between attempts that the server may ask for; 60 s by default. */
  longestWaitMs?: number
  /** Another `fetch`, and another clock: for tests, and for runtimes with their own. */
  fetch?: typeof fetch
  now?: () => number
}

export interface Options {
  /** Which form of the answer: the whole entry, its reference, or, for an inquiry, the ADF lead. */
  as?: 'entry' | 'ref' | 'adf'
  /** Only if it is still as it was read: 412 otherwise. */
  ifMatch?: string
  /** Only if it has changed: otherwise the answer is `undefined`, with status 304. */
  ifNoneMatch?: string
  /** The same key is the same request, however often it is sent (`recibirConsulta`). */
  idempotencyKey?: string
  signal?: AbortSignal
}

type All = Operations & SiteOperations
type Output<Op extends keyof All, O> = O extends { as: 'ref' }
  ? All[Op] extends { ref: infer R }
    ? R
    : never
  : O extends { as: 'adf' }
    ? string
    : All[Op]['entry']
type Given<Op extends keyof All, O> = Output<Op, O> | (O extends { ifNoneMatch: string } ? undefined : never)
type Body<Op extends keyof All> = All[Op] extends { body: infer B } ? [body: B] : []
type Params<Op extends keyof All> = All[Op] extends { params: infer P }
  ? object extends P
    ? Body<Op> extends []
      ? [params?: P]
      : [params: P]
    : [params: P]
  : []

/** One method for each endpoint, named by its operation: parameters, then body, then options. */
type Methods<Ops extends keyof All> = {
  [Op in Ops]: <const O extends Options = Options>(
    ...given: [...Params<Op>, ...Body<Op>, options?: O]
  ) => Call<Given<Op, O>>
}

/** The partner API. */
export type Client = Methods<keyof Operations> & Requester
/** What the marketplace's own site calls. */
export type SiteClient = Methods<keyof SiteOperations> & Requester

interface Requester {
  /** Any address of the API, such as a link of an answer; typed by whoever calls. */
  request<T>(method: string, href: string, more?: { body?: unknown } & Options): Call<T>
}

/** A client for a partner's app. */
export function createClient({
  appKey,
  appSecret,
  auth = 'signature',
  prefix = 'SVC',
  ...shared
}: ClientConfig): Client {
  const now = shared.now ?? Date.now
  if (auth === 'bearer') {
    const tokens = createTokens({ ...reach(shared), appKey, appSecret, now })
    return build(shared, {
      credentials: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
      refused(code) {
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
    // A machine whose clock is off learns the server's from its answer.
    refused(code, headers) {
      const theirs = Date.parse(headers.get('date') ?? '')
      if (code !== 'fecha-fuera-de-rango' || Number.isNaN(theirs)) return false
      skewMs = theirs - now()
      return true
    },
  })
}

/** A client for the marketplace's own site. */
export const createSiteClient = ({ sitioKey, ...shared }: SiteConfig): SiteClient =>
  build(shared, { credentials: async () => ({ authorization: `Bearer ${sitioKey}` }), refused: () => false })

interface Asked {
  method: string
  target: string
  body: string | undefined
}

interface Identity {
  credentials(request: Asked): Promise<Record<string, string>>
  /** Whether a 401 with that code is worth one more attempt. */
  refused(code: unknown, headers: Headers): boolean
}

const reach = ({ baseUrl, fetch: given }: SharedConfig) => ({
  baseUrl: baseUrl.replace(/\/+$/, ''),
  fetch: given ?? ((...call: Parameters<typeof fetch>) => fetch(...call)),
})

function build<C>(config: SharedConfig, identity: Identity): C {
  const { baseUrl, fetch } = reach(config)
  const { vendor = 'service', retries = 3, timeoutMs = 30_000, longestWaitMs = 60_000 } = config
  const accepts = { entry: 'application/json', ref: `application/vnd.${vendor}.ref+json`, adf: 'application/x-adf+xml' }

  async function exchange(asked: Asked, headers: Record<string, string>, signal: AbortSignal | undefined) {
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      return await fetch(baseUrl + asked.target, {
        method: asked.method,
        headers: { ...headers, ...(await identity.credentials(asked)) },
        ...(asked.body !== undefined && { body: asked.body }),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause // of the token
      const why = limit.aborted
        ? `no answer within ${timeoutMs} ms`
        : signal?.aborted
          ? 'ended by its signal'
          : 'failed'
      throw new ConnectionError(`${asked.method} ${asked.target}: ${why}.`, { cause })
    }
  }

  async function ask<T>(method: string, href: string, body: unknown, options: Options): Promise<Answer<T>> {
    const { as = 'entry', ifMatch, ifNoneMatch, idempotencyKey, signal } = options
    const asked = { method, target: href, body: body === undefined ? undefined : JSON.stringify(body) }
    const headers = {
      accept: accepts[as],
      ...(asked.body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
      ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    let mended = false
    async function attempt(): Promise<Answer<T>> {
      const response = await exchange(asked, headers, signal)
      if (response.ok || response.status === 304) return answerOf<T>(response)
      const problem = await problemOf(response)
      if (response.status !== 401 || mended) throw problem
      mended = identity.refused(problem.extensions.Codigo, response.headers)
      if (!mended) throw problem
      return attempt()
    }
    const safe = method === 'GET' || idempotencyKey !== undefined
    return withRetries(attempt, safe, { retries, longestWaitMs, random: Math.random, sleep }, signal)
  }

  function request<T>(method: string, href: string, { body, ...options }: { body?: unknown } & Options = {}): Call<T> {
    const again = (next: string) => ask<T>('GET', next, undefined, options)
    return createCall(ask<T>(method, href, body, options), again)
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

/** The path with its parameters in their places, the rest as its query; what is undefined was not given. */
function fill(path: string, params: Record<string, unknown>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue
    const place = `{${name}}`
    if (filled.includes(place))
      filled = filled.replace(place, () => encodeURIComponent(String(value)).replaceAll('%40', '@'))
    else query.set(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

async function answerOf<T>(response: Response): Promise<Answer<T>> {
  const { status, headers } = response
  const text = status === 204 || status === 304 ? '' : await response.text()
  const json = /[/+]json\b/.test(headers.get('content-type') ?? '')
  return {
    data: (text === '' ? undefined : json ? JSON.parse(text) : text) as T,
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  }
}
