import type { App } from '../../apps/app.ts'
import { findAppById, listApps } from '../../apps/store.ts'
import { withQuery } from '../../http/links.ts'
import { notFound } from '../../http/problems.ts'
import { message, t } from '../../i18n/messages.tsx'
import { agenciasWithMail, listAgenciasForStaff } from '../../resources/agencias/staff.ts'
import { destinoOf, eventIdOf, FIRST_DESTINO } from '../../webhooks/delivery-ids.ts'
import { listAppLog, listStaffLog, type StaffLoggedEvent } from '../../webhooks/delivery-log.ts'
import { appIdOfEvent, findEvent } from '../../webhooks/event-deliveries.ts'
import { deliveryFilters, MAX_AGENCIAS, toLogFilter } from '../entregas/filters.tsx'
import { deliveryColumns, deliveryList, logPage, searchedTo } from '../entregas/list.tsx'
import { serveDelivery } from '../entregas/routes.tsx'
import { loadedFilter } from '../filter.tsx'
import type { TimeContext } from '../format.tsx'
import { appChoices } from '../labels.tsx'
import { defineList, serveList } from '../list.tsx'
import type { PageDeps } from '../signed-in.ts'
import type { Column } from '../table.tsx'
import { consolaConsultaHref } from './consultas.tsx'
import { CONSOLE, type ConsolePages } from './context.tsx'

const ENTREGAS = '/consola/entregas'

/** /consola/entregas: the deliveries of all apps. */
export function entregasPages(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/entregas', deps, DELIVERIES)
  serveDelivery(app, deps, {
    audience: CONSOLE,
    section: ENTREGAS,
    async eventOf(_, deliveryId) {
      const id = eventIdOf(deliveryId)
      const appId = await appIdOfEvent(store, id)
      const owner = appId === undefined ? undefined : await findAppById(store, appId)
      const event = owner && (await findEvent(store, owner, id, destinoOf(deliveryId)))
      if (!event) throw notFound(message('consola.deliveries.noSuch'))
      return { app: owner, event }
    },
    eventLinks: (_, { appKey, nombre }: App, { sid, destino }) => (
      <>
        <a href={`/consola/apps/${appKey}`}>{nombre}</a>
        {destino !== FIRST_DESTINO && <span>{t('entregas.destino', { destino })}</span>}
        {sid && <a href={consolaConsultaHref({ sid })}>{t('consola.deliveries.inquiry')}</a>}
        {sid && <a href={withQuery(ENTREGAS, { q: sid })}>{t('consola.deliveries.allOfIt')}</a>}
      </>
    ),
    obstacleText: (_, obstacle) => t(`entregas.obstacle.${obstacle}`),
    resentNotice: 'entrega-otra-vez',
    resendDetail: ({ appKey }) => ({ app: appKey }),
  })
}

const DELIVERIES = defineList(() => ({
  ...deliveryList(),
  audience: CONSOLE,
  section: ENTREGAS,
  filters: { app: loadedFilter(t('consola.head.app'), t('consola.filter.all.apps')), ...deliveryFilters() },
  intro: t('consola.deliveries.intro'),
  async load({ store, config: { timeZone } }, request) {
    const filter = await toLogFilter(request.filters, timeZone, async (text) => {
      if (text.includes('@')) return { agencias: await agenciasWithMail(store, text) }
      const { rows } = await listAgenciasForStaff(store, { q: text }, timeZone, { limit: MAX_AGENCIAS })
      return { agencias: rows.map(({ id }) => id) }
    })
    const apps = await listApps(store)
    const { app: appKey } = request.filters
    const selectedApp = apps.find((each) => each.appKey === appKey)
    const found = await logPage<StaffLoggedEvent>(request, async (cursor) => {
      if (appKey === undefined) return listStaffLog(store, filter, cursor)
      if (!selectedApp) return { rows: [], more: false }
      const { rows, ...rest } = await listAppLog(store, selectedApp, filter, cursor, 'deliveries')
      return { ...rest, rows: rows.map((row) => ({ ...row, app: { appKey, nombre: selectedApp.nombre } })) }
    })
    return { ...found, choices: { app: appChoices(apps) } }
  },
  columns: (ctx) => columns(ctx),
  searchedTo: (view) => searchedTo(view),
  empty: {
    none: t('consola.deliveries.none'),
    noMatch: t('consola.deliveries.noMatch'),
    all: t('consola.filter.seeAll.f'),
  },
}))

/** On the page, app and agency share a column. */
function columns(when: TimeContext): Column<StaffLoggedEvent>[] {
  const [moment, ...rest] = deliveryColumns(ENTREGAS, when) as Column<StaffLoggedEvent>[]
  const shared = rest.map((column) =>
    column.head === t('entregas.agency') ? { head: column.head, text: agencyText } : column,
  )
  return [
    ...(moment ? [moment] : []),
    appAndAgency(),
    { head: t('consola.head.app'), text: ({ app }) => app.nombre },
    ...shared,
  ]
}

const agencyText = ({ agencia }: StaffLoggedEvent) => agencia?.title ?? ''

const appAndAgency = (): Column<StaffLoggedEvent> => ({
  head: t('consola.deliveries.appAndAgency'),
  cell: ({ app: { appKey, nombre }, agencia }) => (
    <span class="named">
      <a href={`/consola/apps/${appKey}`}>{nombre}</a>
      {agencia && (
        <span class="hint below mail" title={agencia.title}>
          {agencia.title}
        </span>
      )}
    </span>
  ),
})
