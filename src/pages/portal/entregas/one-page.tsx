import type { AppEvent } from '../../../webhooks/event.ts'
import type { DeliveryRequest } from '../../../webhooks/request.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { Copyable, CopyCode } from '../../copy.tsx'
import { Attempts, HeaderList } from '../../entregas/attempts.tsx'
import { livePart } from '../../live.ts'
import { Timestamp } from '../../moment.tsx'
import { Code, Json } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { deliveryCurl } from './curl.ts'
import { SECTION } from './list-page.tsx'

const LIVE_SECONDS = 2

export interface OneProps {
  ctx: PortalContext
  event: AppEvent
  /** As it would leave now; undefined where the topic has no webhook. */
  request: DeliveryRequest | undefined
  /** Whether it can be sent again. */
  mayResend: boolean
}

/** One delivery: what was sent, how often, what came back, and the way to send it again. */
export function deliveryPage({ ctx, event, request, mayResend, version }: OneProps & { version: string }) {
  const { at } = ctx
  const here = `${at}${SECTION}/${event.id}`
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title={event.topic}
      script
      above={{ href: at + SECTION, label: 'Entregas' }}
      lead={<About ctx={ctx} event={event} />}
      acts={
        mayResend && (
          <form method="post" action={`${here}/reenviar`}>
            <button type="submit">{event.delivery ? 'Reenviar' : 'Enviar'}</button>
          </form>
        )
      }
    >
      {!mayResend && <WhyNot ctx={ctx} topic={event.topic} configured={request !== undefined} />}
      <section>
        <h2>Intentos</h2>
        <AttemptsPart ctx={ctx} event={event} version={version} />
      </section>
      {request && <Request request={request} payload={event.payload} />}
      <section>
        <h2>Contenido</h2>
        <CopyCode id="contenido-json" label="application/json, con sangría para leerlo" what="el contenido" tall>
          <Json value={JSON.parse(event.payload)} />
        </CopyCode>
        <details>
          <summary>Tal como se envía, byte por byte</summary>
          <Code label="Sobre estos bytes se calcula la firma">{event.payload}</Code>
        </details>
      </section>
    </PortalPage>
  )
}

const About = ({ ctx, event: { id, sid, agencia } }: Pick<OneProps, 'ctx' | 'event'>) => (
  <p class="facts">
    <Timestamp at={momentOf(id)} when={ctx} />
    {agencia && <span>{agencia.title}</span>}
    <Copyable id="id-evento" what="el Id">
      {id}
    </Copyable>
    {sid && (
      <a href={`${ctx.at}${SECTION}?q=${sid}`}>
        Todo lo de la consulta <code>{sid}</code>
      </a>
    )}
    <a href={`${ctx.at}/eventos/${id}`}>En el feed</a>
  </p>
)

const WhyNot = ({ ctx, topic, configured }: { ctx: PortalContext; topic: string; configured: boolean }) => (
  <p class="empty">
    {configured
      ? 'No se puede enviar ahora: el webhook de este topic no está activo. '
      : 'Este topic no tiene webhook, así que no hay adónde enviarlo. '}
    <a href={`${ctx.at}/webhooks/${topic}`}>{configured ? 'Ver el webhook' : 'Configurar el webhook'}</a>
  </p>
)

/** Brings itself up to date while the delivery is not settled. */
export const AttemptsPart = ({ ctx, event, version }: Pick<OneProps, 'ctx' | 'event'> & { version: string }) => (
  <div
    id="intentos"
    {...(event.delivery?.estado === 'pendiente' &&
      livePart(`${ctx.at}${SECTION}/${event.id}?visto=${version}`, LIVE_SECONDS))}
  >
    {event.delivery ? (
      <Attempts event={event} delivery={event.delivery} when={ctx} />
    ) : (
      <p class="empty">Nunca se envió: cuando ocurrió, el topic no tenía webhook.</p>
    )}
  </div>
)

const Request = ({ request, payload }: { request: DeliveryRequest; payload: string }) => (
  <section>
    <h2>Repetirla a mano</h2>
    <p>
      El próximo intento, firmado en este momento. Un receptor suele aceptar una firma durante 5 minutos: recargue la
      página para renovarla. Cambie la primera línea para enviarla a su propia máquina.
    </p>
    <CopyCode id="curl" label="curl" what="el comando">
      {deliveryCurl(request, payload)}
    </CopyCode>
    <details>
      <summary>Los encabezados del próximo intento, uno por uno</summary>
      <HeaderList headers={request.headers} />
    </details>
  </section>
)
