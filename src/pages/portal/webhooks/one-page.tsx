import type { Logged } from '../../../webhooks/app-log.ts'
import { isOn } from '../../../webhooks/subscriptions.ts'
import { DESCRIPTIONS, isTopic } from '../../../webhooks/topics.ts'
import { deliveryColumns, shownColumns } from '../../entregas/columns.tsx'
import { Table } from '../../table.tsx'
import { PortalPage } from '../context.tsx'
import { Configuration } from './configuration.tsx'
import { SECTION } from './list-page.tsx'
import { Sample } from './sample.tsx'
import { State, type StateProps } from './state.tsx'

interface Props extends StateProps {
  /** The last of its deliveries. */
  recent: Logged[]
}

/** One webhook: how it does, what it is, and everything one does with it. */
export function webhookPage({ ctx, webhook, available, visibility, recent }: Props) {
  const { topic } = webhook
  const here = `${ctx.at}${SECTION}/${topic}`
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title={topic}
      above={{ href: ctx.at + SECTION, label: 'Webhooks' }}
      lead={isTopic(topic) && <p>{DESCRIPTIONS[topic]}</p>}
      acts={
        available &&
        !ctx.app.disabled &&
        isOn(webhook) && (
          <form method="post" action={`${here}/prueba`}>
            <button type="submit">Enviar una notificación de prueba</button>
          </form>
        )
      }
    >
      <State ctx={ctx} webhook={webhook} available={available} visibility={visibility} />
      <section>
        <h2>Configuración</h2>
        <Configuration ctx={ctx} webhook={webhook} visibility={visibility} />
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
          columns={shownColumns(deliveryColumns(`${ctx.at}/entregas`, ctx)).filter(({ head }) => head !== 'Topic')}
          rows={recent}
          keyOf={({ id }) => id}
          empty={<p>Todavía no se envió nada. Con una notificación de prueba ve si su servidor contesta.</p>}
        />
        {recent.length > 0 && (
          <p>
            <a href={`${ctx.at}/entregas?topic=${topic}`}>Ver todas las de este topic</a>
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
