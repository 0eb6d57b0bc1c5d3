import type { Errors } from '../../../http/problems.ts'

export const METODOS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Metodo = (typeof METODOS)[number]
export const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** What somebody typed. */
export interface Asked {
  metodo: Metodo
  ruta: string
  cuerpo: string
  accept: string
  /** For If-None-Match: an ETag of before. */
  etag: string
}

export const NOTHING: Asked = { metodo: 'GET', ruta: '', cuerpo: '', accept: '', etag: '' }

const LONGEST_PATH = 4_000
const HEADER_VALUE = /^[\x20-\x7e]{0,500}$/

/** A form, or the query of an address: either has the fields by name. */
export function parseParams(fields: { get(name: string): string | null }): Asked {
  const text = (name: string) => (fields.get(name) ?? '').trim()
  return {
    metodo: METODOS.find((each) => each === text('metodo')) ?? 'GET',
    ruta: text('ruta'),
    cuerpo: text('cuerpo').replaceAll('\r\n', '\n'),
    accept: text('accept'),
    etag: text('etag'),
  }
}

/** The path and query to call, or what is wrong. It is always one of /v3, however it is written. */
export function targetOf({ ruta, accept, etag }: Asked, publicUrl: string): { target: string } | { errors: Errors } {
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
