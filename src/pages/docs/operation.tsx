import type { ComponentChildren } from 'preact'
import type { Content, Document, Method, Operation, Response, Schema } from '../../http/openapi/document.ts'
import { PROBLEM_TYPE, PROBLEMS } from '../../http/problems.ts'
import { labels, t } from '../../i18n/messages.tsx'
import { getOrInsert } from '../../memoize.ts'
import { Anchored, Code, Json, Method as MethodBadge, Status } from '../parts.tsx'
import { publicHref } from '../public-href.ts'
import { headerAnchor, operationAnchor, webhookAnchor } from './anchors.ts'
import { resolve, sampleCall, sampleCurl } from './call.ts'
import { fieldsOf, type SchemaField, SchemaFields, TypeOf, withCode } from './fields.tsx'
import { sampleOf } from './sample.ts'

interface OperationProps {
  path: string
  method: Method
  operation: Operation
  document: Document
}

const PLACES = labels({
  path: 'docs.operation.path',
  query: 'docs.operation.query',
  header: 'docs.operation.headers',
})

/** One operation: parameters and responses on one side, sample request and response on the other. */
export function OperationArticle({
  publicUrl,
  scheme,
  ...props
}: OperationProps & { publicUrl: string; scheme: string }) {
  const { path, method, operation, document } = props
  const call = sampleCall(path, method, operation, document)
  const sample = sampleAnswer(operation, document, whereFound(call.target))
  return (
    <Article id={operationAnchor(operation.operationId)} {...props}>
      <div class="operation-facts">
        <Parameters operation={operation} document={document} />
        <RequestBody operation={operation} document={document} />
        <h4>{t('docs.operation.responses')}</h4>
        <Responses operation={operation} document={document} />
      </div>
      <div class="operation-samples">
        <Code label={t('docs.operation.request')}>{sampleCurl(call, operation, publicUrl, scheme)}</Code>
        {sample && (
          <Code label={t('docs.operation.response', { status: sample.status })}>
            <Json value={sample.value} />
          </Code>
        )}
      </div>
    </Article>
  )
}

/** What happens at an app's address when an event is sent. */
export function TopicArticle({ document, ...props }: OperationProps) {
  const content = Object.values(props.operation.requestBody?.content ?? {})[0]
  return (
    <Article id={webhookAnchor(props.path)} {...props}>
      {content && (
        <>
          <div class="operation-facts">
            <h4>{t('docs.operation.body')}</h4>
            <p>
              <TypeOf schema={content.schema} />
            </p>
          </div>
          <div class="operation-samples">
            <Code label={t('docs.operation.body')}>
              <Json value={content.example ?? sampleOf(content.schema, document.components.schemas, '')} />
            </Code>
          </div>
        </>
      )}
    </Article>
  )
}

type ArticleProps = Omit<OperationProps, 'document'> & { id: string; children: ComponentChildren }

const Article = ({ id, path, method, operation, children }: ArticleProps) => (
  <article class="operation" id={id}>
    <header>
      <Anchored id={id} level={3}>
        {operation.summary}
      </Anchored>
      <p class="endpoint">
        <MethodBadge name={method} />
        <code>{path}</code>
        {operation.deprecated && <span class="badge attention">{t('docs.operation.deprecated')}</span>}
      </p>
      {operation.description && <p>{operation.description}</p>}
    </header>
    {children}
  </article>
)

function Parameters({ operation, document }: Pick<OperationProps, 'operation' | 'document'>) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter, document))
  return Object.entries(PLACES).map(([entry, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === entry)
      .map(({ name, schema, required = false, description }): SchemaField => ({ name, schema, required, description }))
    if (fields.length === 0) return null
    return (
      <div key={entry}>
        <h4>{title}</h4>
        <SchemaFields of={fields} />
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
      <h4>{t('docs.operation.body')}</h4>
      <Media schema={schema} types={content.map(([type]) => type)} />
      <SchemaFields of={fieldsOf(shape)} />
    </div>
  )
}

const Media = ({ schema, types }: { schema: Schema; types: string[] }) => (
  <p class="media">
    <TypeOf schema={schema} />
    {types.map((type) => (
      <code key={type}>{type}</code>
    ))}
  </p>
)

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

function Responses({ operation, document }: { operation: Operation; document: Document }) {
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status,
    ...resolve(response, document),
  }))
  const isRefusal = ({ content = {} }: Response) => PROBLEM_TYPE in content
  return (
    <ul class="responses">
      {answers.map((answer) => (
        <li key={answer.status}>
          <Status code={answer.status} />
          {isRefusal(answer) ? <Refusal {...answer} /> : <Success {...answer} />}
        </li>
      ))}
    </ul>
  )
}

function Success({ description, content = {}, headers = {} }: Response) {
  return (
    <div>
      <p>{withCode(description)}</p>
      {bySchema(content).map(({ key, schema, types }) => (
        <Media key={key} schema={schema} types={types} />
      ))}
      {Object.keys(headers).length > 0 && (
        <p class="headers">
          {Object.keys(headers).map((name) => (
            <a key={name} href={`#${headerAnchor(name)}`}>
              {name}
            </a>
          ))}
        </p>
      )}
    </div>
  )
}

function Refusal({ status, description, content = {} }: Response & { status: string }) {
  const [name] = Object.entries(PROBLEMS).find(([, problem]) => problem.status === Number(status)) ?? []
  const schema = content[PROBLEM_TYPE]?.schema
  return (
    <p>
      {name ? <a href={publicHref(`/problemas/${name}`)}>{description}</a> : description}
      {schema && (
        <span class="type">
          <TypeOf schema={schema} />
        </span>
      )}
    </p>
  )
}

function bySchema(content: Content) {
  const groups = new Map<string, { key: string; schema: Schema; types: string[] }>()
  for (const [type, { schema }] of Object.entries(content)) {
    const key = JSON.stringify(schema)
    getOrInsert(groups, key, () => ({ key, schema, types: [] })).types.push(type)
  }
  return [...groups.values()]
}
