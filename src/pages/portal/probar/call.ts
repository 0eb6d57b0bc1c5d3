import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Signer, signRequest } from '../../../auth/signature.ts'
import { segment } from '../../../http/links.ts'
import { type Document, operationsOf } from '../../../http/openapi/document.ts'
import type { Errors } from '../../../http/problems.ts'
import { sampleCall } from '../../docs/call.ts'

/** A signed request, with the text that was signed. */
export interface SignedCall {
  method: CallParams['metodo']
  target: string
  headers: Record<string, string>
  body: string | undefined
  text: string
}

export interface CallResponse {
  status: number
  reason: string
  ms: number
  headers: [name: string, value: string][]
  body: string
  /** Bytes of the whole response; `body` may be truncated. */
  bytes: number
}

const MOST_SHOWN_BYTES = 200_000

export function signedCall(params: CallParams, target: string, signer: Signer, now: Date): SignedCall {
  const method = params.metodo
  const body = WITH_BODY.has(method) && params.cuerpo !== '' ? params.cuerpo : undefined
  const headers = {
    ...(params.accept && { accept: params.accept }),
    ...(params.etag && { 'if-none-match': params.etag }),
  }
  return { method, target, body, ...signRequest({ method, target, headers, body }, signer, now) }
}

/** Calls this server through all hooks of the API, limits included. */
export async function sendCall(
  app: Pick<FastifyInstance, 'inject'>,
  { method, target, headers, body }: SignedCall,
  nowMs: () => number,
): Promise<CallResponse> {
  const began = nowMs()
  const response = await app.inject({
    method,
    url: target,
    headers: { 'user-agent': 'Rodado (portal)', ...headers },
    ...(body !== undefined && { payload: body }),
  })
  return {
    status: response.statusCode,
    reason: STATUS_CODES[response.statusCode] ?? '',
    ms: nowMs() - began,
    headers: Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
    body: response.rawPayload.subarray(0, MOST_SHOWN_BYTES).toString('utf8'),
    bytes: response.rawPayload.length,
  }
}

export const METODOS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
type Metodo = (typeof METODOS)[number]
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** The fields of the form. */
export interface CallParams {
  metodo: Metodo
  ruta: string
  cuerpo: string
  accept: string
  /** For If-None-Match. */
  etag: string
}

export const EMPTY_PARAMS: CallParams = { metodo: 'GET', ruta: '', cuerpo: '', accept: '', etag: '' }

const LONGEST_PATH = 4_000
const HEADER_VALUE = /^[\x20-\x7e]{0,500}$/

/** Reads the fields from a form or a query string. */
export function parseParams(fields: { get(name: string): string | null }): CallParams {
  const text = (name: string) => (fields.get(name) ?? '').trim()
  return {
    metodo: METODOS.find((each) => each === text('metodo')) ?? 'GET',
    ruta: text('ruta'),
    cuerpo: text('cuerpo').replaceAll('\r\n', '\n'),
    accept: text('accept'),
    etag: text('etag'),
  }
}

/** The path and query to call, always below /v3, or the errors of the form. */
export function targetOf(
  { ruta, accept, etag }: CallParams,
  publicUrl: string,
): { target: string } | { errors: Errors } {
  const errors: Errors = {}
  if (!HEADER_VALUE.test(accept)) errors.accept = ['Un tipo de contenido: application/json, por ejemplo.']
  if (!HEADER_VALUE.test(etag)) errors.etag = ['El ETag de una respuesta anterior, con sus comillas.']
  const url = ruta.length <= LONGEST_PATH ? parsed(ruta, publicUrl) : undefined
  if (!url || url.origin !== new URL(publicUrl).origin || !/^\/v3(\/|$)/.test(url.pathname))
    errors.ruta = ['Escriba una dirección de la API, que empiece con /v3: /v3/colores, por ejemplo.']
  if (!url || Object.keys(errors).length > 0) return { errors }
  return { target: url.pathname + url.search }
}

function parsed(text: string, base: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** An example call from the API reference. */
interface Example {
  operationId: string
  summary: string
  metodo: CallParams['metodo']
}

export interface ExampleGroup {
  tag: string
  examples: Example[]
}

/** The operations under /v3, by tag. */
export function examplesOf(document: Document): ExampleGroup[] {
  const groups = new Map<string, Example[]>()
  for (const { path, method, operation } of operationsOf(document.paths)) {
    const metodo = METODOS.find((each) => each === method.toUpperCase())
    if (!path.startsWith('/v3') || !metodo) continue
    const tag = operation.tags[0] ?? 'API'
    groups.set(tag, [
      ...(groups.get(tag) ?? []),
      { operationId: operation.operationId, summary: operation.summary, metodo },
    ])
  }
  return [...groups].map(([tag, examples]) => ({ tag, examples }))
}

/** An example call, with an agency of the app where it has one. */
export function exampleParams(
  document: Document,
  operationId: string,
  adminMail: string | undefined,
): CallParams | undefined {
  const found = operationsOf(document.paths).find(({ operation }) => operation.operationId === operationId)
  const metodo = METODOS.find((each) => each === found?.method.toUpperCase())
  if (!found || !metodo || !found.path.startsWith('/v3')) return undefined
  const path = adminMail ? found.path.replace('{adminMail}', segment(adminMail)) : found.path
  const { target, body } = sampleCall(path, found.method, found.operation, document)
  return { ...EMPTY_PARAMS, metodo, ruta: target, cuerpo: body === undefined ? '' : indented(body) }
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
