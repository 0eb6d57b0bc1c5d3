import { readFileSync } from 'node:fs'
import { getOrInsert } from '../../memoize.ts'
import { PROBLEM_TYPE, PROBLEMS } from '../problems.ts'
import { type Document, type Operation, operationsOf, type Reference, type Response } from './document.ts'
import { portable } from './portable.ts'

/** In the examples of service.json, where a server's document has its own address. */
const EXAMPLE_URL = 'https://api.mercado.example'

/** The part of the document that no route schema makes, and the chapters in reading order. */
export const readService = (publicUrl = EXAMPLE_URL): Pick<Document, 'tags' | 'paths' | 'components'> =>
  JSON.parse(readFileSync(new URL('./service.json', import.meta.url), 'utf8').replaceAll(EXAMPLE_URL, publicUrl))

/** Adds to what the route schemas say all that holds for every route: headers, conditions, shared refusals, chapters. */
export function completeDocument(generated: Document): Document {
  const shared = new Map<string, Response>()
  for (const item of Object.values(generated.paths)) delete (item as { head?: Operation }).head // implied by GET
  for (const { path, operation } of operationsOf(generated.paths)) completeOperation(path, operation, shared)

  const service = readService(generated.servers[0]?.url)
  return portable({
    ...generated,
    tags: service.tags,
    paths: { ...service.paths, ...generated.paths },
    components: {
      ...generated.components,
      schemas: { ...generated.components.schemas, ...service.components.schemas },
      responses: Object.fromEntries(shared),
      parameters: { ...service.components.parameters, ...generated.components.parameters },
      headers: { ...service.components.headers },
    },
  })
}

function completeOperation(path: string, operation: Operation, shared: Map<string, Response>): void {
  const traits = { hasEtag: '304' in operation.responses, isBestmatch: path.endsWith('/bestmatch') }
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue
    const names = [...Object.keys(response.headers ?? {}), ...headersOf(Number(status), traits)]
    const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
    operation.responses[status] = share({ ...response, headers }, status, shared)
  }

  const conditions: Reference[] = []
  if ('304' in operation.responses) conditions.push({ $ref: '#/components/parameters/IfNoneMatch' })
  if ('412' in operation.responses) conditions.push({ $ref: '#/components/parameters/IfMatch' })
  if (conditions.length > 0) operation.parameters = [...(operation.parameters ?? []), ...conditions]
}

/** The headers of an answer under /v3, from its status and the operation it belongs to. */
function headersOf(status: number, { hasEtag, isBestmatch }: { hasEtag: boolean; isBestmatch: boolean }): string[] {
  const own: string[] = []
  // Only reads have a 304; POST …/bestmatch gives each rule in its body.
  if (hasEtag && (status === 200 || status === 304)) own.push('ETag', ...(isBestmatch ? ['Match'] : []))
  if (status === 201 || status === 202) own.push('Location')
  if (status === 401) own.push('WWW-Authenticate')
  if (status === 415) own.push('Accept')
  if (status === 429 || status === 503) own.push('Retry-After')
  return [...own, 'X-Request-Id', 'RateLimit-Policy', 'RateLimit']
}

/** A refusal reads the same wherever it may happen, so it is written once; one with a text of its own stays in its place. */
function share(response: Response, status: string, shared: Map<string, Response>): Response | Reference {
  const name = componentName(Number(status), response.description)
  if (!name || !response.content?.[PROBLEM_TYPE]) return response
  const first = getOrInsert(shared, name, () => response)
  return JSON.stringify(first) === JSON.stringify(response) ? { $ref: `#/components/responses/${name}` } : response
}

/** The limit of the component `DemasiadoGrande`, which was released without a limit in its name. */
const UNNAMED_LIMIT = '1 MiB'

/** `sin-autorizacion` is the component `SinAutorizacion`. Each limit of a body has its own: `DemasiadoGrande32KiB`. */
function componentName(status: number, description: string): string | undefined {
  const [problem] = Object.entries(PROBLEMS).find(([, kind]) => kind.status === status) ?? []
  const [, limit = ''] = /supera (\d+ [KM]iB)$/.exec(description) ?? []
  const name = problem?.replace(/(?:^|-)([a-z])/g, (_, char: string) => char.toUpperCase())
  return name && name + (limit === UNNAMED_LIMIT ? '' : limit.replace(' ', ''))
}
