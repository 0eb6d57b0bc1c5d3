import { PROBLEM_TYPE, PROBLEMS } from '../problems.ts'
import { type Document, type Operation, operationsOf, type Reference, type Response } from './document.ts'
import { CONDITIONS, HEADERS, headersOf } from './headers.ts'
import { SERVICE_PATHS, SERVICE_SCHEMAS } from './service.ts'
import { TAGS } from './tags.ts'

/** Adds to what the route schemas say all that holds for every route: headers, conditions, shared refusals, chapters. */
export function completeDocument(generated: Document): Document {
  const shared = new Map<string, Response>()
  for (const { path, operation } of operationsOf(generated.paths)) completeOperation(path, operation, shared)

  const paths = { ...SERVICE_PATHS, ...generated.paths }
  const used = new Set(operationsOf({ ...paths, ...generated.webhooks }).flatMap(({ operation }) => operation.tags))
  const referred = JSON.stringify([paths, [...shared.values()]])
  return {
    ...generated,
    tags: TAGS.filter(({ name }) => used.has(name)),
    paths,
    components: {
      ...generated.components,
      schemas: { ...generated.components.schemas, ...SERVICE_SCHEMAS },
      responses: Object.fromEntries(shared),
      parameters: { ...only(referred, CONDITIONS), ...generated.components.parameters },
      headers: only(referred, HEADERS),
    },
  }
}

/** The components that something refers to. */
function only<T>(referred: string, components: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(components).filter(([name]) => referred.includes(`/${name}"`)))
}

function completeOperation(path: string, operation: Operation, shared: Map<string, Response>): void {
  const traits = { hasEtag: '304' in operation.responses, isBestmatch: path.endsWith('/bestmatch') }
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue
    const headers = headersOf(Number(status), traits).map((name) => [name, { $ref: `#/components/headers/${name}` }])
    operation.responses[status] = share(
      { ...response, headers: { ...Object.fromEntries(headers), ...response.headers } },
      status,
      shared,
    )
  }

  const conditions: Reference[] = []
  if ('304' in operation.responses) conditions.push({ $ref: '#/components/parameters/IfNoneMatch' })
  if ('412' in operation.responses) conditions.push({ $ref: '#/components/parameters/IfMatch' })
  if (conditions.length > 0) operation.parameters = [...(operation.parameters ?? []), ...conditions]
}

/** A refusal reads the same wherever it may happen, so it is written once; one with a text of its own stays in its place. */
function share(response: Response, status: string, shared: Map<string, Response>): Response | Reference {
  const name = componentName(Number(status))
  if (!name || !response.content?.[PROBLEM_TYPE]) return response
  const first = shared.get(name) ?? response
  shared.set(name, first)
  return JSON.stringify(first) === JSON.stringify(response) ? { $ref: `#/components/responses/${name}` } : response
}

/** `sin-autorizacion` is the component `SinAutorizacion`. */
function componentName(status: number): string | undefined {
  const problem = Object.entries(PROBLEMS).find(([, kind]) => kind.status === status)
  return problem?.[0].replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
