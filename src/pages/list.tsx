import type { FastifyReply } from 'fastify'
import type { ComponentChildren, VNode } from 'preact'
import { dayOf } from '../http/dates.ts'
import { t } from '../i18n/messages.tsx'
import type { Db } from '../store/db.ts'
import type { Cursor, ResultPage } from '../store/keyset.ts'
import type { Audience, NavItem, QueryParams } from './app-shell.tsx'
import { MAX_CSV_ROWS, sendCsv } from './csv.ts'
import { type Filters, type FilterValues, parseFilters } from './filter.tsx'
import { defaultOrder, Filtered, ListPage, LiveRows } from './list-page.tsx'
import { contentHash, isPartial, type PageApp, page, sendPart } from './page.ts'
import { cursorParam, numberedCursorParam, type Query, type WithQuery, wantsCsv } from './params.ts'
import { isAscending, type Order } from './search-form.tsx'
import { allowScript } from './security.ts'
import type { PageDeps, SignedInContext } from './signed-in.ts'
import type { Column, PagerLabels } from './table.tsx'

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

/** Any list: its rows are shown by its own functions. */
export type AnyList = List<unknown, SignedInContext, Filters, ListResult, unknown>

/** A list with what was found. `version` changes with what a live list shows. */
export type Shown = View<SignedInContext, Filters, ListResult> & { list: AnyList; version: string | undefined }

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
