import type { ComponentChildren, VNode } from 'preact'
import type { Db } from '../store/db.ts'
import type { Audience, NavItem, QueryParams } from './app-shell.tsx'
import type { Filters, FilterValues } from './filter.tsx'
import type { Query } from './params.ts'
import type { Order } from './search-form.tsx'
import type { PageDeps, SignedInContext } from './signed-in.ts'
import type { Column, PagerLabels } from './table.tsx'

/** What a list loads from; `store` may be a replica. */
export type ListDeps = Omit<PageDeps, 'store'> & { store: Db }

/** A request for one page of a list, or for all of it as CSV. */
export interface ListRequest<Ctx, Values> {
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
  /** The last line of a CSV file whose search stopped before the end. */
  csvEnd?: string
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
export interface List<Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form> {
  audience: Audience<Ctx>
  /** Its address, and its entry in the navigation unless it has a parent. */
  section: string
  parentLink?: NavItem
  title: string
  filters: F
  load(deps: ListDeps, request: ListRequest<Ctx, FilterValues<F>>): Promise<Result>
  columns(ctx: Ctx, view: View<Ctx, F, Result>): readonly Column<RowOf<Result>>[]
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

/** Any list: its rows are shown by its own functions. */
export type AnyList = List<SignedInContext, Filters, ListResult, unknown>

/** A list with what was found. `version` changes with what a live list shows. */
export type Shown = View<SignedInContext, Filters, ListResult> & { list: AnyList; version: string | undefined }
