import { type Answer, type Call, createCall } from './call.ts'
import { IDEMPOTENT, OPERATIONS, type Operations, type SiteOperations } from './operations.ts'
import { ConnectionError, ProblemError, problemOf, RodadoError } from './problems.ts'
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
/** The forms that an operation has. */
interface Forms<Op extends keyof All> {
  entry: All[Op]['entry']
  ref: All[Op] extends { ref: infer R } ? R : never
  adf: All[Op] extends { adf: infer A } ? A : never
}
type FormOf<Op extends keyof All> = {
  [Form in keyof Forms<Op>]: [Forms<Op>[Form]] extends [never] ? never : Form
}[keyof Forms<Op>]
type OptionsOf<Op extends keyof All> = Omit<Options, 'as' | 'idempotencyKey'> & { as?: FormOf<Op> } & (All[Op] extends {
    idempotent: true
  }
    ? Pick<Options, 'idempotencyKey'>
    : unknown)
type Chosen<O> = O extends { as: infer Form extends string } ? Form : 'entry'
type Given<Op extends keyof All, O> =
  | Forms<Op>[Chosen<O> & keyof Forms<Op>]
  | (O extends { ifNoneMatch: string | undefined } ? undefined : never)
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
  // Without options there is nothing to choose, and the entry is given.
  [Op in Ops]: <const O extends OptionsOf<Op> = Record<never, never>>(
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

const TIMEOUT_MS = 30_000

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
    const tokens = createTokens({ ...reach(shared), appKey, appSecret, now, timeoutMs: shared.timeoutMs ?? TIMEOUT_MS })
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
  const { origin, pathname } = new URL(baseUrl)
  const root = pathname.replace(/\/+$/, '')
  const { vendor = 'service', retries = 3, timeoutMs = TIMEOUT_MS, longestWaitMs = 60_000 } = config
  const accepts = { entry: 'application/json', ref: `application/vnd.${vendor}.ref+json`, adf: 'application/x-adf+xml' }

  /** One attempt, to the last byte of its answer. */
  async function exchange(asked: Asked, headers: Record<string, string>, signal: AbortSignal | undefined) {
    const limit = AbortSignal.timeout(timeoutMs)
    const ended = signal ? AbortSignal.any([signal, limit]) : limit
    try {
      const credentials = await orEnded(identity.credentials(asked), ended)
      const response = await fetch(origin + asked.target, {
        method: asked.method,
        headers: { ...headers, ...credentials },
        ...(asked.body !== undefined && { body: asked.body }),
        redirect: 'manual',
        signal: ended,
      })
      return response.ok || response.status === 304
        ? { response, text: await textOf(response), problem: undefined }
        : { response, text: '', problem: await problemOf(response) }
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause // of the token
      const why = limit.aborted
        ? `no answer within ${timeoutMs} ms`
        : signal?.aborted
          ? 'ended by its signal'
          : reason(cause)
      throw new ConnectionError(`${asked.method} ${asked.target}: ${why}.`, { cause })
    }
  }

  async function ask<T>(method: string, href: string, body: unknown, options: Options): Promise<Answer<T>> {
    const { as = 'entry', ifMatch, ifNoneMatch, idempotencyKey, signal } = options
    // As it is sent: what fetch would write otherwise would not be what was signed.
    const { pathname, search } = new URL(root + href, origin)
    const asked = { method, target: pathname + search, body: body === undefined ? undefined : JSON.stringify(body) }
    const headers = {
      accept: accepts[as],
      ...(asked.body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
      ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    let mended = false
    async function attempt(): Promise<Answer<T>> {
      const { response, text, problem } = await exchange(asked, headers, signal)
      if (!problem) return answerOf<T>(response, text)
      if (response.status !== 401 || mended) throw problem
      mended = identity.refused(problem.extensions.Codigo, response.headers)
      if (!mended) throw problem
      return attempt()
    }
    const safe = SAFE.has(method) || (idempotencyKey !== undefined && IDEMPOTENT.has(href))
    return withRetries(attempt, safe, { retries, longestWaitMs, random: Math.random, sleep }, signal)
  }

  function request<T>(method: string, href: string, { body, ...options }: { body?: unknown } & Options = {}): Call<T> {
    if (!href.startsWith('/')) throw new RodadoError(`"${href}" is no address of the API: those begin with /.`)
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

/** A value as one segment of a path: no path is walked with it. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new RodadoError(`"${value}" is no part of an address.`)
  return encodeURIComponent(value).replaceAll('%40', '@')
}

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The path with its parameters in their places, the rest as its query; what is undefined was not given. */
function fill(path: string, params: Record<string, unknown>): string {
  const query = new URLSearchParams()
  let filled = path
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue
    const place = `{${name}}`
    if (filled.includes(place)) filled = filled.replace(place, () => segment(String(value)))
    else query.set(name, String(value))
  }
  const missing = /\{(\w+)\}/.exec(filled)?.[1]
  if (missing) throw new RodadoError(`${missing} is needed.`)
  return query.size > 0 ? `${filled}?${query}` : filled
}

function answerOf<T>({ status, headers }: Response, text: string): Answer<T> {
  return {
    data: (text === '' ? undefined : isJson(headers) ? parse(text) : text) as T,
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  }
}

const textOf = async (response: Response): Promise<string> =>
  response.status === 204 || response.status === 304 ? '' : response.text()

const isJson = (headers: Headers): boolean => /[/+]json\b/.test(headers.get('content-type') ?? '')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RodadoError('The answer says that it is JSON, and is not.', { cause })
  }
}

/** What the network said, which fetch keeps behind its own words. */
function reason(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message?: string }
  return cause?.code ?? message ?? 'failed'
}

/** Waits no longer than the call may take: several calls share what is waited for. */
const orEnded = <T>(work: Promise<T>, ended: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (ended.aborted) reject(ended.reason)
    ended.addEventListener('abort', () => reject(ended.reason), { once: true })
    work.then(resolve, reject)
  })
