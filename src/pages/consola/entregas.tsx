import type { App } from '../../apps/app.ts'
import { findApp, findAppById, listApps } from '../../apps/store.ts'
import { withQuery } from '../../http/links.ts'
import { notFound } from '../../http/problems.ts'
import { agenciasWithMail, listAgenciasForStaff } from '../../resources/agencias/staff.ts'
import {
  appIdOfEvent,
  findEvent,
  listAppLog,
  listStaffLog,
  type StaffLoggedEvent,
} from '../../webhooks/delivery-log.ts'
import { MAX_AGENCIAS, toLogFilter } from '../entregas/filters.tsx'
import { deliveryColumns, shownColumns } from '../entregas/list.tsx'
import { OBSTACLES, serveDeliveryLog } from '../entregas/routes.tsx'
import { FilterSelect } from '../filter.tsx'
import type { When } from '../format.tsx'
import { type Query, textParam } from '../params.ts'
import type { PageDeps } from '../signed-in.ts'
import type { Column } from '../table.tsx'
import { consultaHref } from './consultas.tsx'
import { type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const ENTREGAS = '/consola/entregas'

/** /consola/entregas: the deliveries of all apps. */
export function entregasRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps
  const { timeZone } = config
  const appParam = (query: Query) => textParam(query, 'app')

  serveDeliveryLog<ConsoleContext, StaffLoggedEvent>(app, deps, {
    Page: (props) => <ConsolePage section={ENTREGAS} {...props} />,
    hrefOf: () => ENTREGAS,
    lead: 'Cada notificación que se envía a los webhooks de las apps. Se guardan 90 días.',
    ownFilter: {
      param: (query) => ({ app: appParam(query) }),
      field: async (query) => {
        const apps = (await listApps(store)).map(({ appKey, nombre }) => [appKey, nombre] as const)
        return <FilterSelect name="app" label="App" value={appParam(query)} all="Todas" choices={apps} />
      },
    },
    filterOf: (_, filters) =>
      toLogFilter(filters, timeZone, async (text) => {
        if (text.includes('@')) return { agencias: await agenciasWithMail(store, text) }
        const { rows } = await listAgenciasForStaff(store, { q: text }, timeZone, { limit: MAX_AGENCIAS })
        return { agencias: rows.map(({ id }) => id) }
      }),
    async find(_, query) {
      const appKey = appParam(query)
      if (appKey === undefined) return (filter, page) => listStaffLog(store, filter, page)
      const only = await findApp(store, appKey)
      if (!only) return async () => ({ rows: [], more: false })
      return async (filter, page) => {
        const { rows, ...rest } = await listAppLog(store, only, filter, page, 'deliveries')
        return { ...rest, rows: rows.map((row) => ({ ...row, app: { appKey, nombre: only.nombre } })) }
      }
    },
    columns,
    shownColumns: (ctx) =>
      shownColumns(columns(ctx)).flatMap((column) => {
        if (column.head === 'Agencia') return []
        return [column.head === 'App' ? APP_AND_AGENCY : column]
      }),
    empty: (_, isFiltered) =>
      isFiltered ? (
        <p>
          No hay entregas así. <a href={ENTREGAS}>Ver todas</a>
        </p>
      ) : (
        <p>Todavía no se envió nada. Cuando una app configure un webhook y ocurra algo, aparece aquí.</p>
      ),
    async eventOf(_, id) {
      const appId = await appIdOfEvent(store, id)
      const owner = appId === undefined ? undefined : await findAppById(store, appId)
      const event = owner && (await findEvent(store, owner, id))
      if (!event) throw notFound('No hay una entrega así.')
      return { app: owner, event }
    },
    eventLinks: (_, { appKey, nombre }: App, { sid }) => (
      <>
        <a href={`/consola/apps/${appKey}`}>{nombre}</a>
        {sid && <a href={consultaHref({ sid })}>La consulta</a>}
        {sid && <a href={withQuery(ENTREGAS, { q: sid })}>Todo lo que se avisó de ella</a>}
      </>
    ),
    obstacleText: (_, obstacle) => `No se puede enviar ahora: ${OBSTACLES[obstacle]}`,
    resentNotice: 'entrega-otra-vez',
    resendDetail: ({ appKey }) => ({ app: appKey }),
  })
}

function columns(when: When): Column<StaffLoggedEvent>[] {
  const [moment, ...rest] = deliveryColumns(ENTREGAS, when) as Column<StaffLoggedEvent>[]
  return [...(moment ? [moment] : []), { ...APP_AND_AGENCY, head: 'App', text: ({ app }) => app.nombre }, ...rest]
}

/** On the page, app and agency share a column. */
const APP_AND_AGENCY: Column<StaffLoggedEvent> = {
  head: 'App y agencia',
  cell: ({ app: { appKey, nombre }, agencia }) => (
    <span class="named">
      <a href={`/consola/apps/${appKey}`}>{nombre}</a>
      {agencia && <span class="hint below anywhere">{agencia.title}</span>}
    </span>
  ),
}
