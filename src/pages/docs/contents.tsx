import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { Method } from '../parts.tsx'
import { operationAnchor, tagAnchor, webhookAnchor } from './anchors.ts'

const GUIDE = {
  firmar: 'Firmar una solicitud',
  token: 'Usar un token',
  convenciones: 'Convenciones',
} as const

/** The contents, beside the text on a desk and folded above it on a telephone. */
export function Contents({ document }: { document: Document }) {
  return (
    <div class="aside">
      <details class="folded">
        <summary>Contenido</summary>
        <ContentsNav document={document} />
      </details>
      <div class="unfolded">
        <ContentsNav document={document} />
      </div>
    </div>
  )
}

function ContentsNav({ document }: { document: Document }) {
  const operations = operationsOf(document.paths)
  const topics = Object.keys(document.webhooks ?? {})
  return (
    <nav class="contents" aria-label="Contenido de la referencia">
      <ul>
        {Object.entries(GUIDE).map(([id, title]) => (
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
