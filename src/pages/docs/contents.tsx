import type { ComponentChildren } from 'preact'
import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { Method } from '../parts.tsx'
import { operationAnchor, tagAnchor, webhookAnchor } from './anchors.ts'

const OPENING = { firmar: 'Firmar una solicitud', convenciones: 'Convenciones' } as const

/** The contents of the reference. */
export function Contents({ document }: { document: Document }) {
  const operations = operationsOf(document.paths)
  const topics = Object.keys(document.webhooks ?? {})
  const contents = (
    <nav class="contents" aria-label="Contenido de la referencia">
      <a class="chapter" href="/docs/guia">
        Guía
      </a>
      <ul>
        {Object.entries(OPENING).map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
      {document.tags.map(({ name }) => (
        <div key={name}>
          <a class="chapter" href={`#${tagAnchor(name)}`}>
            {name}
          </a>
          <ul>
            {operations
              .filter(({ operation }) => operation.tags[0] === name)
              .map(({ method, operation }) => (
                <li key={operation.operationId}>
                  <a href={`#${operationAnchor(operation.operationId)}`}>
                    <Method name={method} />
                    <span>{operation.summary}</span>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
      {topics.length > 0 && (
        <div>
          <a class="chapter" href="#webhooks">
            Webhooks
          </a>
          <ul>
            {topics.map((topic) => (
              <li key={topic}>
                <a href={`#${webhookAnchor(topic)}`}>{topic}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
      <ul>
        <li>
          <a href="#problemas">Problemas</a>
        </li>
        <li>
          <a href="#esquemas">Esquemas</a>
        </li>
      </ul>
    </nav>
  )
  return <Aside>{contents}</Aside>
}

/** Search and contents: beside the text, or folded above it on a telephone. */
export const Aside = ({ query, children }: { query?: string | undefined; children: ComponentChildren }) => (
  <div class="aside">
    <search>
      <form class="docs-search" action="/docs/buscar">
        <input type="search" name="q" value={query} aria-label="Buscar en la documentación" placeholder="Buscar" />
      </form>
    </search>
    <details class="folded">
      <summary>Contenido</summary>
      {children}
    </details>
    <div class="unfolded">{children}</div>
  </div>
)
