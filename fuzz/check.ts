import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { MARK, MARK_OF_TEST } from '../tests/isolation/fixture.ts'
import type { Answer } from './connection.ts'
import { deref, mismatch, type Operation, operationAt, PROBLEM, VALIDATION_PROBLEM } from './contract.ts'
import type { Sent } from './encode.ts'
import type { FuzzRequest } from './requests.ts'

/** A fault of a response. */
export interface Fault {
  kind:
    | 'server error'
    | 'status'
    | 'content type'
    | 'schema'
    | 'header'
    | 'silence'
    | 'foreign'
    | 'half written'
    | 'page'
  message: string
}

/** Refusals before routing, which need not be in the contract of an operation. */
const BEFORE_ROUTING = [400, 401, 404, 405, 406, 408, 413, 415, 417, 429, 431]
/** Headers that affect HTTP itself; the responses to them are not in the contract. */
const BELOW_ROUTES = /^(expect|x-largo|x-raro|upgrade|connection|host|content-type)$/i

/** Compares a response with the contract. */
export function faultOf(request: FuzzRequest, sent: Sent, answer: Answer | undefined): Fault | undefined {
  if (!answer) {
    // We closed the connection first, or its end is ambiguous.
    if (sent.last || !(request.framing === 'length' || request.framing === 'chunked')) return undefined
    return { kind: 'silence', message: 'the connection was closed without an answer' }
  }
  const { status, headers } = answer
  if (isBusy(answer)) return undefined
  if (status >= 500) return { kind: 'server error', message: `${status} ${answer.body.toString('utf8').slice(0, 300)}` }
  if (!headers.has('x-request-id')) return { kind: 'header', message: `${status} without X-Request-Id` }
  const body = unpacked(answer)
  const strange = isSite(sent.target) ? [MARK_OF_TEST] : [MARK, MARK_OF_TEST]
  if (strange.some((mark) => body.includes(mark)))
    return { kind: 'foreign', message: 'the answer contains a record of another tenant' }
  const operation = operationFor(request, sent)
  const plain = isPlain(request, sent)
  const promised = operation?.responses[status]
  if (!promised) {
    if (operation && plain)
      return { kind: 'status', message: `${status} is not in the contract of ${operation.operationId}` }
    if (status < 400 && !allowedElsewhere(request, status))
      return { kind: 'status', message: `${status} at a path that is not in the contract` }
    if (status >= 400 && !BEFORE_ROUTING.includes(status))
      return { kind: 'status', message: `${status} is not a refusal before routing` }
  }
  const accepted = operation && plain && status < 300 && invalidButAccepted(operation, sent)
  if (accepted) return { kind: 'schema', message: `${status}, though the body breaks its schema: ${accepted}` }
  const ignored = operation && plain && status < 300 ? wrongParam(operation, sent) : undefined
  if (ignored !== undefined)
    return { kind: 'schema', message: `${status}, though the parameter ${JSON.stringify(ignored)} should be refused` }
  const response = promised && deref(promised)
  const missing = headerFault(answer, plain ? response : undefined) // invalid HTTP is answered before routing
  if (missing || request.method === 'HEAD' || status === 204 || status === 304) return missing
  return bodyFault(answer, body, response, plain)
}

/** The violation of a JSON body. A batch is skipped, because each of its lines is validated by itself. */
function invalidButAccepted({ body, path }: Operation, sent: Sent): string | undefined {
  const type = sent.headers.find(([name]) => name === 'Content-Type')?.[1] ?? ''
  if (!body || path.endsWith('/lote') || !sent.body?.length || !/^(application|text)\/json/i.test(type))
    return undefined
  try {
    // TextDecoder drops the byte order mark, which a JSON parser may ignore (RFC 8259, 8.1), and ours does.
    return mismatch(body.schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(sent.body)))
  } catch (error) {
    return (error as Error).message
  }
}

/** A repeated parameter or, for a change, a blank or unknown one (docs/decisions/api.md). */
function wrongParam({ method, path, parameters }: Operation, { target }: Sent): string | undefined {
  if (!/^\/(v3|interno)/.test(path)) return undefined
  const known = parameters.filter((each) => each.in === 'query').map(({ name }) => name.toLowerCase())
  const isChange = /^(POST|PUT|PATCH|DELETE)$/.test(method)
  const seen = new Set<string>()
  const query = target.split('#', 1)[0]?.split('?').slice(1).join('?') ?? ''
  for (const [sent, value] of new URLSearchParams(`&${query}`)) {
    const name = sent.toLowerCase()
    const isKnown = known.includes(name)
    if (isChange ? !isKnown || value === '' || seen.has(name) : isKnown && seen.has(name)) return sent
    seen.add(name)
  }
  return undefined
}

/** The test machine may be too slow: an announced 503 for overload is no fault. */
export const isBusy = ({ status, headers, body }: Answer): boolean =>
  status === 503 && headers.has('retry-after') && body.includes('sobrecargado')

/** The operation of a request; undefined if its path cannot be decoded. */
export function operationFor({ method }: FuzzRequest, { target }: Sent): Operation | undefined {
  const origin = target.replace(/^http:\/\/[^/?]*/, '')
  if (!/^[!-~]*$/.test(origin)) return undefined // not a valid HTTP target
  try {
    if (decodeURIComponent(Buffer.from(origin, 'latin1').toString('utf8')).includes('\0')) return undefined
    const path = (origin.split(/[?#]/, 1)[0] ?? '').split('/').map(encoded).join('/')
    return operationAt(method === 'HEAD' ? 'GET' : method, path)
  } catch {
    return undefined
  }
}

/** Decodes a segment unless that would add a slash. */
const encoded = (segment: string): string => {
  const text = decodeURIComponent(segment)
  return text.includes('/') ? segment : text
}

/** True for the site API, which sees all apps of its mode. */
export const isSite = (target: string): boolean => /^(http:\/\/[^/]*)?\/interno/.test(target)

/** Node's limit for the request line and headers. */
const MAX_HEAD_BYTES = 16_384

const isPlain = ({ framing, headers }: FuzzRequest, { bytes, body }: Sent): boolean =>
  bytes.length - (body?.length ?? 0) < MAX_HEAD_BYTES - 384 &&
  (framing === 'length' || framing === 'chunked') &&
  !headers.some(([name]) => BELOW_ROUTES.test(name))

/** OPTIONS is answered everywhere, and pages are not in the contract. */
const allowedElsewhere = ({ method, target }: FuzzRequest, status: number): boolean =>
  method === 'OPTIONS' ? status === 204 : !/v3|interno/i.test(target) || status === 304

function unpacked({ headers, body }: Answer): Buffer {
  const coding = headers.get('content-encoding')
  if (body.length === 0) return body
  return coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
}

function bodyFault(
  { status, headers }: Answer,
  body: Buffer,
  promised: Operation['responses'][string] | undefined,
  plain: boolean,
): Fault | undefined {
  const type = headers.get('content-type') ?? ''
  const media = promised?.content?.[type.split(';', 1)[0] ?? '']
  const isProblem = status >= 400 && type === 'application/problem+json'
  if (!media && status >= 400 && !isProblem) return { kind: 'content type', message: `${status} as ${type}` }
  if (!media && promised && !(isProblem && !plain)) {
    if (!promised.content && body.length === 0) return undefined
    return { kind: 'content type', message: `${status} as ${type || 'nothing'} is not in the contract` }
  }
  if (!/json/.test(type)) return undefined
  let json: { Status?: number; Errors?: object }
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    return { kind: 'schema', message: `${status} is not JSON: ${(error as Error).message}` }
  }
  const schema = media?.schema ?? (status >= 400 ? (json.Errors ? VALIDATION_PROBLEM : PROBLEM) : undefined)
  const wrong = schema && mismatch(schema, json)
  if (wrong) return { kind: 'schema', message: `${status}: ${wrong}` }
  if (type === 'application/problem+json' && json.Status !== status)
    return { kind: 'schema', message: `${status} with Status ${json.Status}` }
  return undefined
}

const NEEDED: Record<number, string> = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after', 201: 'location' }

/** Declared, but sent only if there is a match. */
const MAY_LACK = 'match'

/** Checks the headers that HTTP and the contract require for a status. */
function headerFault(
  { status, headers }: Answer,
  response: Operation['responses'][string] | undefined,
): Fault | undefined {
  const declared = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase())
  const lacking = [NEEDED[status] ?? 'x-request-id', ...declared].find(
    (name) => !headers.has(name) && name !== MAY_LACK,
  )
  return lacking ? { kind: 'header', message: `${status} without ${lacking}` } : undefined
}
