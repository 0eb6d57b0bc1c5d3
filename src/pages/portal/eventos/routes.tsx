import type { App } from '../../../apps/app.ts'
import { encodeCursor } from '../../../http/links.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import type { Db } from '../../../store/db.ts'
import type { Cursor } from '../../../store/keyset.ts'
import { deliveryIdOf, FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import { type LogFilter, type LoggedEvent, type LogPage, listAppLog } from '../../../webhooks/delivery-log.ts'
import {
  type AppEvent,
  deliveriesOf,
  destinosOf,
  type EventDelivery,
  findEvent,
} from '../../../webhooks/event-deliveries.ts'
import { isTopic } from '../../../webhooks/topics.ts'
import { EventFacts } from '../../entregas/event.tsx'
import { eventFilters } from '../../entregas/filters.tsx'
import { DeliveryEstadoBadge, eventColumns, logPage, searchedTo } from '../../entregas/list.tsx'
import { defineList, serveList, timeOrders } from '../../list.tsx'
import { page } from '../../page.ts'
import { requireFound } from '../../params.ts'
import { CopyCode, FoldingJson, SecondaryLink, Section } from '../../parts.tsx'
import type { ById, PageDeps } from '../../signed-in.ts'
import type { Column } from '../../table.tsx'
import { PORTAL, type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { appLogFilter } from '../entregas/routes.tsx'

/** /portal/{AppKey}/eventos: the events of the app, with or without a delivery. */
export function eventsRoutes(app: PortalPages, deps: PageDeps): void {
  const { store } = deps
  serveList(app, '/eventos', deps, EVENTS)

  app.get<ById>('/eventos/:id', async ({ ctx, params }, reply) => {
    const event = requireFound(await findEvent(store, ctx.app, params.id), t('portal.events.gone'))
    await ctx.audit('evento.leer', event.id)
    return page(reply, await eventPage(store, ctx, event))
  })
}

type EventRow = LoggedEvent & { deliveries: EventDelivery[] }

/** A page of the events, each with its deliveries to all webhooks. */
async function listEvents(db: Db, app: App, filter: LogFilter, cursor: Cursor): Promise<LogPage<EventRow>> {
  const found = await listAppLog(db, app, filter, cursor, 'events')
  const eventIds = found.rows.map(({ id }) => id)
  const deliveries = await deliveriesOf(db, eventIds)
  return { ...found, rows: found.rows.map((row) => ({ ...row, deliveries: deliveries.get(row.id) ?? [] })) }
}

const EVENTS = defineList(() => ({
  audience: PORTAL,
  section: '/eventos',
  title: t('portal.events.title'),
  filters: eventFilters(),
  orders: timeOrders(),
  intro: () => <p>{rich('portal.events.intro')}</p>,
  async load({ store, config }, request) {
    const { app } = request.ctx
    const filter = await appLogFilter(store, app, request.filters, config.timeZone)
    return logPage(request, (cursor) => listEvents(store, app, filter, cursor))
  },
  columns: (ctx) => columns(ctx),
  searchedTo: (view) => searchedTo(view),
  empty: ({ ctx }) => ({
    none: rich('portal.events.none', { link: (text) => <a href={`${ctx.basePath}/webhooks`}>{text}</a> }),
    noMatch: t('portal.events.noMatch'),
    all: t('portal.events.all'),
  }),
}))

const columns = (ctx: PortalContext): Column<EventRow>[] =>
  eventColumns(({ id }) => `${ctx.basePath}/eventos/${id}`, ctx, [
    {
      head: t('portal.events.delivery'),
      cell: ({ deliveries }) =>
        deliveries.length > 0 ? (
          <span class="row tight">
            {deliveries.map(({ id, estado, failing }) => (
              <a key={id} href={`${ctx.basePath}/entregas/${id}`}>
                <DeliveryEstadoBadge estado={estado} failing={failing} />
              </a>
            ))}
          </span>
        ) : (
          <span class="badge quiet">{t('portal.events.noWebhook')}</span>
        ),
      text: ({ deliveries }) => deliveries.map(({ estado }) => estado).join(' '),
    },
  ])

async function eventPage(db: Db, ctx: PortalContext, event: AppEvent) {
  const { id, topic, payload, position } = event
  const destinos = (await destinosOf(db, id)).filter((destino) => destino !== FIRST_DESTINO)
  const further = await Promise.all(destinos.map((destino) => findEvent(db, ctx.app, id, destino)))
  const delivered = [event, ...further].filter((each) => each !== undefined).filter(({ delivery }) => delivery !== null)
  const [first] = delivered
  return (
    <PortalPage
      ctx={ctx}
      title={topic}
      script
      parentLink={{ href: `${ctx.basePath}/eventos`, label: t('portal.events.title') }}
      intro={
        <>
          {isTopic(topic) && <p>{t(`entregas.topic.${topic}`)}</p>}
          <EventFacts event={event} when={ctx} />
        </>
      }
      actions={
        <SecondaryLink href={`${ctx.basePath}/entregas/${deliveryIdOf(id, first?.destino ?? FIRST_DESTINO)}`}>
          {first ? t('portal.events.seeDelivery') : t('portal.events.send')}
        </SecondaryLink>
      }
    >
      <Section title={t('entregas.content')}>
        <CopyCode id="contenido-json" label={<code>application/json</code>} what={t('entregas.theContent')} tall>
          <FoldingJson value={JSON.parse(payload)} />
        </CopyCode>
      </Section>
      <Section title={t('portal.events.delivery')}>
        {delivered.map((each) => (
          <DeliveryFacts key={each.destino} ctx={ctx} event={each} />
        ))}
        {!first && <p>{t('portal.events.noDelivery')}</p>}
      </Section>
      <Section title={t('portal.events.readFrom')}>
        <p>{t('portal.events.readFromHelp')}</p>
        <CopyCode id="cursor" label={t('portal.events.get')} what={t('portal.events.theAddress')}>
          {`/v3/eventos?cursor=${encodeCursor(position)}`}
        </CopyCode>
      </Section>
    </PortalPage>
  )
}

function DeliveryFacts({ ctx, event: { id, destino, delivery } }: { ctx: PortalContext; event: AppEvent }) {
  if (!delivery) return null
  return (
    <p class="facts">
      {destino !== FIRST_DESTINO && <span>{t('entregas.destino', { destino })}</span>}
      <DeliveryEstadoBadge estado={delivery.estado} failing={delivery.attempts.at(-1)?.error != null} />
      <a href={`${ctx.basePath}/entregas/${deliveryIdOf(id, destino)}`}>
        {t('portal.events.attempts', { count: delivery.attempts.length })}
      </a>
    </p>
  )
}
