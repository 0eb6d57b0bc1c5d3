import type { App } from '../../../apps/app.ts'
import { withQuery } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { agenciasNamed, findAgencia } from '../../../resources/agencias/read.ts'
import type { Db } from '../../../store/db.ts'
import { destinoOf, eventIdOf, FIRST_DESTINO } from '../../../webhooks/delivery-ids.ts'
import { type LogFilter, listAppLog } from '../../../webhooks/delivery-log.ts'
import { type PreparedRequest, prepareRequest } from '../../../webhooks/destinations.ts'
import { findEvent } from '../../../webhooks/event-deliveries.ts'
import { listWebhooks } from '../../../webhooks/store.ts'
import { shellQuoted } from '../../docs/call.ts'
import { HeaderList } from '../../entregas/event.tsx'
import { deliveryFilters, type LogFilters, MAX_AGENCIAS, toLogFilter } from '../../entregas/filters.tsx'
import { deliveryColumns, deliveryList, logPage, searchedTo } from '../../entregas/list.tsx'
import { serveDelivery } from '../../entregas/routes.tsx'
import { defineList, serveList } from '../../list.tsx'
import { CopyCode, SecondaryLink, Section } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { PORTAL, type PortalPages } from '../context.tsx'
import { addPath, webhookPath } from '../webhooks/destino.ts'

/** /portal/{AppKey}/entregas: the deliveries of an app. */
export function deliveriesRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal, config } = deps

  serveList(app, '/entregas', deps, DELIVERIES)
  serveDelivery(app, deps, {
    audience: PORTAL,
    section: '/entregas',
    async eventOf(ctx, deliveryId) {
      const event = await findEvent(store, ctx.app, eventIdOf(deliveryId), destinoOf(deliveryId))
      if (!event) throw notFound(t('portal.deliveries.gone'))
      return { app: ctx.app, event }
    },
    eventLinks: ({ basePath }, _, { id, sid, topic, destino }) => (
      <>
        <a href={webhookPath(basePath, { topic, destino })}>
          {destino === FIRST_DESTINO ? t('portal.deliveries.webhook') : t('entregas.destino', { destino })}
        </a>
        {sid && (
          <a href={`${basePath}/entregas?q=${sid}`}>
            {rich('portal.deliveries.ofConsulta', { sid: <code>{sid}</code> })}
          </a>
        )}
        <a href={`${basePath}/eventos/${id}`}>{t('portal.deliveries.inFeed')}</a>
      </>
    ),
    obstacleText({ basePath }, obstacle, event) {
      const href = webhookPath(basePath, event)
      if (obstacle === 'no-webhook') {
        const { topic, destino } = event
        const add = destino === FIRST_DESTINO ? href : addPath(basePath, topic)
        return rich('portal.deliveries.noWebhook', { link: (text) => <a href={add}>{text}</a> })
      }
      return (
        <>
          {t(`entregas.obstacle.${obstacle}`)} <a href={href}>{t('portal.deliveries.seeWebhook')}</a>
        </>
      )
    },
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

const DELIVERIES = defineList(() => ({
  ...deliveryList(),
  audience: PORTAL,
  section: '/entregas',
  filters: deliveryFilters(),
  async load({ store, seal, config }, request) {
    const { app } = request.ctx
    const filter = await appLogFilter(store, app, request.filters, config.timeZone)
    const found = await logPage(request, (cursor) => listAppLog(store, app, filter, cursor, 'deliveries'))
    return { ...found, hasWebhook: found.rows.length > 0 || (await listWebhooks(store, seal, app)).length > 0 }
  },
  intro: t('portal.deliveries.intro'),
  actions: ({ ctx, filters }) => (
    <SecondaryLink href={withQuery(`${ctx.basePath}/entregas/reenviar`, ctx.sealMails(filters))}>
      {t('portal.resend.title')}
    </SecondaryLink>
  ),
  columns: (ctx) => deliveryColumns(`${ctx.basePath}/entregas`, ctx),
  searchedTo: (view) => searchedTo(view),
  empty: ({ ctx: { basePath }, found: { hasWebhook } }) => ({
    none: rich(hasWebhook ? 'portal.deliveries.none' : 'portal.deliveries.noneConfigured', {
      link: (text) => <a href={`${basePath}/webhooks`}>{text}</a>,
    }),
    noMatch: rich('portal.deliveries.noMatch', { link: (text) => <a href={`${basePath}/eventos`}>{text}</a> }),
    all: t('portal.deliveries.all'),
  }),
}))

const NextRequest = ({ request, payload }: { request: PreparedRequest; payload: string }) => (
  <Section title={t('portal.deliveries.repeat')}>
    <p>{t('portal.deliveries.repeatHelp')}</p>
    <CopyCode id="curl" label={<code>curl</code>} what={t('portal.try.command')}>
      {deliveryCurl(request, payload)}
    </CopyCode>
    <details>
      <summary>{t('portal.deliveries.nextHeaders')}</summary>
      <HeaderList headers={request.headers} />
    </details>
  </Section>
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
