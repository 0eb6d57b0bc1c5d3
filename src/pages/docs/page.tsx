import { type Document, operationsOf, type Schema } from '../../http/openapi/document.ts'
import { byLocale, currentLocale } from '../../i18n/locale.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { type MarkdownScope, readMarkdown, TextSection } from '../markdown.tsx'
import { Anchored } from '../parts.tsx'
import { ProblemList } from '../problemas/routes.tsx'
import { publicHref } from '../public-href.ts'
import { headerAnchor, schemaAnchor, tagAnchor } from './anchors.ts'
import { resolve } from './call.ts'
import { Contents, LinkList } from './contents.tsx'
import type { Names } from './examples.ts'
import { fieldsOf, SchemaFields, TypeOf, withCode } from './fields.tsx'
import { guide } from './guide/chapters.ts'
import { DocsLayout } from './layout.tsx'
import { OperationArticle, TopicArticle } from './operation.tsx'
import { SignInHint } from './own.tsx'

const TEXTS = byLocale((locale) => readMarkdown(new URL(`./${locale}/referencia.md`, import.meta.url)))

export function docsPage(document: Document, names: Names) {
  const text = TEXTS[currentLocale()]
  const { info, tags, paths, components, webhooks = {} } = document
  const scheme = `${names.signaturePrefix}-HMAC`
  const operations = operationsOf(paths)
  const chapters = tags.filter(({ name }) => operations.some(({ operation }) => operation.tags[0] === name))
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
    const section = text.sections.find((each) => each.id === id)
    return section ? <TextSection section={section} scope={scope} /> : null
  }
  return (
    <DocsLayout
      title={t('docs.more.reference')}
      description={info.description}
      section="/docs"
      aside={<Contents document={document} />}
    >
      <header class="lead">
        <h1>{text.title}</h1>
        <p>{info.description}</p>
        <p class="facts">
          <span>{rich('docs.page.version', { version: info.version })}</span>
          <span>{rich('docs.page.base', { url: names.publicUrl })}</span>
          <a href="/openapi.json">OpenAPI 3.1</a>
          <a href="/openapi.yaml">YAML</a>
          <a href="/openapi-3.0.json">OpenAPI 3.0</a>
        </p>
      </header>
      <SignInHint />
      <GuideStrip />
      <Section id="firmar" />
      <Section id="convenciones" />
      {chapters.map(({ name, 'x-displayName': title, description }) => (
        <section key={name} id={tagAnchor(name)} class="tag">
          <Anchored id={tagAnchor(name)} level={2}>
            {title}
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
    </DocsLayout>
  )
}

const GuideStrip = () => (
  <section class="guide-strip" aria-labelledby="guia">
    <h2 id="guia">{rich('docs.page.firstTime', { link: (text) => <a href={publicHref('/docs/guia')}>{text}</a> })}</h2>
    <LinkList links={guide().chapters.map(({ slug, title }) => [`/docs/guia/${slug}`, title])} />
  </section>
)

const HeaderList = ({ document: { components } }: { document: Document }) => (
  <dl class="fields">
    {Object.entries(components.headers ?? {}).map(([name, { description, schema }]) => (
      <div key={name} id={headerAnchor(name)}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{withCode(description)}</dd>
        {schema.examples && (
          <dd class="limit">
            <code>{String(schema.examples[0])}</code>
          </dd>
        )}
      </div>
    ))}
  </dl>
)

function Webhooks({ document }: { document: Document }) {
  const topics = operationsOf(document.webhooks ?? {})
  const headers = (topics[0]?.operation.parameters ?? []).map((parameter) => resolve(parameter, document))
  return (
    <>
      {headers.length > 0 && (
        <>
          <h3>{t('docs.operation.headers')}</h3>
          <SchemaFields of={headers.map(({ required = false, ...header }) => ({ ...header, required }))} />
        </>
      )}
      {topics.map((topic) => (
        <TopicArticle key={topic.path} {...topic} document={document} />
      ))}
    </>
  )
}

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
            <SchemaFields of={fieldsOf(schema)} />
          ) : (
            <p class="type">
              <TypeOf schema={schema} />
            </p>
          )}
        </article>
      ))}
  </div>
)
