import Type, { type TSchema } from 'typebox'
import { KIB, MIB } from './body.ts'
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
  415: problem('ProblemDetails', 'El cuerpo no es de un tipo admitido'),
  429: problem('ProblemDetails', 'Demasiadas solicitudes'),
  503: problem('ProblemDetails', 'No disponible por ahora'),
} as const

export type RefusalStatus = keyof typeof REFUSALS

const tooLarge = (maxBytes: number) =>
  problem('ProblemDetails', `El cuerpo supera ${maxBytes < MIB ? `${maxBytes / KIB} KiB` : `${maxBytes / MIB} MiB`}`)

/** Any route may answer these. 400: the path or the query cannot be decoded. */
const ALWAYS: readonly RefusalStatus[] = [400, 401, 429, 503]

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

interface Refuses {
  /** Besides those of any route. */
  statuses: readonly RefusalStatus[]
  /** Of a body, in bytes. */
  bodyLimit: number
}

export function responsesOf(media: Media, method: string, response: ApiResponse, refuses: Refuses) {
  const { description, entry, ref, others, etag } = response
  const refusals = {
    ...refused([...refuses.statuses, ...ALWAYS]),
    // A body is read, and refused, also where none is needed; that of a GET is ignored.
    ...(method !== 'GET' && { 413: tooLarge(refuses.bodyLimit), 415: REFUSALS[415] }),
  }
  // Nothing is negotiated where there is nothing to show, so it is never 406.
  if (entry === undefined) return { [statusOf(response)]: { description, type: 'null' as const }, ...refusals }
  const content = offers(media, Type.Ref(entry), ref === undefined ? undefined : Type.Ref(ref), others)
  return {
    [statusOf(response)]: { description, content, ...(etag && { headers: { ETag: {} } }) },
    ...refusals,
    406: REFUSALS[406],
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
