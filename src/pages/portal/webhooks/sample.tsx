import { WEBHOOKS } from '../../../resources/appnotificaciones/document.ts'
import { Code, Json } from '../../parts.tsx'

/** What arrives of a topic, as the reference shows it. */
export function Sample({ topic }: { topic: string }) {
  const example = WEBHOOKS.topics[topic]?.post?.requestBody?.content['application/json']?.example
  if (example === undefined) return null
  return (
    <aside>
      <h2>Lo que llega</h2>
      <Code label={`POST, application/json: ${topic}`}>
        <Json value={example} />
      </Code>
      <p class="hint">
        El <code>Id</code> es el mismo en cada intento y reenvío: guárdelo para no procesar dos veces la misma
        notificación.
      </p>
    </aside>
  )
}
