import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { Layout } from '../layout.tsx'
import { Anchored } from '../parts.tsx'
import { tagAnchor } from './anchors.ts'
import { Contents } from './contents.tsx'
import { AuthenticationSection, ConventionsSection, ProblemsSection } from './conventions.tsx'
import type { Names } from './examples.ts'
import { CHAPTERS } from './guide/chapters.ts'
import { OperationArticle } from './operation.tsx'
import { SchemasSection } from './schemas.tsx'
import { WebhooksSection } from './webhooks.tsx'

/** The reference: the OpenAPI document as a page. */
export function docsPage(document: Document, names: Names) {
  const { info, tags, paths, components } = document
  const scheme = `${names.signaturePrefix}-HMAC`
  const operations = operationsOf(paths)
  return (
    <Layout title="Referencia" description={info.description} section="/docs" aside={<Contents document={document} />}>
      <header class="lead">
        <h1>Referencia de la API</h1>
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
      <AuthenticationSection {...names} />
      <ConventionsSection document={document} />
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
      <WebhooksSection document={document} />
      <ProblemsSection />
      <SchemasSection schemas={components.schemas} />
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
