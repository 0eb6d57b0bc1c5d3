import type { Answer } from './call.ts'
import { ConnectionError, ProblemError, problemOf, RodadoError } from './problems.ts'

/** A request as it is signed: `target` is path and query as they are sent. */
export interface Asked {
  method: string
  target: string
  body: string | undefined
}

/** How the server is reached, and how a request shows who asks. */
export interface Reach {
  origin: string
  fetch: typeof fetch
  timeoutMs: number
  credentials(asked: Asked): Promise<Record<string, string>>
}

/** What came of one attempt: an answer with its text, or a problem. */
export interface Exchanged {
  response: Response
  text: string
  problem: ProblemError | undefined
}

/** One attempt, to the last byte of its answer. */
export async function exchange(
  { origin, fetch, timeoutMs, credentials }: Reach,
  asked: Asked,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Exchanged> {
  const limit = AbortSignal.timeout(timeoutMs)
  const ended = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    const shown = await orEnded(credentials(asked), ended)
    const response = await fetch(origin + asked.target, {
      method: asked.method,
      headers: { ...headers, ...shown },
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

/** What a caller is given of it. */
export function answerOf<T>({ status, headers }: Response, text: string): Answer<T> {
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
