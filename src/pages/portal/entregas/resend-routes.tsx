import { withQuery } from '../../../http/links.ts'
import { Problem } from '../../../http/problems.ts'
import {
  areFiltersValid,
  FilterFields,
  type Filters,
  parseFilters,
  setFilters,
  UNSENT,
} from '../../entregas/filters.tsx'
import { asLocal } from '../../entregas/period.ts'
import { formOf, formRoute } from '../../form.ts'
import { inFigures } from '../../format.tsx'
import { page } from '../../page.ts'
import type { WithQuery } from '../../params.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, Search, Table } from '../../table.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { preview, type Resendable, resendAll } from './resend.ts'
import { appLogFilter } from './routes.tsx'

const DAY_MS = 86_400_000

/** /portal/{AppKey}/entregas/reenviar: sends many deliveries again, after a preview. */
export function resendRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps
  const { timeZone } = config

  app.get<WithQuery>('/entregas/reenviar', async (request, reply) => {
    const { ctx, query } = request
    const params = parseFilters(query, timeZone)
    const isSearch = query.previa === 'si' && areFiltersValid(query, params)
    const filters: Filters = isSearch
      ? { ...params, hasta: params.hasta ?? asLocal(ctx.now, timeZone) } // not what comes after the preview
      : { estado: UNSENT, desde: asLocal(new Date(ctx.now.getTime() - DAY_MS), timeZone), ...setFilters(params) }
    const found = isSearch
      ? await preview(deps, ctx.app, await appLogFilter(store, ctx.app, filters, timeZone))
      : undefined
    return page(reply, resendPage({ ctx, filters, found }))
  })

  app.post('/entregas/reenviar', formRoute(500), async (request, reply) => {
    const { ctx } = request
    const filters = filtersIn(formOf(request), timeZone)
    const count = await resendAll(deps, ctx.app, await appLogFilter(store, ctx.app, filters, timeZone))
    await ctx.audit('entregas.reenviar', ctx.app.appKey, { ...filters, cantidad: count })
    const { estado: _, ...rest } = filters
    return redirectWithNotice(
      reply,
      count > 0 ? 'entregas-reenviadas' : 'nada-reenviado',
      withQuery(`${ctx.basePath}/entregas`, { ...rest }),
    )
  })
}

/** The filters of the form; 400 unless there is at least one and each is valid and given once. */
function filtersIn(form: URLSearchParams, timeZone: string): Filters {
  const filters = setFilters(parseFilters(Object.fromEntries(form), timeZone))
  const names = Object.keys(filters)
  const isClear = names.length > 0 && form.size === names.length && names.every((name) => form.has(name))
  if (!isClear) throw new Problem('solicitud-invalida', UNCLEAR)
  return filters
}

const UNCLEAR = 'No quedó claro qué reenviar, y no se envió nada. Vuelva a buscar y revise la lista antes de enviar.'

interface Props {
  ctx: PortalContext
  filters: Filters
  /** What the search finds; undefined before a search. */
  found: Resendable[] | undefined
}

function resendPage({ ctx, filters, found }: Props) {
  const list = `${ctx.basePath}/entregas`
  return (
    <PortalPage
      ctx={ctx}
      section="/entregas"
      title="Reenviar varias"
      above={{ href: list, label: 'Entregas' }}
      lead={
        <p>
          Para ponerse al día después de una caída. Cada notificación conserva su Id: quien ya la recibió la reconoce.
          También alcanza lo que ocurrió mientras un topic no tenía webhook.
        </p>
      }
    >
      <section class="log-search">
        <h2>1. Elija qué</h2>
        <Search action={`${list}/reenviar`} hidden={{ previa: 'si' }}>
          <FilterFields filters={filters} of="deliveries" />
        </Search>
      </section>
      {found && (
        <section>
          <h2>2. Revise y envíe</h2>
          <Preview list={list} ctx={ctx} filters={filters} found={found} />
        </section>
      )}
    </PortalPage>
  )
}

function Preview({ list, ctx, filters, found }: Props & { list: string; found: Resendable[] }) {
  const on = found.filter(({ webhook }) => webhook === 'on')
  const count = on.reduce((sum, each) => sum + each.count, 0)
  const more = on.some((each) => each.more)
  return (
    <>
      <Table
        caption="Qué se enviaría otra vez"
        columns={columns(ctx)}
        rows={found}
        keyOf={({ topic }) => topic}
        empty={
          <>
            <h3>No hay nada así que reenviar</h3>
            <p>
              Amplíe el período o quite filtros. <a href={`${list}?estado=sin-entregar`}>Ver lo que no se entregó</a>
            </p>
          </>
        }
      />
      {(count > 0 || more) && (
        <form method="post" action={`${list}/reenviar`} class="row">
          {Object.entries(setFilters(filters)).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit">
            {more
              ? 'Reenviar todas'
              : count === 1
                ? 'Reenviar 1 notificación'
                : `Reenviar ${inFigures(count)} notificaciones`}
          </button>
          <a class="button secondary" href={withQuery(list, { ...setFilters(filters) })}>
            No, volver
          </a>
        </form>
      )}
    </>
  )
}

const columns = (ctx: PortalContext): Column<Resendable>[] => [
  { head: 'Topic', cell: ({ topic }) => <code>{topic}</code> },
  {
    head: 'Notificaciones',
    cell: ({ count, more }) => (more ? `${inFigures(count)} o más` : inFigures(count)),
    number: true,
  },
  {
    head: 'Webhook',
    cell: ({ topic, webhook }) =>
      webhook === 'on' ? (
        <span class="badge status-2">activo</span>
      ) : (
        <span>
          <span class="badge status-4">{webhook === 'off' ? 'no está activo' : 'sin configurar'}</span> No se envían.{' '}
          <a href={`${ctx.basePath}/webhooks/${topic}`}>{webhook === 'off' ? 'Reanudarlo' : 'Configurarlo'}</a>
        </span>
      ),
  },
]
