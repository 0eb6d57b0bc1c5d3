import { masked } from '../../../resources/appnotificaciones/represent.ts'
import type { Logged } from '../../../webhooks/app-log.ts'
import { MOST_COUNTED, type Standing } from '../../../webhooks/standing.ts'
import { isOn, type Webhook } from '../../../webhooks/subscriptions.ts'
import { DESCRIPTIONS, isTopic } from '../../../webhooks/topics.ts'
import { inFigures } from '../../figures.ts'
import { Moment } from '../../moment.tsx'
import { Table } from '../../table.tsx'
import { deliveryColumns, seen } from '../entregas/rows.tsx'
import { Instant } from '../instant.tsx'
import { PortalPage, type PortalVisit } from '../visit.tsx'
import { HealthBadge } from './health.tsx'
import { SECTION } from './list-page.tsx'
import { Sample } from './sample.tsx'

interface Props {
  visit: PortalVisit
  webhook: Webhook
  /** False: the marketplace withdrew the topic, and it can only be removed. */
  available: boolean
  standing: Standing
  /** The last of its deliveries. */
  recent: Logged[]
}

/** One webhook: how it does, what it is, and everything one does with it. */
export function webhookPage({ visit, webhook, available, standing, recent }: Props) {
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
        !visit.app.disabled &&
        isOn(webhook) && (
          <form method="post" action={`${here}/prueba`}>
            <button type="submit">Enviar una notificación de prueba</button>
          </form>
        )
      }
    >
      <State visit={visit} webhook={webhook} available={available} standing={standing} />
      <section>
        <h2>Configuración</h2>
        <Configuration visit={visit} webhook={webhook} standing={standing} />
        <div class="row">
          {available && (
            <>
              <a class="button secondary" href={`${here}/editar`}>
                Editar
              </a>
              <a class="button secondary" href={`${here}/secret`}>
                {webhook.secretHint === null ? 'Firmar las notificaciones' : 'Cambiar el Secret'}
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
          empty={<p>Todavía no se envió nada. Con una notificación de prueba ve si su servidor contesta.</p>}
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
function State({ visit, webhook, available, standing }: Omit<Props, 'recent'>) {
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
          {standing.disabledBy === '410'
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
      <Waiting visit={visit} topic={topic} standing={standing} />
    </p>
  )
}

/** What has not left yet, and why. */
function Waiting({
  visit,
  topic,
  standing: { waiting, pausedUntil },
}: Pick<Props, 'visit' | 'standing'> & { topic: string }) {
  if (waiting === 0 && !pausedUntil) return null
  const many = waiting >= MOST_COUNTED ? `Más de ${inFigures(MOST_COUNTED)}` : inFigures(waiting)
  return (
    <>
      {waiting > 0 && (
        <a href={`${visit.at}/entregas?topic=${topic}&estado=pendiente`}>
          {waiting === 1 ? '1 espera' : `${many} esperan`} su envío
        </a>
      )}
      {pausedUntil && (
        <span>
          En pausa hasta <Instant at={pausedUntil} when={visit} />: falla seguido, y probamos de a una. Una notificación
          de prueba sale enseguida.
        </span>
      )}
    </>
  )
}

const Configuration = ({ visit, webhook, standing }: Pick<Props, 'visit' | 'webhook' | 'standing'>) => (
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
            <span class="badge warning">sin firma</span> Su servidor no puede saber si una notificación es nuestra.
          </>
        ) : (
          <>
            <code>{masked(webhook)}</code>
            {standing.formerSecretUntil && (
              <>
                {' '}
                El anterior firma también hasta <Moment at={standing.formerSecretUntil} when={visit} />.
              </>
            )}
          </>
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
