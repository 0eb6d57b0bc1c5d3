import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../apps/call-log.ts'
import { type Signer, signRequest } from '../../../auth/signature.ts'
import { segment } from '../../../http/links.ts'
import { type Document, METHODS, type Method, operationsOf } from '../../../http/openapi/document.ts'
import type { Errors } from '../../../http/problems.ts'
import { DEFAULT_LOCALE, inLocale } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/messages.tsx'
import { sampleCall } from '../../docs/call.ts'

export const METODOS = METHODS.map((method) => method.toUpperCase() as Uppercase<Method>)
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
const MAX_SHOWN_BYTES = 200_000

export type SignedCall = ReturnType<typeof signedCall>

export function signedCall(params: CallParams, target: string, signer: Signer, now: Date) {
  const method = params.metodo
  const body = WITH_BODY.has(method) && params.cuerpo !== '' ? params.cuerpo : undefined
  const headers = {
    ...(params.accept && { accept: params.accept }),
    ...(params.etag && { 'if-none-match': params.etag }),
  }
  return { method, target, body, ...signRequest({ method, target, headers, body }, signer, now) }
}

export type CallResponse = Awaited<ReturnType<typeof sendCall>>

/** Calls this server through all hooks of the API, limits included. */
export async function sendCall(
  app: Pick<FastifyInstance, 'inject'>,
  { method, target, headers, body }: SignedCall,
  nowMs: () => number,
) {
  const began = nowMs()
  // The API answers as it would answer the app, not in the language of the page. `inject` begins only when it is awaited.
  const response = await inLocale(
    DEFAULT_LOCALE,
    async () =>
      await app.inject({
        method,
        url: target,
        headers: { 'user-agent': 'Rodado (portal)', ...headers },
        ...(body !== undefined && { payload: body }),
      }),
  )
  return {
    status: response.statusCode,
    reason: STATUS_CODES[response.statusCode] ?? '',
    ms: nowMs() - began,
    headers: Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
    body: response.rawPayload.subarray(0, MAX_SHOWN_BYTES).toString('utf8'),
    /** Bytes of the whole response; `body` may be truncated. */
    bytes: response.rawPayload.length,
  }
}

export type CallParams = ReturnType<typeof parseParams>

/** Reads the fields from a form or a query string; `etag` is for If-None-Match. */
export function parseParams(fields: URLSearchParams) {
  const text = (name: string) => (fields.get(name) ?? '').trim()
  return {
    metodo: METODOS.find((each) => each === text('metodo')) ?? ('GET' as const),
    ruta: text('ruta'),
    cuerpo: text('cuerpo').replaceAll('\r\n', '\n'),
    accept: text('accept'),
    etag: text('etag'),
    /** The email of the agency that {adminMail} stands for. */
    agencia: text('agencia'),
  }
}

/** With the chosen agency in place of {adminMail}, or of {agencia} as the log of calls has it. */
export const withAgency = <Params extends CallParams>(params: Params): Params =>
  params.agencia === ''
    ? params
    : { ...params, ruta: params.ruta.replace(/\{(adminMail|agencia)\}/, segment(params.agencia)) }

const MAX_PATH_LENGTH = 4_000
const HEADER_VALUE = /^[\x20-\x7e]{0,500}$/

/** The path and query to call, always below /v3, or the errors of the form. */
export function targetOf({ ruta, accept, etag }: CallParams, publicUrl: string) {
  const errors: Errors = {}
  if (!HEADER_VALUE.test(accept)) errors.accept = [t('portal.try.badAccept')]
  if (!HEADER_VALUE.test(etag)) errors.etag = [t('portal.try.badEtag')]
  const isUrl = ruta.length <= MAX_PATH_LENGTH && URL.canParse(ruta, publicUrl)
  const { origin, pathname, search } = new URL(isUrl ? ruta : publicUrl, publicUrl)
  if (origin !== new URL(publicUrl).origin || !/^\/v3(\/|$)/.test(pathname)) errors.ruta = [t('portal.try.badPath')]
  return Object.keys(errors).length > 0 ? { errors } : { target: pathname + search }
}

/** What stands for values in the log of calls: in a path, and in JSON. */
const MASKED_PATH = /\{(…|agencia|correo|número)\}/
const MASKED_BODY = /"(string \d+|number|…)"/

/** The errors of a call that still has masks of the log: sent as they are, they would become data of the marketplace. */
export function maskErrors({ metodo, ruta, cuerpo }: CallParams): Errors | undefined {
  if (MASKED_PATH.test(ruta)) return { ruta: [t('portal.try.maskedPath')] }
  return WITH_BODY.has(metodo) && MASKED_BODY.test(cuerpo) ? { cuerpo: [t('portal.try.maskedBody')] } : undefined
}

export const examplesOf = ({ paths }: Document) => operationsOf(paths).filter(({ path }) => path.startsWith('/v3'))

/** An example call, with an agency of the app where it has one; an empty form if there is none of that name. */
export function exampleParams(document: Document, operationId: string, adminMail: string | undefined): CallParams {
  const found = examplesOf(document).find(({ operation }) => operation.operationId === operationId)
  const params = parseParams(new URLSearchParams({ metodo: found?.method.toUpperCase() ?? '' }))
  if (!found) return params
  const path = adminMail ? found.path.replace('{adminMail}', segment(adminMail)) : found.path
  const { target, body } = sampleCall(path, found.method, found.operation, document)
  return { ...params, ruta: target, cuerpo: body === undefined ? '' : JSON.stringify(JSON.parse(body), null, 2) }
}

/** The path of a call, with the email of its agency while the app may see it. */
export const callTarget = ({ ruta, agencia }: Pick<Call, 'ruta' | 'agencia'>): string =>
  agencia ? ruta.replace('{agencia}', segment(agencia.adminMail)) : ruta
