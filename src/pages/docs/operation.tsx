import type { Document, Method, Operation } from '../../http/openapi/document.ts'
import { Code, Json, Method as MethodBadge } from '../parts.tsx'
import { operationAnchor } from './anchors.ts'
import { resolve, sampleCall, sampleCurl } from './call.ts'
import { type Field, Fields, fieldsOf, TypeOf } from './fields.tsx'
import { Responses } from './responses.tsx'
import { sampleOf } from './sample.ts'

export interface OperationProps {
  path: string
  method: Method
  operation: Operation
  document: Document
  publicUrl: string
  scheme: string
}

const PLACES = { path: 'En la dirección', query: 'En la consulta', header: 'Encabezados' } as const

/** One operation: parameters and responses on one side, sample request and response on the other. */
export function OperationArticle({ path, method, operation, document, publicUrl, scheme }: OperationProps) {
  const id = operationAnchor(operation.operationId)
  const call = sampleCall(path, method, operation, document)
  const sample = sampleAnswer(operation, document, whereFound(call.target))
  return (
    <article class="operation" id={id}>
      <header>
        <h3>
          <a class="anchor" href={`#${id}`}>
            {operation.summary}
          </a>
          {operation.deprecated && <span class="badge warning">se retirará</span>}
        </h3>
        <p class="endpoint">
          <MethodBadge name={method} />
          <code>{path}</code>
        </p>
        {operation.description && <p>{operation.description}</p>}
      </header>
      <div class="operation-facts">
        <Parameters operation={operation} document={document} />
        <RequestBody operation={operation} document={document} />
        <h4>Respuestas</h4>
        <Responses operation={operation} document={document} />
      </div>
      <div class="operation-samples">
        <Code label="Solicitud">{sampleCurl(call, operation, publicUrl, scheme)}</Code>
        {sample && (
          <Code label={`Respuesta ${sample.status}`}>
            <Json value={sample.value} />
          </Code>
        )}
      </div>
    </article>
  )
}

function Parameters({ operation, document }: Pick<OperationProps, 'operation' | 'document'>) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter, document))
  return Object.entries(PLACES).map(([entry, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === entry)
      .map(({ name, schema, required = false, description }): Field => ({ name, schema, required, description }))
    if (fields.length === 0) return null
    return (
      <div key={entry}>
        <h4>{title}</h4>
        <Fields of={fields} />
      </div>
    )
  })
}

function RequestBody({ operation, document }: Pick<OperationProps, 'operation' | 'document'>) {
  const content = Object.entries(operation.requestBody?.content ?? {})
  const [first] = content
  if (!first) return null
  const [, { schema }] = first
  const shape = schema.$ref ? resolve({ $ref: schema.$ref }, document) : schema
  return (
    <div>
      <h4>Cuerpo</h4>
      <p class="media">
        <TypeOf schema={schema} />
        {content.map(([type]) => (
          <code key={type}>{type}</code>
        ))}
      </p>
      <Fields of={fieldsOf(shape)} />
    </div>
  )
}

/** A bestmatch responds with a record, so the address in the sample is the record's. */
const whereFound = (target: string) => target.replace(/\/bestmatch(\?.*)?$/, '/1')

/** The first success that has a body. */
function sampleAnswer(operation: Operation, document: Document, self: string) {
  for (const [status, response] of Object.entries(operation.responses)) {
    const [media] = Object.values(resolve(response, document).content ?? {})
    if (status.startsWith('2') && media)
      return { status, value: sampleOf(media.schema, document.components.schemas, self) }
  }
  return undefined
}
