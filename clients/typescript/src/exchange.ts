import type { Answer, Match } from './call.ts'
import { ConnectionError, type ProblemError, problemOf, RodadoError, readText } from './problems.ts'

/** A request to sign: `target` is path and query as sent. */
export interface OutgoingRequest {
  method: string
  target: string
  body: string | undefined
}

/** How to reach the server, and how requests authenticate. */
interface Server {
  origin: string
  fetch: typeof fetch
  credentials(outgoing: OutgoingRequest): Promise<Record<string, string>>
}

/** The result of one attempt: a response with its text, or a problem. */
export interface Exchanged {
  response: Response
  text: string
  problem: ProblemError | undefined
}

/** One attempt, including the whole response. */
export async function exchange(
  { origin, fetch, credentials }: Server,
  outgoing: OutgoingRequest,
  headers: Record<string, string>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Exchanged> {
  const limit = AbortSignal.timeout(timeoutMs)
  const ended = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    const authentication = await abortable(credentials(outgoing), ended)
    const response = await fetch(origin + outgoing.target, {
      method: outgoing.method,
      headers: { ...headers, ...authentication },
      ...(outgoing.body !== undefined && { body: outgoing.body }),
      redirect: 'manual',
      signal: ended,
    })
    return response.ok || response.status === 304
      ? { response, text: await textOf(response), problem: undefined }
      : { response, text: '', problem: await problemOf(response) }
  } catch (cause) {
    if (cause instanceof RodadoError) throw cause // a refused token, or a response that is too large
    const why = limit.aborted
      ? `no answer within ${timeoutMs} ms`
      : signal?.aborted
        ? 'ended by its signal'
        : reason(cause)
    throw new ConnectionError(`${outgoing.method} ${outgoing.target}: ${why}.`, { cause })
  }
}

/** The result for the caller. `accept` is what it asked for. */
export function answerOf<T>(response: Response, text: string, accept: string): Answer<T> {
  const { status, headers } = response
  return {
    data: (text === '' ? undefined : contentOf(response, text, accept)) as T,
    status,
    headers,
    etag: headers.get('etag') ?? undefined,
    location: headers.get('location') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    match: matchOf(headers.get('match')),
  }
}

/** `rule=alias, score=0.93` */
function matchOf(text: string | null): Match | undefined {
  const [, rule, score] = /^rule=([\w-]+), score=([\d.]+)/.exec(text ?? '') ?? []
  return rule === undefined ? undefined : { rule, score: Number(score) }
}

const textOf = async (response: Response): Promise<string> =>
  response.status === 204 || response.status === 304 ? '' : readText(response)

const JSON_TYPE = /[/+]json\b/

/** JSON, or the text if another type was asked for. A website at a wrong address answers HTML to everything. */
function contentOf({ url, headers }: Response, text: string, accept: string): unknown {
  const type = headers.get('content-type') ?? 'no type'
  const isJson = JSON_TYPE.test(type)
  if (!isJson && !JSON_TYPE.test(accept)) return text
  try {
    if (isJson) return JSON.parse(text)
  } catch (cause) {
    throw new RodadoError(`The answer of ${url} says that it is JSON, and is not.`, { cause })
  }
  throw new RodadoError(`${url} answers ${type} instead of JSON: check the server's address.`)
}

/** The network error, which fetch hides behind its own. */
function reason(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message?: string }
  return cause?.code ?? message ?? 'failed'
}

/** Waits no longer than the call may take: several calls may share the promise. */
const abortable = <T>(work: Promise<T>, ended: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    if (ended.aborted) reject(ended.reason)
    ended.addEventListener('abort', () => reject(ended.reason), { once: true })
    work.then(resolve, reject)
  })
