import { PROBLEM_TYPE, PROBLEMS } from '../problems.ts'
import { type Document, type Operation, operationsOf, type Reference, type Response, type Tag } from './document.ts'
import { CONDITIONS, HEADERS, headersOf, SERVICE_PATHS, SERVICE_SCHEMAS } from './service.ts'

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
  return problem?.[0].replace(/(?:^|-)([a-z])/g, (_, char: string) => char.toUpperCase())
}

/** The chapters of the reference, in reading order. A route names one of these; a test holds it to that. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Autenticación',
    description: 'Un token para llamar sin firmar cada solicitud, y los documentos que lo describen.',
  },
  { name: 'Home', description: 'Los puntos de entrada: desde aquí se llega a todo lo demás siguiendo enlaces.' },
  {
    name: 'Agencias',
    description: 'Invitar agencias, leer y editar sus datos, ver su paquete y desasociarlas de la app.',
  },
  { name: 'AppNotificaciones', description: 'Los webhooks de la app: uno por topic, con su dirección y su secreto.' },
  {
    name: 'Eventos',
    description: 'Todo lo que se anunció a la app, para recuperar lo que un webhook no alcanzó a recibir.',
  },
  { name: 'Consultas', description: 'Las consultas que recibieron las agencias, y el reenvío de su webhook.' },
  { name: 'Publicaciones', description: 'Los autos que la app publica por cuenta de cada agencia.' },
  { name: 'Operadores', description: 'Las personas que trabajan en una agencia.' },
  { name: 'Sucursales', description: 'Los locales de una agencia.' },
  { name: 'Carrocerías', description: 'Catálogo de carrocerías, y cuál corresponde a un texto propio.' },
  { name: 'Regiones', description: 'Catálogo de provincias o estados, con su código ISO 3166-2.' },
  { name: 'Ciudades', description: 'Catálogo de localidades por región, y cuál corresponde a un texto propio.' },
  { name: 'Colores', description: 'Catálogo de colores.' },
  { name: 'Marcas', description: 'Catálogo de marcas, y cuál corresponde a un texto propio.' },
  { name: 'Modelos', description: 'Catálogo de modelos de cada marca.' },
  { name: 'Versiones', description: 'Catálogo de versiones de cada modelo.' },
  { name: 'Prueba', description: 'Lo que solo tienen las apps en modo prueba, para probar sin esperar a nadie.' },
  {
    name: 'Interno',
    description: 'Lo que llama el sitio del propio mercado, con su SitioKey. No es para apps asociadas.',
  },
  {
    name: 'Salud',
    description: 'Si el servidor vive y si puede atender, para balanceadores y monitores. Sin credencial.',
  },
]
