import { printCursor } from '../../../http/cursor.ts'
import type { AppEvent } from '../../../webhooks/event.ts'
import { DESCRIPTIONS, isTopic } from '../../../webhooks/topics.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { Copyable, CopyCode } from '../../copy.tsx'
import { EstadoBadge } from '../../entregas/columns.tsx'
import { Timestamp } from '../../moment.tsx'
import { Json } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { SECTION } from './list-page.tsx'

/** One event: what it says, its place in the feed, and how it was delivered. */
export function eventPage({ ctx, event }: { ctx: PortalContext; event: AppEvent }) {
  const { id, topic, agencia, delivery, payload, place } = event
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title={topic}
      script
      above={{ href: ctx.at + SECTION, label: 'Eventos' }}
      lead={
        <>
          {isTopic(topic) && <p>{DESCRIPTIONS[topic]}</p>}
          <p class="facts">
            <Timestamp at={momentOf(id)} when={ctx} />
            {agencia && <span>{agencia.title}</span>}
            <Copyable id="id-evento" what="el Id">
              {id}
            </Copyable>
          </p>
        </>
      }
      acts={
        <a class="button secondary" href={`${ctx.at}/entregas/${id}`}>
          {delivery ? 'Ver la entrega' : 'Enviarlo a un webhook'}
        </a>
      }
    >
      <section>
        <h2>Contenido</h2>
        <CopyCode id="contenido-json" label="application/json" what="el contenido" tall>
          <Json value={JSON.parse(payload)} />
        </CopyCode>
      </section>
      <section>
        <h2>Entrega</h2>
        {delivery ? (
          <p class="facts">
            <EstadoBadge estado={delivery.estado} failing={delivery.attempts.at(-1)?.error != null} />
            <a href={`${ctx.at}/entregas/${id}`}>
              {delivery.attempts.length === 1 ? 'Ver su intento' : `Ver sus ${delivery.attempts.length} intentos`}
            </a>
          </p>
        ) : (
          <p>Cuando ocurrió, el topic no tenía webhook. El evento está igual en el feed.</p>
        )}
      </section>
      <section>
        <h2>Leer el feed desde aquí</h2>
        <p>Con este cursor, lo primero que da el feed es este evento, y después todo lo que siguió.</p>
        <CopyCode id="cursor" label="GET, con su firma o su token" what="la dirección">
          {`/v3/eventos?cursor=${printCursor(place)}`}
        </CopyCode>
      </section>
    </PortalPage>
  )
}
