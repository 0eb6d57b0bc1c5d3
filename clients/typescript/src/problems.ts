import type { ProblemName } from './operations.ts'
import type { Candidato } from './schema.ts'

/** Any error of a call. */
export class RodadoError extends Error {
  override readonly name: string = 'RodadoError'
}

/** No complete response: a network error, a timeout, or an aborted call. A change may have been done: read it before you repeat it. */
export class ConnectionError extends RodadoError {
  override readonly name = 'ConnectionError'
}

/**
 * The server refused. `code` is the reason for programs; `errors` names each invalid property; `extensions` has whatever else
 * the problem says.
 */
export class ProblemError extends RodadoError {
  override readonly name = 'ProblemError'
  readonly status: number
  /** The last segment of `Type`, or OAuth's own code. Later versions may add values. */
  readonly code: ProblemName | (string & {})
  readonly type: string
  readonly title: string
  readonly detail: string
  readonly instance: string
  readonly errors: Record<string, string[]>
  /** The stable codes of each property's faults, as `errors` has their texts. */
  readonly codes: Record<string, string[]>
  /** The stable code of a problem that is not a 400: `/problemas` lists them. */
  readonly codigo: string | undefined
  /** What resembles a value that bestmatch did not find, best first. */
  readonly candidatos: Candidato[]
  readonly extensions: Record<string, unknown>
  /** For support. */
  readonly requestId: string | undefined
  /** From `Retry-After`, if the server sent it. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, headers: Headers, body: ProblemBody) {
    const { Type = '', Title = '', Detail = '', Instance = '' } = body
    const [Errors, Extensions] = [body.Errors ?? {}, body.Extensions ?? {}]
    super(`${status} ${namedFaults(Errors) || Detail || Title || 'without an explanation'}`)
    this.status = status
    this.type = Type
    this.code = Type.slice(Type.lastIndexOf('/') + 1)
    this.title = Title
    this.detail = Detail
    this.instance = Instance
    this.errors = Errors
    this.extensions = Extensions
    this.codes = (Extensions.Codigos ?? {}) as Record<string, string[]>
    this.codigo = Extensions.Codigo as string | undefined
    this.candidatos = (Extensions.Candidatos ?? []) as Candidato[]
    this.requestId = headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = secondsOf(headers.get('retry-after'))
  }
}

/** `AdminMail: No es un correo; _: Hay más errores`. */
const namedFaults = (errors: Record<string, string[]>): string =>
  Object.entries(errors)
    .map(([name, texts]) => `${name}: ${texts.join(' ')}`)
    .join('; ')

interface ProblemBody {
  Type?: string
  Title?: string
  Detail?: string
  Instance?: string
  Errors?: Record<string, string[]>
  Extensions?: Record<string, unknown>
}

/** More than any response of the API, and less than a process can spare. */
const MAX_RESPONSE_MB = 32

/** The text of a response; one that does not end must not fill the memory. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > MAX_RESPONSE_MB * 1_048_576) {
      reader.cancel().catch(() => undefined)
      const larger = `${response.url} answers more than ${MAX_RESPONSE_MB} MB`
      throw new RodadoError(`${larger}: check the server's address, or narrow the list.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** The error for a response, also for one written by a proxy. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const text = await readText(response).catch(() => '')
  const body = isJson(response) ? (parse(text) as (ProblemBody & OauthBody) | undefined) : undefined
  const { error, error_description = '' } = body ?? {}
  const other = error ? { Type: error, Title: error, Detail: error_description } : foreignProblem(response)
  return new ProblemError(response.status, response.headers, isProblem(body) ? body : other)
}

/** A proxy may answer JSON of its own. */
const isProblem = (body: ProblemBody | undefined): body is ProblemBody =>
  typeof body?.Type === 'string' && Object.values(body.Errors ?? {}).every(Array.isArray)

/** A problem that names the address: a proxy answered, or the address is wrong. */
function foreignProblem({ statusText, url, headers }: Response): ProblemBody {
  const location = headers.get('location')
  return { Title: statusText, Detail: `${statusText} (${url}${location ? `, moved to ${location}` : ''})` }
}

/** True if the response is the server's own, not a proxy's. */
export const isOurs = ({ type }: ProblemError): boolean => type.includes('/problemas/')

/** The error format of /oauth/token (RFC 6749). */
interface OauthBody {
  error?: string
  error_description?: string
}

const isJson = (response: Response) => /[/+]json\b/.test(response.headers.get('content-type') ?? '')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` in seconds; a date in it counts from now. */
function secondsOf(text: string | null): number | undefined {
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}
