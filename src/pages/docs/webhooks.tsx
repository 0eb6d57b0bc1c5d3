import type { Document, Operation } from '../../http/openapi/document.ts'
import { Anchored, Code, Json, Method } from '../parts.tsx'
import { webhookAnchor } from './anchors.ts'
import { resolve } from './call.ts'
import { Fields, TypeOf } from './fields.tsx'
import { sampleOf } from './sample.ts'

/** The webhooks: how to receive them, then each topic. */
export function WebhooksSection({ document }: { document: Document }) {
  const topics = Object.entries(document.webhooks ?? {})
  const [first] = topics
  if (!first) return null
  return (
    <section id="webhooks">
      <Anchored id="webhooks" level={2}>
        Webhooks
      </Anchored>
      <Receiving operation={first[1].post} document={document} />
      {topics.map(([topic, { post }]) => (
        <TopicArticle key={topic} topic={topic} operation={post} document={document} />
      ))}
    </section>
  )
}

interface Sent {
  operation: Operation | undefined
  document: Document
}

/** The conventions of all topics. */
function Receiving({ operation, document }: Sent) {
  const headers = (operation?.parameters ?? []).map((parameter) => resolve(parameter, document))
  return (
    <>
      <p>
        Cada notificación es un <code>POST</code> al <code>Callback</code> del topic, firmada con su <code>Secret</code>{' '}
        como lo hace <a href="https://www.standardwebhooks.com">Standard Webhooks</a>. Una respuesta 2xx dentro de los
        15 segundos lo da por recibido. Si no llega, se repite después de 5 segundos, 5 y 30 minutos, 2, 5, 10, 14, 20 y
        24 horas, siempre con el mismo <code>Id</code>: quien recibe cuenta cada <code>Id</code> una vez.
      </p>
      <p>
        Lo que no se pudo entregar no se pierde: se envía otra vez con <code>POST …/entregas/reenviar</code>, y todo lo
        anunciado en 90 días se lee en <code>/v3/eventos</code>.
      </p>
      <p>
        La guía tiene <a href="/docs/guia/suscribir">cómo suscribirse</a> y{' '}
        <a href="/docs/guia/verificar">un receptor que verifica</a>, en cinco lenguajes.
      </p>
      {headers.length > 0 && (
        <>
          <h3>Encabezados</h3>
          <Fields
            of={headers.map(({ name, schema, required = false, description }) => {
              return { name, schema, required, description }
            })}
          />
        </>
      )}
    </>
  )
}

function TopicArticle({ topic, operation, document }: Sent & { topic: string }) {
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
