import { segment } from '../../../http/links.ts'
import { type Document, operationsOf } from '../../../http/openapi/document.ts'
import { sampleCall } from '../../docs/call.ts'
import { type Asked, METODOS, NOTHING } from './params.ts'

/** A call that can be tried, as the reference has it. */
export interface Example {
  operationId: string
  summary: string
  metodo: Asked['metodo']
}

export interface ExampleGroup {
  tag: string
  examples: Example[]
}

/** What the API offers under /v3, by its chapters. */
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

/** One of them filled in, about an agency of the app's own where it has one. */
export function filled(document: Document, operationId: string, adminMail: string | undefined): Asked | undefined {
  const found = operationsOf(document.paths).find(({ operation }) => operation.operationId === operationId)
  const metodo = METODOS.find((each) => each === found?.method.toUpperCase())
  if (!found || !metodo || !found.path.startsWith('/v3')) return undefined
  const path = adminMail ? found.path.replace('{adminMail}', segment(adminMail)) : found.path
  const { target, body } = sampleCall(path, found.method, found.operation, document)
  return { ...NOTHING, metodo, ruta: target, cuerpo: body === undefined ? '' : indented(body) }
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
