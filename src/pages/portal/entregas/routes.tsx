import type { App } from '../../../apps/app.ts'
import { withQuery } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { agenciasNamed, findAgencia } from '../../../resources/agencias/read.ts'
import type { Db } from '../../../store/db.ts'
import { findEvent, type LogFilter, listAppLog } from '../../../webhooks/delivery-log.ts'
import { type PreparedRequest, prepareRequest } from '../../../webhooks/destinations.ts'
import { listWebhooks } from '../../../webhooks/subscriptions.ts'
import { HeaderList } from '../../entregas/event.tsx'
import { type Filters, MAX_AGENCIAS, setFilters, toLogFilter } from '../../entregas/filters.tsx'
import { deliveryColumns, shownColumns } from '../../entregas/list.tsx'
import { OBSTACLES, serveDeliveryLog } from '../../entregas/routes.tsx'
import { ButtonLink, CopyCode, SecondaryLink } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { PortalPage, type PortalPages } from '../context.tsx'

/** /portal/{AppKey}/entregas: the deliveries of an app. */
export function deliveriesRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const { timeZone, publicUrl } = config

  serveDeliveryLog(app, deps, {
    Page: (props) => <PortalPage section="/entregas" {...props} />,
    hrefOf: ({ basePath }) => `${basePath}/entregas`,
    lead: 'Cada notificación que se envía a sus webhooks, con cada intento. Se guardan 90 días.',
    listActs: ({ basePath }, filters) => (
      <SecondaryLink href={withQuery(`${basePath}/entregas/reenviar`, { ...setFilters(filters) })}>
        Reenviar varias
      </SecondaryLink>
    ),
    filterOf: (ctx, filters) => appLogFilter(store, ctx.app, filters, timeZone),
    find: async (ctx) => (filter, page) => listAppLog(store, ctx.app, filter, page, 'deliveries'),
    columns: (ctx) => deliveryColumns(`${ctx.basePath}/entregas`, ctx),
    shownColumns: (ctx) => shownColumns(deliveryColumns(`${ctx.basePath}/entregas`, ctx)),
    async empty(ctx, isFiltered) {
      if (isFiltered) return <NoMatch basePath={ctx.basePath} />
      const isConfigured = (await listWebhooks(store, seal, ctx.app)).length > 0
      return isConfigured ? <NothingSent basePath={ctx.basePath} /> : <NoWebhook basePath={ctx.basePath} />
    },
    async eventOf(ctx, id) {
      const event = await findEvent(store, ctx.app, id)
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
      const next = await prepareRequest(store, seal, ctx.app, event, { now: ctx.now, publicUrl })
      return next && <NextRequest request={next} payload={event.payload} />
    },
    resentNotice: 'entrega-reenviada',
  })
}

/** The query on an app's log. The email of an agency that left the app finds the end of its association. */
export const appLogFilter = (db: Db, app: App, filters: Filters, timeZone: string): Promise<LogFilter> =>
  toLogFilter(filters, timeZone, async (text) => {
    if (!text.includes('@')) return { agencias: await agenciasNamed(db, app, text, MAX_AGENCIAS) }
    const agencia = await findAgencia(db, app, text)
    return agencia ? { agencias: [agencia.id] } : { formerMail: text.toLowerCase() }
  })

const NoMatch = ({ basePath }: { basePath: string }) => (
  <>
    <h2>No hay entregas así</h2>
    <p>
      Pruebe con menos filtros o con otro período. Si el topic no tenía webhook cuando ocurrió, no hubo entrega, pero el
      evento está en <a href={`${basePath}/eventos`}>Eventos</a> y puede enviarlo desde ahí.{' '}
      <a href={`${basePath}/entregas`}>Ver todas</a>
    </p>
  </>
)

const NoWebhook = ({ basePath }: { basePath: string }) => (
  <>
    <h2>Ningún topic tiene webhook</h2>
    <p>Configure uno para que le avisemos de cada consulta apenas llega.</p>
    <p>
      <ButtonLink href={`${basePath}/webhooks`}>Configurar un webhook</ButtonLink>
    </p>
  </>
)

const NothingSent = ({ basePath }: { basePath: string }) => (
  <>
    <h2>Todavía no se envió nada</h2>
    <p>Envíe una notificación de prueba desde la página del webhook, y la verá aparecer aquí.</p>
    <p>
      <ButtonLink href={`${basePath}/webhooks`}>Ir a los webhooks</ButtonLink>
    </p>
  </>
)

/** The next attempt, for repeating it by hand. */
const NextRequest = ({ request, payload }: { request: PreparedRequest; payload: string }) => (
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

/** The address comes first, so that it is easy to change; the body is byte for byte, or the signature would not match. */
function deliveryCurl({ callback, headers }: PreparedRequest, payload: string): string {
  const lines = [
    'curl "$DESTINO"',
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    `--data-raw ${shellQuoted(payload)}`,
  ]
  return `DESTINO=${shellQuoted(callback)}\n${lines.join(' \\\n  ')}`
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
