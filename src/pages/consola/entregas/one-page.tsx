import type { App } from '../../../apps/app.ts'
import { withQuery } from '../../../http/links.ts'
import type { AppEvent } from '../../../webhooks/event.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { Attempts } from '../../entregas/attempts.tsx'
import { livePart } from '../../live.ts'
import { Timestamp } from '../../moment.tsx'
import { Code, Json } from '../../parts.tsx'
import { consultaHref } from '../consultas/parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ENTREGAS, entregaHref } from './parts.ts'

const LIVE_SECONDS = 2

export interface OneProps {
  ctx: ConsoleContext
  app: App
  event: AppEvent
  /** Whether it can be sent again; otherwise, what stands in the way. */
  obstacle: string | undefined
}

/** One delivery: how each attempt at it went, and what it says. How it is signed is the partner's own business. */
export function entregaPage({ ctx, app, event, obstacle, version }: OneProps & { version: string }) {
  return (
    <ConsolePage
      ctx={ctx}
      title={event.topic}
      current={ENTREGAS}
      above={{ href: ENTREGAS, label: 'Entregas' }}
      script
      lead={<About ctx={ctx} app={app} event={event} />}
      acts={
        obstacle === undefined && (
          <form method="post" action={`${entregaHref(event)}/reenviar`}>
            <button type="submit">{event.delivery ? 'Reenviar' : 'Enviar'}</button>
          </form>
        )
      }
    >
      {obstacle && <p class="empty">No se puede enviar ahora: {obstacle}</p>}
      <section>
        <h2>Intentos</h2>
        <AttemptsPart ctx={ctx} event={event} version={version} />
      </section>
      <section>
        <h2>Contenido</h2>
        <Code label="application/json, con sangría para leerlo">
          <Json value={JSON.parse(event.payload)} />
        </Code>
      </section>
    </ConsolePage>
  )
}

const About = ({ ctx, app, event: { id, sid, agencia } }: Pick<OneProps, 'ctx' | 'app' | 'event'>) => (
  <p class="facts">
    <Timestamp at={momentOf(id)} when={ctx} />
    <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
    {agencia && <span>{agencia.title}</span>}
    <code class="select-all">{id}</code>
    {sid && <a href={consultaHref({ sid })}>La consulta</a>}
    {sid && <a href={withQuery(ENTREGAS, { q: sid })}>Todo lo que se avisó de ella</a>}
  </p>
)

/** Brings itself up to date while the delivery is not settled. */
export const AttemptsPart = ({ ctx, event, version }: Pick<OneProps, 'ctx' | 'event'> & { version: string }) => (
  <div
    id="intentos"
    {...(event.delivery?.estado === 'pendiente' &&
      livePart(withQuery(entregaHref(event), { visto: version }), LIVE_SECONDS))}
  >
    <AttemptsContent ctx={ctx} event={event} />
  </div>
)

const AttemptsContent = ({ ctx, event }: Pick<OneProps, 'ctx' | 'event'>) =>
  event.delivery ? (
    <Attempts event={event} delivery={event.delivery} when={ctx} />
  ) : (
    <p class="empty">Nunca se envió: cuando ocurrió, el topic no tenía webhook.</p>
  )
