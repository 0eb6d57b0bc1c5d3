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
type View<Ctx, F extends Filters, Result> = ListRequest<Ctx, FilterValues<F>> & { found: Result }

/** Texts of an empty list: without filters, and with filters that match nothing. */
interface Empty {
  none: ComponentChildren
  noMatch: ComponentChildren
  /** The link to the list without filters. */
  all: string
}

/** A list page: filters, columns, texts, CSV and pager. `Form` is the refused form of a list that has one below it. */
interface List<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form> {
  audience: Audience<RequestCtx, Ctx>
  /** Its address, and its entry in the navigation unless it has a parent. */
  section: string
  parentLink?: NavItem
  title: string
  filters: F
  load(deps: ListDeps, request: ListRequest<Ctx, FilterValues<F>>): Promise<Result>
  columns(ctx: Ctx): readonly Column<RowOf<Result>>[]
  /** Rows in another form than a table. */
  rows?(view: View<Ctx, F, Result>): VNode
  intro?: string | ((view: View<Ctx, F, Result>) => VNode | undefined)
  actions?: VNode | ((view: View<Ctx, F, Result>) => VNode)
  /**
   * The first page refreshes its rows unless paused. `changing` is what can change in a row; `version` changes with the rows
   * of any filter, and costs less than loading them.
   */
  live?: { seconds: number } & (
    | { changing(row: RowOf<Result>): string }
    | { version(deps: ListDeps, ctx: Ctx): Promise<string> }
  )
  /** The orders to choose from, the default first. Only those that an index has, or the rows are few. */
  orders?: readonly Order[]
  empty: Empty | ((view: View<Ctx, F, Result>) => Empty)
  /** The name of the CSV file, without its ending; else the last part of the address. */
  csvName?(ctx: Ctx): string
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

/** The link of the pager that continues a search. In ascending order newer rows come next. */
export const continuingLink = (order: string | undefined, towardsNewer: boolean): 'next' | 'previous' =>
  isAscending(order) === towardsNewer ? 'next' : 'previous'

/** Infers the types of a list from its parts. The function makes the texts of each request in its language. */
export const defineList = <RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  makeList: () => List<RequestCtx, Ctx, F, Result, Form>,
) => makeList

/** Serves a list as a page and as CSV. The returned function shows it again with a refused form, status 400. */
export function serveList<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  app: PageApp<RequestCtx>,
  path: string,
  deps: PageDeps,
  makeList: () => List<RequestCtx, Ctx, F, Result, Form>,
): (reply: FastifyReply, requestCtx: RequestCtx, form: Form) => Promise<FastifyReply> {
  const show = (reply: FastifyReply, requestCtx: RequestCtx, query: Query, form?: Form) =>
    showList(reply, deps, makeList() as unknown as AnyList, requestCtx, query, form)
  app.get<WithQuery>(path, (request, reply) => show(reply, request.ctx, request.query))
  return (reply, requestCtx, form) => show(reply, requestCtx, {}, form)
}

/** Any list: what follows draws its rows with its own functions. */
type AnyList = List<unknown, SignedInContext, Filters, ListResult, unknown>

/** A list with what was found. `version` changes with what a live list shows. */
type Shown = View<SignedInContext, Filters, ListResult> & { list: AnyList; version: string | undefined }

async function showList(
  reply: FastifyReply,
  deps: PageDeps,
  list: AnyList,
  requestCtx: unknown,
  sent: Query,
  form: unknown,
): Promise<FastifyReply> {
  const { live, orders = [] } = list
  const ctx = list.audience.enter(requestCtx)
  const query = ctx.openMails(sent)
  const request = {
    ctx,
    query,
    filters: parseFilters(list.filters, query),
    csv: wantsCsv(query),
    order: orders.find(([order]) => order === query.orden)?.[0] ?? defaultOrder(list),
  }
  const listDeps = { ...deps, store: await ctx.reader() }
  const today = dayOf(ctx.now, ctx.timeZone)
  const early = live && 'version' in live ? contentHash([await live.version(listDeps, ctx), today]) : undefined
  if (early !== undefined && early === query.visto && isPartial(reply.request)) return reply.code(204).send()
  const found = await list.load(listDeps, request)
  const entry = list.audit?.({ ...request, found })
  if (entry) await ctx.audit(entry.act, entry.subject ?? '', entry.detail)
  const late =
    live && 'changing' in live
      ? contentHash([found.rows.map(live.changing), found.newer, found.older, today])
      : undefined
  const shown: Shown = { ...request, found, list, version: early ?? late }
  if (isPartial(reply.request))
    return query.visto === undefined
      ? sendPart(reply, <Filtered {...shown} />)
      : sendPart(reply, <LiveRows {...shown} />, query.visto, shown.version)
  if (!shown.csv) return page(allowScript(reply), <ListPage shown={shown} form={form} />, form ? 400 : 200)
  const name = list.csvName?.(ctx) ?? (list.section.split('/').at(-1) as string)
  return sendCsv(reply, name, list.columns(ctx), found.rows)
}

const defaultOrder = ({ orders }: AnyList): string | undefined => orders?.[0]?.[0]

/** The address of the list with these filters and this order, and other parameters. */
function hrefOf({ list, ctx, filters, order }: Shown, params: QueryParams): string {
  const shown = { ...ctx.sealMails(filters as QueryParams), orden: order, ...params }
  const orden = shown.orden === defaultOrder(list) ? undefined : shown.orden
  return hrefIn(list.audience, ctx, list.section, { ...shown, orden })
}

function ListPage({ shown, form }: { shown: Shown; form: unknown }) {
  const { list, ctx, filters, found, order } = shown
  const { audience, section, parentLink } = list
  const { Page, base } = audience
  const { path = '', params = {} } = base?.(ctx) ?? {}
  const rows = <LiveRows {...shown} />
  return (
    <Page
      ctx={ctx}
      section={parentLink?.href ?? section}
      title={list.title}
      faulty={form !== undefined}
      script
      parentLink={parentLink}
      actions={list.actions && <Actions {...shown} />}
      intro={typeof list.intro === 'function' ? <Intro {...shown} /> : list.intro}
    >
      {list.top?.(form)}
      {hasFilters(list) && (
        <SearchForm
          action={path + section}
          target="registro"
          params={params}
          filters={list.filters}
          values={filters as QueryParams}
          found={found}
          orders={list.orders}
          order={order}
        />
      )}
      {list.top || list.bottom ? (
        <section>
          {list.heading && <h2>{list.heading}</h2>}
          {rows}
        </section>
      ) : (
        rows
      )}
      {list.bottom?.(shown, form)}
    </Page>
  )
}

const hasFilters = ({ filters }: AnyList): boolean => Object.keys(filters).length > 0

/** They may link to what the filters found, so they change with the filters. */
const Actions = ({ oob, ...shown }: Shown & { oob?: true }) => (
  <div id="acciones" class="row" hx-swap-oob={oob && 'true'}>
    {typeof shown.list.actions === 'function' ? shown.list.actions(shown) : shown.list.actions}
  </div>
)

/** It may contain a count, so it changes with the filters. */
const Intro = ({ oob, ...shown }: Shown & { oob?: true }) => (
  <div id="presentacion" hx-swap-oob={oob && 'true'}>
    {typeof shown.list.intro === 'function' && shown.list.intro(shown)}
  </div>
)

/** What changes on the page when a filter does. */
const Filtered = (shown: Shown) => (
  <>
    <LiveRows {...shown} />
    {shown.list.actions && <Actions {...shown} oob />}
    {typeof shown.list.intro === 'function' && <Intro {...shown} oob />}
    {hasFilters(shown.list) && <FilterCounts filters={shown.list.filters} values={shown.filters as QueryParams} />}
  </>
)

/** The part of the page that filters replace. The first page of a live list refreshes itself. */
function LiveRows(shown: Shown) {
  const { list, query, order, version } = shown
  const isFirstPage = !query.antes && !query.despues && order === defaultOrder(list)
  const live = isFirstPage ? list.live : undefined
  const paused = query.vivo === 'no'
  const refresh = live && !paused && livePart(hrefOf(shown, { visto: version }), live.seconds)
  return (
    <div id="registro" data-href={hrefOf(shown, {})} {...refresh}>
      {(live || list.filters.desde?.valueAt) && (
        <div class="list-head">
          <Presets {...shown} />
          {live && <Live shown={shown} paused={paused} />}
        </div>
      )}
      <Rows {...shown} />
    </div>
  )
}

const Live = ({ shown, paused }: { shown: Shown; paused: boolean }) => (
  <p class="live">
    {!paused && <span class="live-dot" aria-hidden="true" />}
    {paused ? t('comun.list.paused') : t('comun.list.live')}{' '}
    <a href={hrefOf(shown, paused ? {} : { vivo: 'no' })}>{paused ? t('comun.list.resume') : t('comun.list.pause')}</a>
  </p>
)

function Rows(shown: Shown) {
  const { list, found, order } = shown
  const newer = found.newer && hrefOf(shown, found.newer)
  const older = found.older && hrefOf(shown, found.older)
  const ascending = isAscending(order)
  const any = found.rows.length > 0
  return (
    <>
      {any && list.rows ? list.rows(shown) : (any || !found.searchedTo) && <RowTable {...shown} />}
      {found.searchedTo && (
        <p class={any ? 'hint' : 'empty'}>
          {!any && `${t('comun.list.nothingYet')} `}
          {list.searchedTo?.(shown)}
        </p>
      )}
      <Pager
        first={found.first ? hrefOf(shown, {}) : undefined}
        newer={ascending ? older : newer}
        older={ascending ? newer : older}
        csv={any ? hrefOf(shown, { formato: 'csv' }) : undefined}
        labels={list.pagerLabels}
      />
    </>
  )
}

function RowTable(shown: Shown) {
  const { list, ctx, found, order } = shown
  const { orders = [] } = list
  const sorted = orders.length > 1 && { orders, order, hrefOf: (chosen: string) => hrefOf(shown, { orden: chosen }) }
  return (
    <Table
      caption={list.heading ?? list.title}
      columns={list.columns(ctx)}
      rows={found.rows}
      empty={<Nothing {...shown} />}
      {...(sorted && { sorted })}
    />
  )
}

function Nothing(shown: Shown) {
  const { list, ctx, filters, found } = shown
  const { none, noMatch, all } = typeof list.empty === 'function' ? list.empty(shown) : list.empty
  if (!found.newer && !found.first && !Object.values(filters).some(Boolean)) return <p>{none}</p>
  return (
    <p>
      {noMatch} <a href={hrefIn(list.audience, ctx, list.section)}>{all}</a>
    </p>
  )
}

const PRESETS = [
  [24, 'comun.preset.day'],
  [7 * 24, 'comun.preset.week'],
  [30 * 24, 'comun.preset.month'],
] as const
/** A page that was opened a while ago still shows which preset it has. */
const PRESET_TOLERANCE_MS = 10 * 60_000

/** Links that set the filter `desde`, so that a period needs no calendar. */
function Presets(shown: Shown) {
  const { now, timeZone } = shown.ctx
  const { valueAt, keptDays = Number.POSITIVE_INFINITY } = shown.list.filters.desde ?? {}
  if (!valueAt) return null
  const { desde, hasta } = shown.filters as QueryParams
  const spans = PRESETS.filter(([hours]) => hours <= keptDays * 24).map(([hours, label]) => {
    const [earliest, value] = [PRESET_TOLERANCE_MS, 0].map((early) =>
      valueAt(new Date(now.getTime() - hours * HOUR_MS - early), timeZone),
    ) as [string, string]
    const isChosen = hasta === undefined && typeof desde === 'string' && earliest <= desde && desde <= value
    return { label: t(label), href: hrefOf(shown, { desde: value, hasta: undefined }), isChosen }
  })
  const all = { label: t('comun.preset.all'), href: hrefOf(shown, { desde: undefined, hasta: undefined }) }
  return (
    <Segments
      label={t('comun.preset.label')}
      items={[...spans, { ...all, isChosen: desde === undefined && hasta === undefined }]}
    />
  )
}

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
