import { type Document, type Operation, operationsOf, type Schema } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problems.ts'
import { Layout } from '../layout.tsx'
import { type MarkdownScope, readMarkdown, renderMarkdown } from '../markdown.tsx'
import { Anchored, Code, Json, Method, Status } from '../parts.tsx'
import { headerAnchor, schemaAnchor, tagAnchor, webhookAnchor } from './anchors.ts'
import { resolve } from './call.ts'
import { Contents } from './contents.tsx'
import type { Names } from './examples.ts'
import { Fields, fieldsOf, TypeOf } from './fields.tsx'
import { CHAPTERS } from './guide/chapters.ts'
import { OperationArticle } from './operation.tsx'
import { sampleOf } from './sample.ts'

const REFERENCE = readMarkdown(new URL('./es/referencia.md', import.meta.url))

/** The reference: the OpenAPI document as a page. */
export function docsPage(document: Document, names: Names) {
  const { info, tags, paths, components, webhooks = {} } = document
  const scheme = `${names.signaturePrefix}-HMAC`
  const operations = operationsOf(paths)
  const scope: MarkdownScope = {
    values: { signaturePrefix: names.signaturePrefix },
    blocks: {
      headers: () => <HeaderList document={document} />,
      webhooks: () => <Webhooks document={document} />,
      problems: () => <ProblemList />,
      schemas: () => <Schemas schemas={components.schemas} />,
    },
  }
  const Section = ({ id }: { id: string }) => {
    const { title, tokens } = REFERENCE.sections.find((section) => section.id === id) ?? { title: '', tokens: [] }
    return (
      <section id={id}>
        <Anchored id={id} level={2}>
          {title}
        </Anchored>
        {renderMarkdown(tokens, scope)}
      </section>
    )
  }
  return (
    <Layout title="Referencia" description={info.description} section="/docs" aside={<Contents document={document} />}>
      <header class="lead">
        <h1>{REFERENCE.title}</h1>
        <p>{info.description}</p>
        <p class="facts">
          <span>
            Versión <code>{info.version}</code>
          </span>
          <span>
            Base <code>{names.publicUrl}</code>
          </span>
          <a href="/openapi.json">Documento OpenAPI</a>
        </p>
      </header>
      <GuideStrip />
      <Section id="firmar" />
      <Section id="convenciones" />
      {tags.map(({ name, description }) => (
        <section key={name} id={tagAnchor(name)} class="tag">
          <Anchored id={tagAnchor(name)} level={2}>
            {name}
          </Anchored>
          <p>{description}</p>
          {operations
            .filter(({ operation }) => operation.tags[0] === name)
            .map((each) => (
              <OperationArticle
                key={each.operation.operationId}
                {...each}
                document={document}
                publicUrl={names.publicUrl}
                scheme={scheme}
              />
            ))}
        </section>
      ))}
      {Object.keys(webhooks).length > 0 && <Section id="webhooks" />}
      <Section id="problemas" />
      <Section id="esquemas" />
    </Layout>
  )
}

/** A link to the guide for first-time readers. */
const GuideStrip = () => (
  <section class="guide-strip" aria-labelledby="guia">
    <h2 id="guia">
      ¿Primera vez? <a href="/docs/guia">La guía</a> va paso a paso
    </h2>
    <ul>
      {CHAPTERS.map(({ slug, title }) => (
        <li key={slug}>
          <a href={`/docs/guia/${slug}`}>{title}</a>
        </li>
      ))}
    </ul>
  </section>
)

const HeaderList = ({ document: { components } }: { document: Document }) => (
  <dl class="fields">
    {Object.entries(components.headers ?? {}).map(([name, { description, schema }]) => (
      <div key={name} id={headerAnchor(name)}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{description}</dd>
        {schema.examples && (
          <dd class="limit">
            <code>{String(schema.examples[0])}</code>
          </dd>
        )}
      </div>
    ))}
  </dl>
)

/** The headers of every notification, and each topic. */
function Webhooks({ document }: { document: Document }) {
  const topics = Object.entries(document.webhooks ?? {})
  const headers = (topics[0]?.[1].post?.parameters ?? []).map((parameter) => resolve(parameter, document))
  return (
    <>
      {headers.length > 0 && (
        <>
          <h3>Encabezados</h3>
          <Fields of={headers.map(({ required = false, ...header }) => ({ ...header, required }))} />
        </>
      )}
      {topics.map(([topic, { post }]) => (
        <TopicArticle key={topic} topic={topic} operation={post} document={document} />
      ))}
    </>
  )
}

interface TopicProps {
  topic: string
  operation: Operation | undefined
  document: Document
}

function TopicArticle({ topic, operation, document }: TopicProps) {
  const content = Object.values(operation?.requestBody?.content ?? {})[0]
  return (
    <article class="operation" id={webhookAnchor(topic)}>
      <header>
        <Anchored id={webhookAnchor(topic)} level={3}>
          {operation?.summary ?? topic}
        </Anchored>
        <p class="endpoint">
          <Method name="post" />
          <code>{topic}</code>
        </p>
        {operation?.description && <p>{operation.description}</p>}
      </header>
      {content && (
        <>
          <div class="operation-facts">
            <h4>Cuerpo</h4>
            <p>
              <TypeOf schema={content.schema} />
            </p>
          </div>
          <div class="operation-samples">
            <Code label="Cuerpo">
              <Json value={content.example ?? sampleOf(content.schema, document.components.schemas, '')} />
            </Code>
          </div>
        </>
      )}
    </article>
  )
}

const ProblemList = () => (
  <ul class="problem-list">
    {Object.entries(PROBLEMS).map(([name, { status, title }]) => (
      <li key={name}>
        <Status code={status} />
        <a href={`/problemas/${name}`}>{title}</a>
      </li>
    ))}
  </ul>
)

/** Every named schema with its members. */
const Schemas = ({ schemas }: { schemas: Record<string, Schema> }) => (
  <div class="schemas">
    {Object.entries(schemas)
      .sort(([a], [b]) => a.localeCompare(b, 'es'))
      .map(([name, schema]) => (
        <article key={name} class="schema" id={schemaAnchor(name)}>
          <Anchored id={schemaAnchor(name)} level={3}>
            {name}
          </Anchored>
          {schema.description && <p>{schema.description}</p>}
          {schema.properties ? (
            <Fields of={fieldsOf(schema)} />
          ) : (
            <p class="type">
              <TypeOf schema={schema} />
            </p>
          )}
        </article>
      ))}
  </div>
)
