import { encodeCursor } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { type AppEvent, findEvent, type LoggedEvent, listAppLog } from '../../../webhooks/delivery-log.ts'
import { DESCRIPTIONS, isTopic } from '../../../webhooks/topics.ts'
import { EventFacts } from '../../entregas/event.tsx'
import { EVENT_FILTERS } from '../../entregas/filters.tsx'
import { EstadoBadge, eventColumns, logPage, searchedTo } from '../../entregas/list.tsx'
import { defineList, serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { CopyCode, Json, SecondaryLink, Section } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import type { ById, PageDeps } from '../../signed-in.ts'
import type { Column } from '../../table.tsx'
import { PORTAL, type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { appLogFilter } from '../entregas/routes.tsx'

/** /portal/{AppKey}/eventos: the events of the app, with or without a delivery. */
export function eventsRoutes(app: PortalPages, deps: PageDeps): void {
  const { store } = deps
  serveList(app, '/eventos', deps, EVENTS)

  app.get<ById>('/eventos/:id', async ({ ctx, params }, reply) => {
    const event = await findEvent(store, ctx.app, params.id)
    if (!event) throw notFound('No existe ese evento para la app.')
    await ctx.audit('evento.leer', event.id)
    return page(allowScript(reply), eventPage({ ctx, event }))
  })
}

const EVENTS = defineList({
  audience: PORTAL,
  section: '/eventos',
  title: 'Eventos',
  csvName: 'eventos',
  filters: EVENT_FILTERS,
  intro: () => (
    <p>
      Todo lo que ocurrió y le concierne a la app, tenga o no webhook. Es lo mismo que da <code>GET /v3/eventos</code>,
      que sigue desde donde usted quedó. Se guarda 90 días.
    </p>
  ),
  async load({ store, config }, request) {
    const { app } = request.ctx
    const filter = await appLogFilter(store, app, request.filters, config.timeZone)
    return logPage(request, (cursor) => listAppLog(store, app, filter, cursor, 'events'))
  },
  columns: (ctx) => columns(ctx),
  searchedTo: (view) => searchedTo(view),
  empty: ({ ctx }) => ({
    none: (
      <>
        Todavía no ocurrió nada. El primer evento llega cuando una agencia acepta su invitación, o con una notificación
        de prueba desde <a href={`${ctx.basePath}/webhooks`}>Webhooks</a>.
      </>
    ),
    noMatch: 'No hay eventos así. Pruebe con menos filtros o con otro período.',
    all: 'Ver todos',
  }),
})

const columns = (ctx: PortalContext): Column<LoggedEvent>[] =>
  eventColumns(({ id }) => `${ctx.basePath}/eventos/${id}`, ctx, [
    {
      head: 'Entrega',
      cell: ({ id, estado, attempts, last }) =>
        estado ? (
          <a href={`${ctx.basePath}/entregas/${id}`}>
            <EstadoBadge estado={estado} failing={attempts > 0 && last?.error != null} />
          </a>
        ) : (
          <span class="badge quiet">sin webhook</span>
        ),
      text: ({ estado }) => estado,
    },
  ])

function eventPage({ ctx, event }: { ctx: PortalContext; event: AppEvent }) {
  const { id, topic, delivery, payload, position } = event
  return (
    <PortalPage
      ctx={ctx}
      section="/eventos"
      title={topic}
      script
      parentLink={{ href: `${ctx.basePath}/eventos`, label: 'Eventos' }}
      intro={
        <>
          {isTopic(topic) && <p>{DESCRIPTIONS[topic]}</p>}
          <EventFacts event={event} when={ctx} />
        </>
      }
      actions={
        <SecondaryLink href={`${ctx.basePath}/entregas/${id}`}>
          {delivery ? 'Ver la entrega' : 'Enviarlo a un webhook'}
        </SecondaryLink>
      }
    >
      <Section title="Contenido">
        <CopyCode id="contenido-json" label="application/json" what="el contenido" tall>
          <Json value={JSON.parse(payload)} />
        </CopyCode>
      </Section>
      <Section title="Entrega">
        {delivery ? (
          <p class="facts">
            <EstadoBadge estado={delivery.estado} failing={delivery.attempts.at(-1)?.error != null} />
            <a href={`${ctx.basePath}/entregas/${id}`}>
              {delivery.attempts.length === 1 ? 'Ver su intento' : `Ver sus ${delivery.attempts.length} intentos`}
            </a>
          </p>
        ) : (
          <p>Cuando ocurrió, el topic no tenía webhook. El evento está igual en el feed.</p>
        )}
      </Section>
      <Section title="Leer el feed desde aquí">
        <p>Con este cursor, lo primero que da el feed es este evento, y después todo lo que siguió.</p>
        <CopyCode id="cursor" label="GET, con su firma o su token" what="la dirección">
          {`/v3/eventos?cursor=${encodeCursor(position)}`}
        </CopyCode>
      </Section>
    </PortalPage>
  )
}
