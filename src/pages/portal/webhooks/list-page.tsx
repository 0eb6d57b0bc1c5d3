import { isAvailable, type Webhook } from '../../../webhooks/subscriptions.ts'
import { DESCRIPTIONS, isTopic, TOPICS } from '../../../webhooks/topics.ts'
import { type PortalContext, PortalPage } from '../context.tsx'
import { HealthBadge, HealthFacts } from './health.tsx'

export const SECTION = '/webhooks'

interface Props {
  ctx: PortalContext
  webhooks: Webhook[]
}

/** Every topic: what it tells, and where it goes. */
export function webhooksPage({ ctx, webhooks }: Props) {
  const free = TOPICS.filter(
    (topic) => isAvailable(ctx.app, topic) && !webhooks.some((webhook) => webhook.topic === topic),
  )
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title="Webhooks"
      lead={
        <p>
          Le avisamos de lo que ocurre apenas ocurre, con una llamada firmada a su servidor. Si no contesta,
          reintentamos durante 3 días, y nada se pierde: está también en <a href={`${ctx.at}/eventos`}>Eventos</a>.
        </p>
      }
    >
      {webhooks.length > 0 && (
        <section>
          <h2>Configurados</h2>
          <ul class="cards">
            {webhooks.map((webhook) => (
              <Configured key={webhook.id} ctx={ctx} webhook={webhook} />
            ))}
          </ul>
        </section>
      )}
      {free.length > 0 && (
        <section>
          <h2>{webhooks.length > 0 ? 'Sin webhook' : 'Elija de qué quiere enterarse'}</h2>
          {webhooks.length === 0 && (
            <p>
              Casi todos empiezan por <code>consulta.recibida</code>. La misma dirección puede servir para varios.
            </p>
          )}
          <ul class="rows">
            {free.map((topic) => (
              <li key={topic}>
                <span>
                  <code>{topic}</code>
                  <span class="hint">{DESCRIPTIONS[topic]}</span>
                </span>
                <a class="button secondary" href={`${ctx.at}${SECTION}/${topic}`}>
                  Configurar<span class="visually-hidden"> {topic}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </PortalPage>
  )
}

function Configured({ ctx, webhook }: { ctx: PortalContext; webhook: Webhook }) {
  const { topic, callback, secretHint, description } = webhook
  return (
    <li class="card">
      <h3>
        <a href={`${ctx.at}${SECTION}/${topic}`}>{topic}</a> <HealthBadge webhook={webhook} />
      </h3>
      <p class="hint">{isTopic(topic) ? DESCRIPTIONS[topic] : 'Este topic ya no existe.'}</p>
      <p class="address">
        <code>{callback}</code>
        {description && ` · ${description}`}
      </p>
      <p class="facts">
        <HealthFacts webhook={webhook} when={ctx} />
        {secretHint === null && <span class="badge warning">sin firma</span>}
        {!isAvailable(ctx.app, topic) && <span class="badge warning">topic retirado por el mercado</span>}
      </p>
    </li>
  )
}
