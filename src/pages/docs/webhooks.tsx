import type { Document } from '../../http/openapi/document.ts'
import { Anchored, Code, Json, Method } from '../parts.tsx'
import { webhookAnchor } from './anchors.ts'
import { TypeOf } from './fields.tsx'
import { sampleOf } from './sample.ts'

/** What we send to an app, topic by topic. */
export function WebhooksSection({ document }: { document: Document }) {
  const topics = Object.entries(document.webhooks ?? {})
  if (topics.length === 0) return null
  return (
    <section id="webhooks">
      <Anchored id="webhooks" level={2}>
        Webhooks
      </Anchored>
      {topics.map(([topic, { post }]) => {
        const content = Object.values(post?.requestBody?.content ?? {})[0]
        return (
          <article key={topic} class="operation" id={webhookAnchor(topic)}>
            <header>
              <Anchored id={webhookAnchor(topic)} level={3}>
                {post?.summary ?? topic}
              </Anchored>
              <p class="endpoint">
                <Method name="post" />
                <code>{topic}</code>
              </p>
              {post?.description && <p>{post.description}</p>}
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
                    <Json value={sampleOf(content.schema, document.components.schemas, '')} />
                  </Code>
                </div>
              </>
            )}
          </article>
        )
      })}
    </section>
  )
}
