import { masked } from '../../../resources/appnotificaciones/represent.ts'
import type { Logged } from '../../../webhooks/app-log.ts'
import { isOn, type Webhook } from '../../../webhooks/subscriptions.ts'
import { DESCRIPTIONS, isTopic } from '../../../webhooks/topics.ts'
import { Moment } from '../../moment.tsx'
import { Table } from '../../table.tsx'
import { deliveryColumns, seen } from '../entregas/rows.tsx'
import { PortalPage, type PortalVisit } from '../visit.tsx'
import { HealthBadge } from './health.tsx'
import { SECTION } from './list-page.tsx'
import { Sample } from './sample.tsx'

interface Props {
  visit: PortalVisit
  webhook: Webhook
  /** False: the marketplace withdrew the topic, and it can only be removed. */
  available: boolean
  /** The last of its deliveries. */
  recent: Logged[]
}

/** One webhook: how it does, what it is, and everything one does with it. */
export function webhookPage({ visit, webhook, available, recent }: Props) {
  const { topic } = webhook
  const here = `${visit.at}${SECTION}/${topic}`
  return (
    <PortalPage
      visit={visit}
      section={SECTION}
      title={topic}
      above={{ href: visit.at + SECTION, label: 'Webhooks' }}
      lead={isTopic(topic) && <p>{DESCRIPTIONS[topic]}</p>}
      acts={
        available &&
        isOn(webhook) && (
          <form method="post" action={`${here}/prueba`}>
            <button type="submit">Enviar un aviso de prueba</button>
          </form>
        )
      }
    >
      <State visit={visit} webhook={webhook} available={available} />
      <section>
        <h2>Configuración</h2>
        <Configuration webhook={webhook} />
        <div class="row">
          {available && (
            <>
              <a class="button secondary" href={`${here}/editar`}>
                Editar
              </a>
              <a class="button secondary" href={`${here}/secret`}>
                {webhook.secretHint === null ? 'Firmar los avisos' : 'Cambiar el Secret'}
              </a>
              {isOn(webhook) && (
                <form method="post" action={`${here}/suspender`}>
                  <button type="submit" class="secondary">
                    Suspender
                  </button>
                </form>
              )}
            </>
          )}
          <a class="danger" href={`${here}/eliminar`}>
            Eliminar
          </a>
        </div>
      </section>
      <section>
        <h2>Últimas entregas</h2>
        <Table
          caption={`Las últimas entregas de ${topic}`}
          columns={seen(deliveryColumns(visit.at, visit)).filter(({ head }) => head !== 'Topic')}
          rows={recent}
          keyOf={({ id }) => id}
          empty={<p>Todavía no se envió nada. Con un aviso de prueba ve si su servidor contesta.</p>}
        />
        {recent.length > 0 && (
          <p>
            <a href={`${visit.at}/entregas?topic=${topic}`}>Ver todas las de este topic</a>
          </p>
        )}
      </section>
      <details>
        <summary>Qué llega</summary>
        <Sample topic={topic} />
      </details>
    </PortalPage>
  )
}

/** How it does; where it needs somebody, what to do. */
function State({ visit, webhook, available }: Omit<Props, 'recent'>) {
  const { topic, failures, lastError, lastDeliveryAt, disabledAt, activo } = webhook
  const resume = (
    <form method="post" action={`${visit.at}${SECTION}/${topic}/reanudar`}>
      <button type="submit">Reanudar</button>
    </form>
  )
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
          Falló durante 5 días, o contestó 410. {lastError} Corrija su servidor y reanúdelo. Lo que no se entregó se
          guarda 90 días.
        </p>
        {resume}
      </div>
    )
  if (!activo)
    return (
      <div class="notice">
        <p>
          Está suspendido: no se le envía nada. Los eventos se siguen guardando; al reanudarlo, envíe lo que faltó desde{' '}
          <a href={`${visit.at}/entregas/reenviar?topic=${topic}`}>Reenviar varias</a>.
        </p>
        {resume}
      </div>
    )
  return (
    <p class="facts state">
      <HealthBadge webhook={webhook} />
      <span>
        {lastDeliveryAt ? (
          <>
            Última entrega: <Moment at={lastDeliveryAt} when={visit} />
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
    </p>
  )
}

const Configuration = ({ webhook }: { webhook: Webhook }) => (
  <dl class="data">
    <div>
      <dt>Dirección</dt>
      <dd>
        <code>{webhook.callback}</code>
      </dd>
    </div>
    {webhook.description && (
      <div>
        <dt>Nota</dt>
        <dd>{webhook.description}</dd>
      </div>
    )}
    <div>
      <dt>Secret</dt>
      <dd>
        {webhook.secretHint === null ? (
          <>
            <span class="badge warning">sin firma</span> Su servidor no puede saber si un aviso es nuestro.
          </>
        ) : (
          <code>{masked(webhook)}</code>
        )}
      </dd>
    </div>
    {webhook.headers.some((header) => header !== null) && (
      <div>
        <dt>Encabezados propios</dt>
        <dd>
          {webhook.headers.map(
            (header) =>
              header && (
                <span key={header.Name}>
                  <code>{header.Name}</code>{' '}
                </span>
              ),
          )}
        </dd>
      </div>
    )}
  </dl>
)
