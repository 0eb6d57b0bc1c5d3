import { MOST_COUNTED, type Visibility } from '../../../webhooks/standing.ts'
import type { Webhook } from '../../../webhooks/subscriptions.ts'
import { inFigures } from '../../figures.ts'
import { Timestamp } from '../../moment.tsx'
import type { PortalContext } from '../context.tsx'
import { HealthBadge, HealthFacts } from './health.tsx'
import { SECTION } from './list-page.tsx'

export interface StateProps {
  ctx: PortalContext
  webhook: Webhook
  /** False: the marketplace withdrew the topic, and it can only be removed. */
  available: boolean
  visibility: Visibility
}

/** How it does; where it needs somebody, what to do. */
export function State({ ctx, webhook, available, visibility }: StateProps) {
  const { topic, lastError, disabledAt, activo } = webhook
  const resume = (
    <form method="post" action={`${ctx.at}${SECTION}/${topic}/reanudar`}>
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
          <a href={`${ctx.at}/entregas/reenviar?topic=${topic}`}>Reenviar varias</a>.
        </p>
        {resume}
      </div>
    )
  return (
    <p class="facts state">
      <HealthBadge webhook={webhook} />
      <HealthFacts webhook={webhook} when={ctx} />
      <Waiting ctx={ctx} topic={topic} visibility={visibility} />
    </p>
  )
}

/** What has not left yet, and why. */
function Waiting({
  ctx,
  topic,
  visibility: { waiting, pausedUntil },
}: Pick<StateProps, 'ctx' | 'visibility'> & { topic: string }) {
  if (waiting === 0 && !pausedUntil) return null
  const many = waiting >= MOST_COUNTED ? `Más de ${inFigures(MOST_COUNTED)}` : inFigures(waiting)
  return (
    <>
      {waiting > 0 && (
        <a href={`${ctx.at}/entregas?topic=${topic}&estado=pendiente`}>
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
