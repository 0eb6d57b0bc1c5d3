import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RecordedCall, Refusal } from './apps/call-log.ts'
import { cameOverNetwork } from './apps/record-usage.ts'
import type { Usage } from './apps/usage.ts'
import { originForm } from './http/negotiation.ts'
import { codesOf, type Detail, type Problem } from './http/problems.ts'
import { getOrInsert, orUndefined } from './memoize.ts'

const MAX_PATH_LENGTH = 500
const MAX_VALUE_LENGTH = 100
/** A larger body is not shown. */
const MAX_MASKED_BYTES = 65_536
/** Characters of the form of a refused body. */
const MAX_BODY_LENGTH = 4_000
const MAX_FAULTS = 20

/** Records each call to the API in its app's log. One that was refused with 401 is in the log of the app it claimed to be. */
export function recordCalls(app: FastifyInstance, usage: Usage): void {
  const known = new Set(['_'])
  app.addHook('onRoute', ({ schema }) => addNames(known, { ...schema, response: undefined }))
  app.addHook('onReady', async () => addNames(known, app.getSchemas()))
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, claimedApp } = request
    const by = caller ?? claimedApp
    if (by) usage.calls.record(by.id, () => recordOf(request, reply, known), { isClaimed: !caller })
    done()
  })
}

/** Names of members and parameters of the API. Others are the client's, and may be somebody's name. */
type KnownNames = ReadonlySet<string>

function addNames(known: Set<string>, schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') for (const name of Object.keys(value)) known.add(name)
    addNames(known, value)
  }
}

function recordOf(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply, known: KnownNames): RecordedCall {
  const { problem, method, body, rawBody } = request
  const target = originForm(request.originalUrl)
  // The body of an upload is bytes: it has no members to show.
  const isParsed = body !== undefined && !request.route.takesRows
  const isShown = statusCode >= 400 && isParsed && rawBody.length <= MAX_MASKED_BYTES
  return {
    adminMail: agencyIn(target),
    metodo: method,
    ruta: maskedTarget(target, paramsOf(request)),
    portal: !cameOverNetwork(request.raw),
    estado: statusCode,
    ms: Math.round(elapsedTime * 100) / 100, // 15 digits cost more to send and to read
    codigo: problem && codeOf(problem),
    problema: problem && refusalOf(problem, known),
    cuerpo: isShown ? maskedBody(body, known) : undefined,
  }
}

const codeOf = ({ name, code, faults }: Problem): string =>
  faults ? (Object.values(codesOf(faults))[0]?.[0] ?? name) : code

/** Its texts, without what the client sent: emails and long numbers may be somebody's. */
function refusalOf({ detail, errors, faults }: Problem, known: KnownNames): Refusal {
  const first = Object.entries(errors ?? {}).slice(0, MAX_FAULTS)
  const byMaskedName = <T>(entries: [name: string, value: T][]): Record<string, T> =>
    Object.fromEntries(entries.map(([name, value]) => [maskedName(name, known), value]))
  return {
    detail: maskedDetail(detail),
    ...(errors && { errors: byMaskedName(first.map(([member, texts]) => [member, texts.map(maskedText)])) }),
    ...(faults && { codes: byMaskedName(Object.entries(codesOf(faults)).slice(0, MAX_FAULTS)) }),
  }
}

function maskedDetail(detail: Detail): Detail {
  if (typeof detail === 'string') return maskedText(detail)
  const values = Object.entries(detail.values ?? {})
  return {
    key: detail.key,
    values: Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'string' ? maskedText(value) : value]),
    ),
  }
}

/** `Precio.Importe` and `Fotos[3]` stay; of `Interesado.Teresa` only the member that the API has. */
const maskedName = (name: string, known: KnownNames): string =>
  name
    .split('.')
    .map((step) => (known.has(step.replace(/\[\d{1,5}\]$/, '')) ? step : '…'))
    .join('.')

/** Each repetition is bounded, so that hostile text costs no more than other text. */
const PERSONAL = /[^\s"'«»<>()@]{1,64}@[^\s"'«»<>()]{1,255}|\+?\d(?:[\s().-]?\d){6,30}|«[^«»]*»/g

/** Masks emails, telephone numbers and what is quoted. PostgreSQL cannot store half a surrogate pair, which a cut may leave. */
const maskedText = (text: string): string =>
  text.replace(PERSONAL, (found) => (found.startsWith('«') ? '«…»' : '…')).toWellFormed()

const NO_PARAMS: ReadonlySet<string> = new Set()
const paramNames = new WeakMap<object, ReadonlySet<string>>()

/** The query parameters of the request's route, in lower case. */
function paramsOf({ routeOptions }: FastifyRequest): ReadonlySet<string> {
  const { properties } = (routeOptions.schema?.querystring ?? {}) as { properties?: object }
  if (!properties) return NO_PARAMS
  return getOrInsert(paramNames, properties, () => new Set(Object.keys(properties).map((name) => name.toLowerCase())))
}

/**
 * The path and query. Masks path segments with an email, a telephone number or encoded characters, which may be a name; query
 * values with an email, a telephone number or over 100 characters; and every value of a parameter that the route does not have,
 * with its name if that is encoded or has no value.
 */
export function maskedTarget(target: string, params: ReadonlySet<string>): string {
  const [path = '', query] = target.split('?', 2)
  const shown = MAY_BE_PERSONAL.test(path) ? path.split('/').map(maskedSegment).join('/') : path
  // Cut afterwards: half an email has no @ to be recognised by.
  return (
    query
      ? `${shown}?${query
          .split('&')
          .map((each) => maskedParam(each, params))
          .join('&')}`
      : shown
  ).slice(0, MAX_PATH_LENGTH)
}

/** The email of the agency in a path, also of one that has no such method. */
function agencyIn(target: string): string | undefined {
  if (!isMail(target)) return undefined
  const segment = target.split(/[/?]/, AGENCY_SEGMENT + 1)[AGENCY_SEGMENT] ?? ''
  if (!isMail(segment)) return undefined
  const mail = orUndefined(() => decodeURIComponent(segment))
  return mail?.includes('\0') ? undefined : mail // PostgreSQL cannot store NUL
}

const AGENCY_SEGMENT = 3

const MAY_BE_PERSONAL = /[@%+]|\d(?:[().-]*\d){6}/

/** The third segment of /v3/consultas/{adminMail} and its like is the agency's; after it, listings have the partner's own ids. */
function maskedSegment(segment: string, at: number, all: string[]): string {
  if (isMail(segment)) return at === AGENCY_SEGMENT ? '{agencia}' : '{correo}'
  if (all[AGENCY_SEGMENT - 1] === 'publicaciones' && at > AGENCY_SEGMENT) return segment
  return /[%+]/.test(segment) ? '{…}' : maskedValue(segment)
}

function maskedParam(param: string, params: ReadonlySet<string>): string {
  const equals = param.indexOf('=')
  if (equals < 0) return params.has(param.toLowerCase()) ? param : '{…}'
  const name = param.slice(0, equals)
  const value = param.slice(equals + 1)
  if (params.has(name.toLowerCase())) return `${name}=${maskedValue(value)}`
  return `${/[%+]/.test(name) ? '{…}' : maskedValue(name)}={…}`
}

function maskedValue(value: string): string {
  if (isMail(value)) return '{correo}'
  if (value.length > MAX_VALUE_LENGTH) return '{…}'
  return /\d(?:(?:[+.()-]|%[0-9a-f]{2})*\d){6,}/i.test(value) &&
    !/^(\d{4}-\d\d-\d\d|[0-9A-HJKMNP-TV-Z]{26}$)/.test(value)
    ? '{número}'
    : value
}

/** Also if a client has encoded it twice. */
const isMail = (text: string): boolean => /@|%(?:25)*40/.test(text)

/** The members of a body that the API has, each with the type of its value instead of the value. */
export function maskedBody(body: unknown, known: KnownNames): string {
  const shown = (name: string) => (known.has(name) ? name : '…')
  const text = JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === 'string') return `string ${value.length}`
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return typeof value === 'number' ? 'number' : value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [shown(name), each]))
  })
  return text.slice(0, MAX_BODY_LENGTH)
}
