import Type, { type TSchema } from 'typebox'
import { PROBLEM_TYPE } from './problems.ts'

const problem = (schema: string, description: string) => ({
  description,
  content: { [PROBLEM_TYPE]: { schema: Type.Ref(schema) } },
})

const REFUSALS = {
  400: problem('ValidationProblemDetails', 'Hay datos que corregir'),
  401: problem('ProblemDetails', 'Falta una credencial válida'),
  403: problem('ProblemDetails', 'La app no tiene permiso'),
  404: problem('ProblemDetails', 'No existe para esta credencial'),
  406: problem('ProblemDetails', 'No hay una representación de ese tipo'),
  409: problem('ValidationProblemDetails', 'Choca con el estado actual'),
  412: problem('ProblemDetails', 'El recurso cambió desde que se leyó'),
  413: problem('ProblemDetails', 'El cuerpo es demasiado grande'),
  415: problem('ProblemDetails', 'El cuerpo no es de un tipo admitido'),
  429: problem('ProblemDetails', 'Demasiadas solicitudes'),
  503: problem('ProblemDetails', 'No disponible por ahora'),
} as const

export type RefusalStatus = keyof typeof REFUSALS

/** Those that any route under /v3 may answer. */
const ALWAYS: readonly RefusalStatus[] = [401, 406, 429, 503]

/** What a route answers; the names are those of registered schemas. Without `entry` it has nothing to show. */
export interface ApiResponse {
  description: string
  entry?: string
  ref?: string
  /** Types that only this route offers, after the others. */
  others?: Record<string, TSchema>
  /** 200 if left out; 204 without `entry`. */
  status?: 201 | 202
  /** Has the ETag of what was written. */
  etag?: true
}

const refused = (refusals: readonly RefusalStatus[]) =>
  Object.fromEntries(refusals.map((status) => [status, REFUSALS[status]]))

export const statusOf = ({ entry, status }: ApiResponse): number => status ?? (entry === undefined ? 204 : 200)

export function responsesOf(media: Media, method: string, response: ApiResponse, refusals: readonly RefusalStatus[]) {
  const { description, entry, ref, others, etag } = response
  // Nothing is negotiated where there is nothing to show, so it is never 406.
  if (entry === undefined)
    return { [statusOf(response)]: { description, type: 'null' as const }, ...refused([...refusals, 401, 429, 503]) }
  const content = offers(media, Type.Ref(entry), ref === undefined ? undefined : Type.Ref(ref), others)
  return {
    [statusOf(response)]: { description, content, ...(etag && { headers: { ETag: {} } }) },
    ...refused([...refusals, ...ALWAYS]),
    ...(method === 'GET' && { 304: { description: 'No cambió', type: 'null' as const } }),
  }
}

/** Our media types, in the order that settles ties (docs/decisions/api.md). */
export interface Media {
  entries: readonly string[]
  ref: string
}

export function mediaTypes(vendor: string): Media {
  return {
    entries: ['application/json', 'text/json', `application/vnd.${vendor}.entry+json`],
    ref: `application/vnd.${vendor}.ref+json`,
  }
}

/** What a route offers: negotiation, serialisation and the OpenAPI document all read it from here. */
function offers(media: Media, entry: TSchema, ref?: TSchema, others: Record<string, TSchema> = {}) {
  const content: Record<string, { schema: TSchema }> = {}
  for (const type of media.entries) content[type] = { schema: entry }
  if (ref) content[media.ref] = { schema: ref }
  for (const [type, schema] of Object.entries(others)) content[type] = { schema }
  return content
}
