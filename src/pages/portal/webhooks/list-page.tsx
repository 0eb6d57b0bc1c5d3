import { estadoOf, type SaludEstado } from '../../../resources/appnotificaciones/represent.ts'
import { isAvailable, type Webhook } from '../../../webhooks/subscriptions.ts'
import { DESCRIPTIONS, isTopic, TOPICS } from '../../../webhooks/topics.ts'
import { Moment, type When } from '../../format.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'

interface Props {
  ctx: PortalContext
  webhooks: Webhook[]
}

export function webhooksPage({ ctx, webhooks }: Props) {
  const unconfigured = TOPICS.filter(
    (topic) => isAvailable(ctx.app, topic) && !webhooks.some((webhook) => webhook.topic === topic),
  )
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title="Webhooks"
      lead={
        <p>
          Le avisamos de lo que ocurre apenas ocurre, con una llamada firmada a su servidor. Si no contesta,
          reintentamos durante 3 días, y nada se pierde: está también en <a href={`${ctx.basePath}/eventos`}>Eventos</a>
          .
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
      {unconfigured.length > 0 && (
        <section>
          <h2>{webhooks.length > 0 ? 'Sin webhook' : 'Elija de qué quiere enterarse'}</h2>
          {webhooks.length === 0 && (
            <p>
              Casi todos empiezan por <code>consulta.recibida</code>. La misma dirección puede servir para varios.
            </p>
          )}
          <ul class="rows">
            {unconfigured.map((topic) => (
              <li key={topic}>
                <span>
                  <code>{topic}</code>
                  <span class="hint">{DESCRIPTIONS[topic]}</span>
                </span>
                <a class="button secondary" href={`${ctx.basePath}/webhooks/${topic}`}>
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
        <a href={`${ctx.basePath}/webhooks/${topic}`}>{topic}</a> <HealthBadge webhook={webhook} />
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

const HEALTH_LABELS: Record<SaludEstado, { label: string; tone: string }> = {
  'sin-entregas': { label: 'sin entregas', tone: 'status-3' },
  bien: { label: 'bien', tone: 'status-2' },
  fallando: { label: 'fallando', tone: 'status-5' },
  deshabilitado: { label: 'deshabilitado', tone: 'status-5' },
}

/** The health of a webhook as in the API, or that the app suspended it. */
export function HealthBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.activo && webhook.disabledAt === null) return <span class="badge warning">suspendido</span>
  const { label, tone } = HEALTH_LABELS[estadoOf(webhook)]
  return <span class={`badge ${tone}`}>{label}</span>
}

/** The last delivery and the last error. */
export const HealthFacts = ({
  webhook: { lastDeliveryAt, failures, lastError },
  when,
}: {
  webhook: Webhook
  when: When
}) => (
  <>
    <span>
      {lastDeliveryAt ? (
        <>
          Última entrega: <Moment at={lastDeliveryAt} when={when} />
        </>
      ) : (
        'Todavía no recibió nada'
      )}
    </span>
    {failures > 0 && (
      <span class="fault">
        {failures === 1 ? 'Una falla' : `${failures} fallas seguidas`}: {lastError}
      </span>
    )}
  </>
)
