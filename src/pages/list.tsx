import type { FastifyReply } from 'fastify'
import type { ComponentChildren, VNode } from 'preact'
import { dayOf } from '../http/dates.ts'
import { t } from '../i18n/messages.tsx'
import type { Db } from '../store/db.ts'
import type { Cursor, ResultPage } from '../store/keyset.ts'
import { type Audience, hrefIn, type NavItem, type QueryParams } from './app-shell.tsx'
import { MAX_CSV_ROWS, sendCsv } from './csv.ts'
import { Hidden } from './fields.tsx'
import { type Filters, type FilterValues, parseFilters } from './filter.tsx'
import { Icon } from './icon.tsx'
import { contentHash, isPartial, livePart, type PageApp, page, sendPart } from './page.ts'
import { cursorParam, numberedCursorParam, type Query, type WithQuery, wantsCsv } from './params.ts'
import { Fold, Unfold } from './parts.tsx'
import { allowScript } from './security.ts'
import type { PageDeps, SignedInContext } from './signed-in.ts'
import { type Column, Pager, type PagerLabels, Table } from './table.tsx'

/** What a list loads from; `store` may be a replica. */
export type ListDeps = Omit<PageDeps, 'store'> & { store: Db }

/** A request for one page of a list, or for all of it as CSV. */
export interface ListRequest<Ctx, Values> {
  ctx: Ctx
  filters: Values
  query: Query
  csv: boolean
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
  /** The first page refreshes its rows unless paused; `changing` is what can change in a row. */
  live?: { seconds: number; changing(row: RowOf<Result>): string }
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

/** Infers the types of a list from its parts. A function makes the texts of each request in its language. */
export function defineList<RequestCtx, Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  list: List<RequestCtx, Ctx, F, Result, Form> | (() => List<RequestCtx, Ctx, F, Result, Form>),
): () => List<RequestCtx, Ctx, F, Result, Form> {
  return typeof list === 'function' ? list : () => list
}

/** As a page and as CSV. Returns a function that shows it again with a form that was refused, status 400. */
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
  const { audience, section, live } = list
  const hrefOf = ({ ctx, filters }: Viewed, params: QueryParams) =>
    hrefIn(audience, ctx, section, { ...ctx.sealMails(filters as QueryParams), ...params })

  async function show(reply: FastifyReply, requestCtx: RequestCtx, sent: Query, form?: Form): Promise<FastifyReply> {
    const ctx = audience.enter(requestCtx)
    const query = ctx.openMails(sent)
    const request = { ctx, filters: parseFilters(list.filters, query), query, csv: wantsCsv(query) }
    const store = await ctx.reader()
    const view = { ...request, found: await list.load({ ...deps, store }, request) }
    const entry = list.audit?.(view)
    if (entry) await ctx.audit(entry.act, entry.subject ?? '', entry.detail)
    if (live && isPartial(reply.request)) return sendPart(reply, <LiveRows {...view} />, query.visto, versionOf(view))
    if (!view.csv) return page(live ? allowScript(reply) : reply, listPage(view, form), form ? 400 : 200)
    const { csvName = list.section.split('/').at(-1) as string } = list
    const name = typeof csvName === 'string' ? csvName : csvName(ctx)
    return sendCsv(reply, name, list.columns(ctx), view.found.rows)
  }

  function listPage(view: Viewed, form: Form | undefined): VNode {
    const { title, actions, parentLink, heading } = list
    const { ctx, filters, found } = view
    const { Page, base } = audience
    const { path = '', params = {} } = base?.(ctx) ?? {}
    const rows = live ? <LiveRows {...view} /> : <Rows {...view} />
    return (
      <Page
        ctx={ctx}
        section={list.navSection ?? section}
        title={title}
        faulty={form !== undefined}
        script={live !== undefined}
        parentLink={parentLink}
        actions={typeof actions === 'function' ? actions(view) : actions}
        intro={typeof list.intro === 'function' ? list.intro(view) : list.intro}
      >
        {list.top?.(form)}
        {Object.keys(list.filters).length > 0 && (
          <SearchForm action={path + section} params={params} {...{ filters: list.filters, values: filters, found }} />
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

  function Rows(view: Viewed) {
    const { ctx, found } = view
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
          newer={found.newer && hrefOf(view, found.newer)}
          older={found.older && hrefOf(view, found.older)}
          csv={any ? hrefOf(view, { formato: 'csv' }) : undefined}
          labels={list.pagerLabels}
        />
      </>
    )
  }

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

  /** The part of the page that refreshes itself. */
  function LiveRows(view: Viewed) {
    const { query } = view
    if (!live || query.antes || query.despues) return <Rows {...view} />
    const paused = query.vivo === 'no'
    return (
      <div id="registro" {...(!paused && livePart(hrefOf(view, { visto: versionOf(view) }), live.seconds))}>
        <p class="live">
          {!paused && <span class="pulse" aria-hidden="true" />}
          {paused ? t('comun.list.paused') : t('comun.list.live')}{' '}
          <a href={hrefOf(view, paused ? {} : { vivo: 'no' })}>
            {paused ? t('comun.list.resume') : t('comun.list.pause')}
          </a>
        </p>
        <Rows {...view} />
      </div>
    )
  }

  /** Changes with what a live list shows. */
  const versionOf = ({ ctx, found: { rows, newer, older } }: Viewed): string =>
    contentHash([rows.map((row) => live?.changing(row)), newer, older, dayOf(ctx.now, ctx.timeZone)])

  return show
}

interface SearchFormProps {
  action: string
  params: QueryParams
  filters: Filters
  values: QueryParams
  found?: Pick<ListResult, 'choices'>
}

/** The form above a list. Filters are in the address, so a search can be sent to a colleague. */
export function SearchForm({ action, params, filters, values, found: { choices = {} } = {} }: SearchFormProps) {
  const all = Object.entries(filters)
  const hidden = Object.fromEntries(all.filter(([, { field }]) => !field).map(([name]) => [name, values[name]]))
  const inGroup = (group: string | undefined) => all.filter(([, filter]) => filter.group === group)
  const fields = (group?: string) =>
    inGroup(group).map(([name, { field }]) => field?.(name, values[name], choices[name] ?? []))
  const active = all.filter(([name, { field }]) => field && values[name] !== undefined).length
  const groups = new Set(all.flatMap(([, { group }]) => group ?? []))
  return (
    <search class="search">
      <Fold
        of="filtros"
        icon="sliders-horizontal"
        label={active > 0 ? t('comun.list.filtered', { count: active }) : t('comun.list.filter')}
      />
      <form id="filtros" method="get" action={action} class="filter fold-sheet" popover="auto">
        <Unfold of="filtros" />
        <Hidden values={{ ...params, ...hidden }} />
        {fields()}
        {[...groups].map((group) => (
          <details key={group} open={inGroup(group).some(([name]) => values[name] !== undefined)}>
            <summary>{group}</summary>
            <div>{fields(group)}</div>
          </details>
        ))}
        <button type="submit" class="secondary">
          <Icon name="search" />
          {t('comun.list.search')}
        </button>
      </form>
    </search>
  )
}

type KeysetRequest = Pick<ListRequest<unknown, unknown>, 'query' | 'csv'>

/** A page of a list that is ordered by a number, or all of it as CSV. */
export const numberedPage = <Row extends { id: number }>(
  { query, csv }: KeysetRequest,
  find: (cursor: Cursor<number>) => Promise<ResultPage<Row>>,
) => keysetPage(csv ? { limit: MAX_CSV_ROWS } : numberedCursorParam(query), find, ({ id }) => id)

/** The same of a list that is ordered by a text, which its rows have under `name`. */
export const orderedPage = <Name extends string, Row extends Record<Name, string>>(
  { query, csv }: KeysetRequest,
  name: Name,
  find: (cursor: Cursor) => Promise<ResultPage<Row>>,
) => keysetPage(csv ? { limit: MAX_CSV_ROWS } : cursorParam(query), find, (row) => row[name])

async function keysetPage<Row, Id extends string | number>(
  cursor: Cursor<Id>,
  find: (cursor: Cursor<Id>) => Promise<ResultPage<Row>>,
  idOf: (row: Row) => Id,
) {
  const { rows, newer, older, searchedTo } = await find(cursor)
  const [first, last] = [rows[0], rows.at(-1)]
  const despues = searchedTo?.after ?? (first && idOf(first))
  const antes = searchedTo?.before ?? (last && idOf(last))
  return {
    rows,
    searchedTo,
    newer: newer ? { despues } : undefined,
    older: older && antes !== undefined ? { antes } : undefined,
  }
}
