import { estadoOf, masked, type SaludEstado } from '../../../resources/appnotificaciones/represent.ts'
import type { LoggedEvent } from '../../../webhooks/delivery-log.ts'
import { MAX_COUNTED, type WebhookStatus } from '../../../webhooks/status-queries.ts'
import { isAvailable, isEnabled, type Webhook } from '../../../webhooks/store.ts'
import { DESCRIPTIONS, isTopic, TOPICS } from '../../../webhooks/topics.ts'
import { deliveryColumns } from '../../entregas/list.tsx'
import { formatNumber, Moment, type TimeContext, Timestamp } from '../../format.tsx'
import { Facts, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { Table } from '../../table.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { Sample } from './form.tsx'

interface Props extends StateProps {
  recent: LoggedEvent[]
}

export function webhookPage({ ctx, webhook, available, visibility, recent }: Props) {
  const { topic } = webhook
  const href = `${ctx.basePath}/webhooks/${topic}`
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title={topic}
      parentLink={{ href: `${ctx.basePath}/webhooks`, label: 'Webhooks' }}
      intro={isTopic(topic) && DESCRIPTIONS[topic]}
      actions={
        available &&
        !ctx.app.disabled &&
        isEnabled(webhook) && <PostButton action={`${href}/prueba`}>Enviar una notificación de prueba</PostButton>
      }
    >
      <State ctx={ctx} webhook={webhook} available={available} visibility={visibility} />
      <Section title="Configuración">
        <Configuration ctx={ctx} webhook={webhook} visibility={visibility} />
        <div class="row">
          {available && (
            <>
              <SecondaryLink href={`${href}/editar`}>Editar</SecondaryLink>
              <SecondaryLink href={`${href}/secret`}>
                {webhook.secretHint === null ? 'Firmar las notificaciones' : 'Cambiar el Secret'}
              </SecondaryLink>
              {isEnabled(webhook) && (
                <PostButton action={`${href}/suspender`} class="secondary">
                  Suspender
                </PostButton>
              )}
            </>
          )}
          <a class="danger" href={`${href}/eliminar`}>
            Eliminar
          </a>
        </div>
      </Section>
      <Section title="Últimas entregas">
        <Table
          caption={`Las últimas entregas de ${topic}`}
          columns={deliveryColumns(`${ctx.basePath}/entregas`, ctx).filter(({ head }) => head !== 'Topic')}
          rows={recent}
          empty={<p>Todavía no se envió nada. Con una notificación de prueba ve si su servidor contesta.</p>}
        />
        {recent.length > 0 && (
          <p>
            <a href={`${ctx.basePath}/entregas?topic=${topic}`}>Ver todas las de este topic</a>
          </p>
        )}
      </Section>
      <details>
        <summary>Qué llega</summary>
        <Sample topic={topic} />
      </details>
    </PortalPage>
  )
}

interface StateProps {
  ctx: PortalContext
  webhook: Webhook
  /** False if the marketplace withdrew the topic. */
  available: boolean
  visibility: WebhookStatus
}

function State({ ctx, webhook, available, visibility }: StateProps) {
  const { topic, lastError, disabledAt, activo } = webhook
  const resume = <PostButton action={`${ctx.basePath}/webhooks/${topic}/reanudar`}>Reanudar</PostButton>
  if (!available)
    return (
      <div class="faults" role="note">
        <h2>El mercado retiró este topic de la app</h2>
        <p>No se envía nada. Solo puede eliminar el webhook, o preguntar al mercado.</p>
      </div>
    )
  if (disabledAt)
    return (
      <div class="faults" role="note">
        <h2>Está deshabilitado</h2>
        <p>
          {visibility.disabledBy === '410'
            ? 'Su servidor contestó 410, que quiere decir «no envíe más». Si no era su intención, corríjalo y reanúdelo.'
            : `Falló durante 5 días. ${lastError ?? ''} Corrija su servidor y reanúdelo.`}{' '}
          Lo que no se entregó se guarda 90 días.
        </p>
        {resume}
      </div>
    )
  if (!activo)
    return (
      <div class="notice">
        <p>
          Está suspendido: no se le envía nada. Los eventos se siguen guardando; al reanudarlo, envíe lo que faltó desde{' '}
          <a href={`${ctx.basePath}/entregas/reenviar?topic=${topic}`}>Reenviar varias</a>.
        </p>
        {resume}
      </div>
    )
  return (
    <p class="facts state">
      <HealthBadge webhook={webhook} />
      <HealthFacts webhook={webhook} when={ctx} />
      <Waiting ctx={ctx} webhook={webhook} visibility={visibility} />
    </p>
  )
}

function Waiting({ ctx, webhook: { topic }, visibility: { waiting, pausedUntil } }: Omit<StateProps, 'available'>) {
  if (waiting === 0 && !pausedUntil) return null
  const many = waiting >= MAX_COUNTED ? `Más de ${formatNumber(MAX_COUNTED)}` : formatNumber(waiting)
  return (
    <>
      {waiting > 0 && (
        <a href={`${ctx.basePath}/entregas?topic=${topic}&estado=pendiente`}>
          {waiting === 1 ? '1 espera' : `${many} esperan`} su envío
        </a>
      )}
      {pausedUntil && (
        <span>
          En pausa hasta <Timestamp at={pausedUntil} when={ctx} />: falla seguido, y probamos de a una. Una notificación
          de prueba sale enseguida.
        </span>
      )}
    </>
  )
}

const Configuration = ({ ctx, webhook, visibility }: Omit<StateProps, 'available'>) => (
  <Facts
    rows={[
      ['Dirección', <code>{webhook.callback}</code>],
      ['Nota', webhook.description],
      [
        'Secret',
        webhook.secretHint === null ? (
          <>
            <span class="badge attention">sin firma</span> Su servidor no puede saber si una notificación es nuestra.
          </>
        ) : (
          <>
            <code>{masked(webhook)}</code>
            {visibility.formerSecretUntil && (
              <>
                {' '}
                El anterior firma también hasta <Moment at={visibility.formerSecretUntil} when={ctx} />.
              </>
            )}
          </>
        ),
      ],
      [
        'Encabezados propios',
        webhook.headers.some((header) => header !== null) &&
          webhook.headers.map(
            (header) =>
              header && (
                <span key={header.Name}>
                  <code>{header.Name}</code>{' '}
                </span>
              ),
          ),
      ],
    ]}
  />
)

export function webhooksPage({ ctx, webhooks }: { ctx: PortalContext; webhooks: Webhook[] }) {
  const unconfigured = TOPICS.filter(
    (topic) => isAvailable(ctx.app, topic) && !webhooks.some((webhook) => webhook.topic === topic),
  )
  return (
    <PortalPage
      ctx={ctx}
      section="/webhooks"
      title="Webhooks"
      intro={
        <p>
          Le avisamos de lo que ocurre apenas ocurre, con una llamada firmada a su servidor. Si no contesta,
          reintentamos durante 3 días, y nada se pierde: está también en <a href={`${ctx.basePath}/eventos`}>Eventos</a>
          .
        </p>
      }
    >
      {webhooks.length > 0 && (
        <Section title="Configurados">
          <ul class="cards">
            {webhooks.map((webhook) => (
              <Configured key={webhook.id} ctx={ctx} webhook={webhook} />
            ))}
          </ul>
        </Section>
      )}
      {unconfigured.length > 0 && (
        <Section title={webhooks.length > 0 ? 'Sin webhook' : 'Elija de qué quiere enterarse'}>
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
        </Section>
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
        {secretHint === null && <span class="badge attention">sin firma</span>}
        {!isAvailable(ctx.app, topic) && <span class="badge error">topic retirado por el mercado</span>}
      </p>
    </li>
  )
}

const HEALTH_LABELS: Record<SaludEstado, { label: string; tone: string }> = {
  'sin-entregas': { label: 'sin entregas', tone: '' },
  bien: { label: 'bien', tone: 'ok' },
  fallando: { label: 'fallando', tone: 'attention' },
  deshabilitado: { label: 'deshabilitado', tone: 'error' },
}

/** The health of a webhook as in the API, or that the app suspended it. */
export function HealthBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.activo && webhook.disabledAt === null) return <span class="badge">suspendido</span>
  const { label, tone } = HEALTH_LABELS[estadoOf(webhook)]
  return <span class={`badge ${tone}`}>{label}</span>
}

const HealthFacts = ({
  webhook: { lastDeliveryAt, failures, lastError },
  when,
}: {
  webhook: Webhook
  when: TimeContext
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
