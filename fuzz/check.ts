import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { MARK, MARK_OF_TEST } from '../tests/isolation/stage.ts'
import type { Answer } from './connection.ts'
import { deref, mismatch, type Operation, operationAt, PROBLEM, VALIDATION_PROBLEM } from './contract.ts'
import type { Asked } from './requests.ts'
import type { Sent } from './wire.ts'

/** What is wrong with an answer, by kind. */
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
  says: string
}

/** Refusals that come before a route is known, whatever the contract says of it. */
const AT_THE_DOOR = [400, 401, 404, 405, 406, 408, 413, 415, 417, 429, 431]
/** Headers that change how HTTP itself is read; what they may be answered with is not the route's business. */
const BELOW_ROUTES = /^(expect|x-largo|x-raro|upgrade|connection|host|content-type)$/i

/** Compares an answer with what the contract promises for the request. */
export function faultOf(asked: Asked, sent: Sent, answer: Answer | undefined): Fault | undefined {
  if (!answer) {
    // We hung up first, or nobody can say where it ended.
    if (sent.last || !(asked.framing === 'length' || asked.framing === 'chunked')) return undefined
    return { kind: 'silence', says: 'the connection was closed without an answer' }
  }
  const { status, headers } = answer
  if (isBusy(answer)) return undefined
  if (status >= 500) return { kind: 'server error', says: `${status} ${answer.body.toString('utf8').slice(0, 300)}` }
  if (!headers.has('x-request-id')) return { kind: 'header', says: `${status} without X-Request-Id` }
  const body = unpacked(answer)
  const strange = isSite(sent.target) ? [MARK_OF_TEST] : [MARK, MARK_OF_TEST]
  if (strange.some((mark) => body.includes(mark)))
    return { kind: 'foreign', says: 'the answer tells of another app’s agency' }
  const operation = operationFor(asked, sent)
  const plain = isPlain(asked, sent)
  const promised = operation?.responses[status]
  if (!promised) {
    if (operation && plain && !isStray(operation, asked, status))
      return { kind: 'status', says: `${status} is not in the contract of ${operation.operationId}` }
    if (status < 400 && !allowedElsewhere(asked, status))
      return { kind: 'status', says: `${status} at an address that the contract does not know` }
    if (status >= 400 && !AT_THE_DOOR.includes(status))
      return { kind: 'status', says: `${status}, which no door answers` }
  }
  const taken = operation && plain && status < 300 && wrongYetTaken(operation, sent)
  if (taken) return { kind: 'schema', says: `${status}, though the body breaks its schema: ${taken}` }
  const ignored = operation && plain && status < 300 ? wrongParam(operation, sent) : undefined
  if (ignored !== undefined)
    return { kind: 'schema', says: `${status}, though the parameter ${JSON.stringify(ignored)} should be refused` }
  const told = promised && deref(promised)
  const missing = headerFault(answer, plain ? told : undefined) // what is no HTTP is answered before anything is known
  if (missing || asked.method === 'HEAD' || status === 204 || status === 304) return missing
  return bodyFault(answer, body, told, plain)
}

/** What is wrong with a body of JSON by the contract; of a batch each line is judged, and answered, by itself. */
function wrongYetTaken({ body, path }: Operation, sent: Sent): string | undefined {
  const type = sent.headers.find(([name]) => name === 'Content-Type')?.[1] ?? ''
  if (!body || path.endsWith('/lote') || !sent.body?.length || !/^(application|text)\/json/i.test(type))
    return undefined
  try {
    // Without the byte order mark, which a reader of JSON may ignore (RFC 8259, 8.1), and ours does.
    return mismatch(body.schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(sent.body)))
  } catch (error) {
    return (error as Error).message
  }
}

/** A parameter that is repeated or, of a change, blank or unknown (decisions, 14). */
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

/** A machine that does other things beside may be too slow for us: that is said, and is no fault. */
export const isBusy = ({ status, headers, body }: Answer): boolean =>
  status === 503 && headers.has('retry-after') && body.includes('sobrecargado')

/** A body where none is taken is refused by its form, on any route. */
const isStray = (operation: Operation, { body }: Asked, status: number): boolean =>
  !operation.body && body !== undefined && [400, 413, 415].includes(status)

/** The operation that the address belongs to as anyone would read it; none where it cannot be decoded. */
export function operationFor({ method }: Asked, { target }: Sent): Operation | undefined {
  const origin = target.replace(/^http:\/\/[^/?]*/, '')
  if (!/^[!-~]*$/.test(origin)) return undefined // no address, as HTTP has it
  try {
    if (decodeURIComponent(Buffer.from(origin, 'latin1').toString('utf8')).includes('\0')) return undefined
    const path = (origin.split(/[?#]/, 1)[0] ?? '').split('/').map(encoded).join('/')
    return operationAt(method === 'HEAD' ? 'GET' : method, path)
  } catch {
    return undefined
  }
}

/** A segment in a form in which a slash inside it is none between two. */
const encoded = (segment: string): string => {
  const text = decodeURIComponent(segment)
  return text.includes('/') ? segment : text
}

/** Whether it is the marketplace's own site that asks, which sees all apps of its mode. */
export const isSite = (target: string): boolean => /^(http:\/\/[^/]*)?\/interno/.test(target)

/** Node reads so much of a head, address included. */
const MOST_HEAD_BYTES = 16_384

const isPlain = ({ framing, headers }: Asked, { bytes, body }: Sent): boolean =>
  bytes.length - (body?.length ?? 0) < MOST_HEAD_BYTES - 384 &&
  (framing === 'length' || framing === 'chunked') &&
  !headers.some(([name]) => BELOW_ROUTES.test(name))

/** OPTIONS is answered everywhere, and pages stand outside of the contract. */
const allowedElsewhere = ({ method, target }: Asked, status: number): boolean =>
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
  if (!media && status >= 400 && !isProblem) return { kind: 'content type', says: `${status} as ${type}` }
  if (!media && promised && !(isProblem && !plain)) {
    if (!promised.content && body.length === 0) return undefined
    return { kind: 'content type', says: `${status} as ${type || 'nothing'} is not in the contract` }
  }
  if (!/json/.test(type)) return undefined
  let json: { Status?: number; Errors?: object }
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    return { kind: 'schema', says: `${status} is not JSON: ${(error as Error).message}` }
  }
  const schema = media?.schema ?? (status >= 400 ? (json.Errors ? VALIDATION_PROBLEM : PROBLEM) : undefined)
  const wrong = schema && mismatch(schema, json)
  if (wrong) return { kind: 'schema', says: `${status}: ${wrong}` }
  if (type === 'application/problem+json' && json.Status !== status)
    return { kind: 'schema', says: `${status} says Status ${json.Status}` }
  return undefined
}

const NEEDED: Record<number, string> = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after', 201: 'location' }

/** Declared, but only where there is a match. */
const MAY_LACK = 'match'

/** What HTTP wants of a status, and what the contract declares for it, must be there. */
function headerFault({ status, headers }: Answer, told: Operation['responses'][string] | undefined): Fault | undefined {
  const declared = Object.keys(told?.headers ?? {}).map((name) => name.toLowerCase())
  const lacking = [NEEDED[status] ?? 'x-request-id', ...declared].find(
    (name) => !headers.has(name) && name !== MAY_LACK,
  )
  return lacking ? { kind: 'header', says: `${status} without ${lacking}` } : undefined
}
