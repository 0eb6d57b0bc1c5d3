import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { Method } from '../parts.tsx'
import { operationAnchor, tagAnchor, webhookAnchor } from './anchors.ts'
import { Aside } from './aside.tsx'

const OPENING = { firmar: 'Firmar una solicitud', convenciones: 'Convenciones' } as const

/** The contents of the reference. */
export const Contents = ({ document }: { document: Document }) => (
  <Aside>
    <ContentsNav document={document} />
  </Aside>
)

function ContentsNav({ document }: { document: Document }) {
  const operations = operationsOf(document.paths)
  const topics = Object.keys(document.webhooks ?? {})
  return (
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
}
