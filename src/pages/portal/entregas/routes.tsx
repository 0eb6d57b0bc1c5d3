import type { App } from '../../../apps/app.ts'
import { withQuery } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { agenciasNamed, findAgencia } from '../../../resources/agencias/read.ts'
import type { Db } from '../../../store/db.ts'
import { destinoOf, eventIdOf } from '../../../webhooks/delivery-ids.ts'
import { findEvent, type LogFilter, listAppLog } from '../../../webhooks/delivery-log.ts'
import { type PreparedRequest, prepareRequest } from '../../../webhooks/destinations.ts'
import { listWebhooks } from '../../../webhooks/store.ts'
import { quoted } from '../../docs/call.ts'
import { HeaderList } from '../../entregas/event.tsx'
import { DELIVERY_FILTERS, type LogFilters, MAX_AGENCIAS, toLogFilter } from '../../entregas/filters.tsx'
import { DELIVERY_LIST, deliveryColumns, logPage, searchedTo } from '../../entregas/list.tsx'
import { OBSTACLES, serveDelivery } from '../../entregas/routes.tsx'
import { defineList, serveList } from '../../list.tsx'
import { CopyCode, SecondaryLink, Section } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { PORTAL, type PortalPages } from '../context.tsx'

/** /portal/{AppKey}/entregas: the deliveries of an app. */
export function deliveriesRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config } = deps

  serveList(app, '/entregas', deps, DELIVERIES)
  serveDelivery(app, deps, {
    audience: PORTAL,
    section: '/entregas',
    async eventOf(ctx, deliveryId) {
      const event = await findEvent(store, ctx.app, eventIdOf(deliveryId), destinoOf(deliveryId))
      if (!event) throw notFound('No existe esa entrega para la app.')
      return { app: ctx.app, event }
    },
    eventLinks: ({ basePath }, _, { id, sid }) => (
      <>
        {sid && (
          <a href={`${basePath}/entregas?q=${sid}`}>
            Todo lo de la consulta <code>{sid}</code>
          </a>
        )}
        <a href={`${basePath}/eventos/${id}`}>En el feed</a>
      </>
    ),
    obstacleText: ({ basePath }, obstacle, topic) => (
      <>
        {obstacle === 'no-webhook'
          ? 'Este topic no tiene webhook, así que no hay adónde enviarlo. '
          : `No se puede enviar ahora: ${OBSTACLES[obstacle]} `}
        <a href={`${basePath}/webhooks/${topic}`}>
          {obstacle === 'no-webhook' ? 'Configurar el webhook' : 'Ver el webhook'}
        </a>
      </>
    ),
    async eventSection(ctx, event) {
      const next = await prepareRequest(store, seal, ctx.app, event, { now: ctx.now, publicUrl: config.publicUrl })
      return next && <NextRequest request={next} payload={event.payload} />
    },
    resentNotice: 'entrega-reenviada',
  })
}

/** The query on an app's log. The email of an agency that left the app finds the end of its association. */
export const appLogFilter = (db: Db, app: App, filters: LogFilters, timeZone: string): Promise<LogFilter> =>
  toLogFilter(filters, timeZone, async (text) => {
    if (!text.includes('@')) return { agencias: await agenciasNamed(db, app, text, MAX_AGENCIAS) }
    const agencia = await findAgencia(db, app, text)
    return agencia ? { agencias: [agencia.id] } : { formerMail: text.toLowerCase() }
  })

const DELIVERIES = defineList({
  ...DELIVERY_LIST,
  audience: PORTAL,
  section: '/entregas',
  filters: DELIVERY_FILTERS,
  async load({ store, seal, config }, request) {
    const { app } = request.ctx
    const filter = await appLogFilter(store, app, request.filters, config.timeZone)
    const found = await logPage(request, (cursor) => listAppLog(store, app, filter, cursor, 'deliveries'))
    return { ...found, hasWebhook: found.rows.length > 0 || (await listWebhooks(store, seal, app)).length > 0 }
  },
  intro: 'Cada notificación que se envía a sus webhooks, con cada intento. Se guardan 90 días.',
  actions: ({ ctx, filters }) => (
    <SecondaryLink href={withQuery(`${ctx.basePath}/entregas/reenviar`, filters)}>Reenviar varias</SecondaryLink>
  ),
  columns: (ctx) => deliveryColumns(`${ctx.basePath}/entregas`, ctx),
  searchedTo: (view) => searchedTo(view),
  empty: ({ ctx: { basePath }, found: { hasWebhook } }) => ({
    none: hasWebhook ? (
      <>
        Todavía no se envió nada. Envíe una notificación de prueba desde la página del{' '}
        <a href={`${basePath}/webhooks`}>webhook</a>, y la verá aparecer aquí.
      </>
    ) : (
      <>
        Ningún topic tiene webhook. <a href={`${basePath}/webhooks`}>Configure uno</a> para que le avisemos de cada
        consulta apenas llega.
      </>
    ),
    noMatch: (
      <>
        No hay entregas así. Pruebe con menos filtros o con otro período. Si el topic no tenía webhook cuando ocurrió,
        no hubo entrega, pero el evento está en <a href={`${basePath}/eventos`}>Eventos</a> y puede enviarlo desde ahí.
      </>
    ),
    all: 'Ver todas',
  }),
})

const NextRequest = ({ request, payload }: { request: PreparedRequest; payload: string }) => (
  <Section title="Repetirla a mano">
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
  </Section>
)

/** The address comes first, so that it is easy to change; the body is byte for byte, or the signature would not match. */
function deliveryCurl({ callback, headers }: PreparedRequest, payload: string): string {
  const lines = [
    'curl "$DESTINO"',
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(payload)}`,
  ]
  return `DESTINO=${quoted(callback)}\n${lines.join(' \\\n  ')}`
}
