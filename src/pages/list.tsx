import type { FastifyReply } from 'fastify'
import type { ComponentChildren, VNode } from 'preact'
import { HOUR_MS } from '../clock.ts'
import { dayOf } from '../http/dates.ts'
import { t } from '../i18n/messages.tsx'
import type { Db } from '../store/db.ts'
import type { Cursor, ResultPage } from '../store/keyset.ts'
import { type Audience, hrefIn, type NavItem, type QueryParams } from './app-shell.tsx'
import { MAX_CSV_ROWS, sendCsv } from './csv.ts'
import { type Filters, type FilterValues, parseFilters } from './filter.tsx'
import { contentHash, isPartial, livePart, type PageApp, page, sendPart } from './page.ts'
import { cursorParam, numberedCursorParam, type Query, type WithQuery, wantsCsv } from './params.ts'
import { Segments } from './parts.tsx'
import { FilterCounts, type Order, SearchForm } from './search-form.tsx'
import { allowScript } from './security.ts'
import type { PageDeps, SignedInContext } from './signed-in.ts'
import { type Column, Pager, type PagerLabels, Table } from './table.tsx'

/** What a list loads from; `store` may be a replica. */
export type ListDeps = Omit<PageDeps, 'store'> & { store: Db }

/** A request for one page of a list, or for all of it as CSV. */
interface ListRequest<Ctx, Values> {
  ctx: Ctx
  filters: Values
  query: Query
  csv: boolean
  /** The chosen one of the list's `orders`. */
  order: string | undefined
}

/** What was found: the rows, and the query parameters that lead to the pages before and after. */
export interface ListResult {
  rows: unknown[]
  newer?: QueryParams | undefined
  older?: QueryParams | undefined
  /** Set where a search stopped before the end, because a page may only cost so much. */
  searchedTo?: object | string | undefined
  /** A search that was continued has a link to its beginning. */
  first?: boolean
  /** The choices of each `loadedFilter`, by the name of the filter. */
  choices?: Record<string, readonly (readonly [value: string, label: string])[]>
}

type RowOf<Result extends ListResult> = Result['rows'][number]
type AuditedList = { act: string; subject?: string; detail?: Record<string, unknown> }
type View<Ctx, F extends Filters, Result> = ListRequest<Ctx, FilterValues<F>> & { found: Result; version?: string }

/** Texts of an empty list: without filters, and with filters that match nothing. */
interface Empty {
  none: ComponentChildren
  noMatch: ComponentChildren
  /** The link to the list without filters. */
  all: string
}

/** A list page: filters, columns, texts, CSV and pager. `Form` is the refused form of a list that has one below it. */
export interface List<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form> {
  audience: Audience<RequestCtx, Ctx>
  /** Its address and its entry in the navigation, `navSection` where that is another page. */
  section: string
  navSection?: string
  title: string
  filters: F
  load(deps: ListDeps, request: ListRequest<Ctx, FilterValues<F>>): Promise<Result>
  columns(ctx: Ctx): readonly Column<RowOf<Result>>[]
  /** Rows in another form than a table. */
  rows?(view: View<Ctx, F, Result>): VNode
  intro?: string | ((view: View<Ctx, F, Result>) => VNode)
  actions?: VNode | ((view: View<Ctx, F, Result>) => VNode)
  parentLink?: NavItem
  /**
   * The first page refreshes its rows unless paused. `changing` is what can change in a row; `version` changes with the rows
   * of any filter, and costs less than loading them.
   */
  live?: { seconds: number } & (
    | { changing(row: RowOf<Result>): string }
    | { version(deps: ListDeps, ctx: Ctx): Promise<string> }
  )
  /** How long rows are kept, if that is shorter than the longest period to choose. */
  keptDays?: number
  /** The orders to choose from, the default first. Only those that an index has, or the rows are few. */
  orders?: readonly Order[]
  empty: Empty | ((view: View<Ctx, F, Result>) => Empty)
  /** The name of the CSV file, without its ending; else the last part of the address. */
  csvName?: string | ((ctx: Ctx) => string)
  pagerLabels?: PagerLabels
  audit?(view: View<Ctx, F, Result>): AuditedList | undefined
  top?(form: Form | undefined): VNode
  heading?: string
  /** How far a search came that stopped before the end. */
  searchedTo?(view: View<Ctx, F, Result>): ComponentChildren
  /** Below the pager. */
  bottom?(view: View<Ctx, F, Result>, form: Form | undefined): VNode
}

export const timeOrders = (): Order[] => [
  ['-fecha', t('comun.order.newest')],
  ['fecha', t('comun.order.oldest')],
]

export const nameOrders = (): Order[] => [
  ['nombre', t('comun.order.name')],
  ['-nombre', t('comun.order.nameReversed')],
]

export const isByName = ({ order }: { order: string | undefined }): boolean => order?.endsWith('nombre') ?? false

export const isAscending = (order: string | undefined): boolean => order !== undefined && !order.startsWith('-')

/** Infers the types of a list from its parts. A function makes the texts of each request in its language. */
export function defineList<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  list: List<RequestCtx, Ctx, F, Result, Form> | (() => List<RequestCtx, Ctx, F, Result, Form>),
): () => List<RequestCtx, Ctx, F, Result, Form> {
  return typeof list === 'function' ? list : () => list
}

/** Serves a list as a page and as CSV. The returned function shows it again with a refused form, status 400. */
export function serveList<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  app: PageApp<RequestCtx>,
  path: string,
  deps: PageDeps,
  makeList: () => List<RequestCtx, Ctx, F, Result, Form>,
): (reply: FastifyReply, requestCtx: RequestCtx, form: Form) => Promise<FastifyReply> {
  app.get<WithQuery>(path, (request, reply) => renderer(deps, makeList())(reply, request.ctx, request.query))
  return (reply, requestCtx, form) => renderer(deps, makeList())(reply, requestCtx, {}, form)
}

/** Returns a function that shows the list, which was made in the language of the request. */
function renderer<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  deps: PageDeps,
  list: List<RequestCtx, Ctx, F, Result, Form>,
) {
  type Viewed = View<Ctx, F, Result>
  const { audience, section, live, orders = [] } = list
  const [[defaultOrder] = []] = orders
  const hasFilters = Object.keys(list.filters).length > 0
  const orderParam = (order: string | undefined) => (order === defaultOrder ? undefined : order)
  const hrefOf = ({ ctx, filters, order }: Viewed, params: QueryParams) =>
    hrefIn(audience, ctx, section, { ...ctx.sealMails(filters as QueryParams), orden: orderParam(order), ...params })

  async function show(reply: FastifyReply, requestCtx: RequestCtx, sent: Query, form?: Form): Promise<FastifyReply> {
    const ctx = audience.enter(requestCtx)
    const query = ctx.openMails(sent)
    const request = {
      ctx,
      query,
      filters: parseFilters(list.filters, query),
      csv: wantsCsv(query),
      order: orders.find(([order]) => order === query.orden)?.[0] ?? defaultOrder,
    }
    const listDeps = { ...deps, store: await ctx.reader() }
    const version = live && 'version' in live ? contentHash([await live.version(listDeps, ctx), today(ctx)]) : undefined
    if (version !== undefined && version === query.visto && isPartial(reply.request)) return reply.code(204).send()
    const found = await list.load(listDeps, request)
    const view = { ...request, found, ...(version !== undefined && { version }) }
    const entry = list.audit?.(view)
    if (entry) await ctx.audit(entry.act, entry.subject ?? '', entry.detail)
    if (isPartial(reply.request))
      return query.visto === undefined
        ? sendPart(reply, <Filtered {...view} />)
        : sendPart(reply, <LiveRows {...view} />, query.visto, versionOf(view))
    if (!view.csv) return page(allowScript(reply), listPage(view, form), form ? 400 : 200)
    const { csvName = list.section.split('/').at(-1) as string } = list
    const name = typeof csvName === 'string' ? csvName : csvName(ctx)
    return sendCsv(reply, name, list.columns(ctx), view.found.rows)
  }

  function listPage(view: Viewed, form: Form | undefined): VNode {
    const { title, parentLink, heading } = list
    const { ctx, filters, found, order } = view
    const { Page, base } = audience
    const { path = '', params = {} } = base?.(ctx) ?? {}
    const rows = <LiveRows {...view} />
    return (
      <Page
        ctx={ctx}
        section={list.navSection ?? section}
        title={title}
        faulty={form !== undefined}
        script
        parentLink={parentLink}
        actions={list.actions && <Actions {...view} />}
        intro={typeof list.intro === 'function' ? <Intro {...view} /> : list.intro}
      >
        {list.top?.(form)}
        {hasFilters && (
          <SearchForm
            action={path + section}
            target="registro"
            params={params}
            filters={list.filters}
            values={filters}
            found={found}
            orders={orders}
            order={order}
          />
        )}
        {list.top || list.bottom ? (
          <section>
            {heading && <h2>{heading}</h2>}
            {rows}
          </section>
        ) : (
          rows
        )}
        {list.bottom?.(view, form)}
      </Page>
    )
  }

  /** They may link to what the filters found, so they change with the filters. */
  const Actions = (view: Viewed & { oob?: true }) => (
    <div id="acciones" class="row" hx-swap-oob={view.oob && 'true'}>
      {typeof list.actions === 'function' ? list.actions(view) : list.actions}
    </div>
  )

  /** It may contain a count, so it changes with the filters. */
  const Intro = (view: Viewed & { oob?: true }) => (
    <div id="presentacion" hx-swap-oob={view.oob && 'true'}>
      {typeof list.intro === 'function' && list.intro(view)}
    </div>
  )

  /** What changes on the page when a filter does. */
  const Filtered = (view: Viewed) => (
    <>
      <LiveRows {...view} />
      {list.actions && <Actions {...view} oob />}
      {typeof list.intro === 'function' && <Intro {...view} oob />}
      {hasFilters && <FilterCounts filters={list.filters} values={view.filters} />}
    </>
  )

  function Rows(view: Viewed) {
    const { ctx, found, order } = view
    const ascending = isAscending(order)
    const newer = found.newer && hrefOf(view, found.newer)
    const older = found.older && hrefOf(view, found.older)
    const sorted = orders.length > 1 && { orders, order, hrefOf: (chosen: string) => orderHref(view, chosen) }
    const any = found.rows.length > 0
    return (
      <>
        {any && list.rows ? (
          list.rows(view)
        ) : any || !found.searchedTo ? (
          <Table
            caption={list.heading ?? list.title}
            columns={list.columns(ctx)}
            rows={found.rows}
            empty={<Nothing {...view} />}
            {...(sorted && { sorted })}
          />
        ) : null}
        {found.searchedTo && (
          <p class={any ? 'hint' : 'empty'}>
            {!any && `${t('comun.list.nothingYet')} `}
            {list.searchedTo?.(view)}
          </p>
        )}
        <Pager
          first={found.first ? hrefOf(view, {}) : undefined}
          newer={ascending ? older : newer}
          older={ascending ? newer : older}
          csv={any ? hrefOf(view, { formato: 'csv' }) : undefined}
          labels={list.pagerLabels}
        />
      </>
    )
  }

  const orderHref = (view: Viewed, chosen: string) => hrefOf(view, { orden: orderParam(chosen) })

  function Nothing(view: Viewed) {
    const { ctx, filters, found } = view
    const { none, noMatch, all } = typeof list.empty === 'function' ? list.empty(view) : list.empty
    if (!found.newer && !found.first && !Object.values(filters).some(Boolean)) return <p>{none}</p>
    return (
      <p>
        {noMatch} <a href={hrefIn(audience, ctx, section)}>{all}</a>
      </p>
    )
  }

  /** The part of the page that filters replace. The first page of a live list refreshes itself. */
  function LiveRows(view: Viewed) {
    const { query, order } = view
    const isLive = live && !query.antes && !query.despues && order === defaultOrder
    const paused = query.vivo === 'no'
    return (
      <div
        id="registro"
        data-href={hrefOf(view, {})}
        {...(isLive && !paused && livePart(hrefOf(view, { visto: versionOf(view) }), live.seconds))}
      >
        {(isLive || list.filters.desde?.valueAt) && (
          <div class="list-head">
            <Presets {...view} />
            {isLive && <Live {...view} paused={paused} />}
          </div>
        )}
        <Rows {...view} />
      </div>
    )
  }

  const Live = ({ paused, ...view }: Viewed & { paused: boolean }) => (
    <p class="live">
      {!paused && <span class="live-dot" aria-hidden="true" />}
      {paused ? t('comun.list.paused') : t('comun.list.live')}{' '}
      <a href={hrefOf(view, paused ? {} : { vivo: 'no' })}>{paused ? t('comun.list.resume') : t('comun.list.pause')}</a>
    </p>
  )

  /** Links that set the filter `desde`, so that a period needs no calendar. */
  function Presets(view: Viewed) {
    const { now, timeZone } = view.ctx
    const valueAt = list.filters.desde?.valueAt
    if (!valueAt) return null
    const { desde, hasta } = view.filters as QueryParams
    const offered = PRESETS.filter(([hours]) => list.keptDays === undefined || hours <= list.keptDays * 24)
    const spans = offered.map(([hours, label]) => {
      const [earliest, value] = [PRESET_TOLERANCE_MS, 0].map((early) =>
        valueAt(new Date(now.getTime() - hours * HOUR_MS - early), timeZone),
      ) as [string, string]
      const isChosen = hasta === undefined && typeof desde === 'string' && earliest <= desde && desde <= value
      return { label: t(label), href: hrefOf(view, { desde: value, hasta: undefined }), isChosen }
    })
    const all = { label: t('comun.preset.all'), href: hrefOf(view, { desde: undefined, hasta: undefined }) }
    return (
      <Segments
        label={t('comun.preset.label')}
        items={[...spans, { ...all, isChosen: desde === undefined && hasta === undefined }]}
      />
    )
  }

  /** Changes with what a live list shows. */
  const versionOf = ({ ctx, found: { rows, newer, older }, version }: Viewed): string =>
    version ??
    contentHash([rows.map((row) => live && 'changing' in live && live.changing(row)), newer, older, today(ctx)])

  const today = ({ now, timeZone }: Ctx): string => dayOf(now, timeZone)

  return show
}

const PRESETS = [
  [24, 'comun.preset.day'],
  [7 * 24, 'comun.preset.week'],
  [30 * 24, 'comun.preset.month'],
] as const
/** A page that was opened a while ago still shows which preset it has. */
const PRESET_TOLERANCE_MS = 10 * 60_000

type KeysetRequest = Pick<ListRequest<unknown, unknown>, 'query' | 'csv' | 'order'>

const cursorOf = <Id extends string | number>(
  { query, csv, order }: KeysetRequest,
  parse: (query: Query) => Cursor<Id>,
): Cursor<Id> => ({ ...(csv ? { limit: MAX_CSV_ROWS } : parse(query)), ascending: isAscending(order) })

/** A page of a list that is ordered by a number, or all of it as CSV. */
export const numberedPage = <Row extends { id: number }>(
  request: KeysetRequest,
  find: (cursor: Cursor<number>) => Promise<ResultPage<Row>>,
) => keysetPage(cursorOf(request, numberedCursorParam), find, ({ id }) => id)

/** The same of a list that is ordered by a text, which its rows have under `name`. */
export const orderedPage = <Name extends string, Row extends Record<Name, string>>(
  request: KeysetRequest,
  name: Name,
  find: (cursor: Cursor) => Promise<ResultPage<Row>>,
) => keysetPage(cursorOf(request, cursorParam), find, (row) => row[name])

async function keysetPage<Row, Id extends string | number>(
  cursor: Cursor<Id>,
  find: (cursor: Cursor<Id>) => Promise<ResultPage<Row>>,
  idOf: (row: Row) => Id,
) {
  const { rows, newer, older, searchedTo } = await find(cursor)
  const first = rows[0]
  const last = rows.at(-1)
  const [newest, oldest] = cursor.ascending ? [last, first] : [first, last]
  const despues = searchedTo?.after ?? (newest && idOf(newest))
  const antes = searchedTo?.before ?? (oldest && idOf(oldest))
  return {
    rows,
    searchedTo,
    newer: newer ? { despues } : undefined,
    older: older && antes !== undefined ? { antes } : undefined,
  }
}
