import type { FastifyReply } from 'fastify'
import { dayOf } from '../http/dates.ts'
import { t } from '../i18n/messages.tsx'
import type { Cursor, ResultPage } from '../store/keyset.ts'
import { MAX_CSV_ROWS, sendCsv } from './csv.ts'
import { type Filters, parseFilters } from './filter.tsx'
import type { AnyList, List, ListRequest, ListResult, Shown } from './list-definition.ts'
import { defaultOrder, Filtered, ListPage, LiveRows } from './list-page.tsx'
import { contentHash, isPartial, type PageApp, page, sendPart } from './page.ts'
import { cursorParam, numberedCursorParam, type Query, type WithQuery, wantsCsv } from './params.ts'
import { isAscending, type Order } from './search-form.tsx'
import type { PageDeps, SignedInContext } from './signed-in.ts'

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
export const defineList = <Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  makeList: () => List<Ctx, F, Result, Form>,
) => makeList

/** Serves a list as a page and as CSV. The returned function shows it again with a refused form, status 400. */
export function serveList<Ctx extends SignedInContext, F extends Filters, Result extends ListResult, Form>(
  app: PageApp<Ctx>,
  path: string,
  deps: PageDeps,
  makeList: () => List<Ctx, F, Result, Form>,
): (reply: FastifyReply, ctx: Ctx, form: Form) => Promise<FastifyReply> {
  const show = (reply: FastifyReply, ctx: Ctx, query: Query, form?: Form) =>
    showList(reply, deps, makeList() as unknown as AnyList, ctx, query, form)
  app.get<WithQuery>(path, (request, reply) => show(reply, request.ctx, request.query))
  return (reply, ctx, form) => show(reply, ctx, {}, form)
}

async function showList(
  reply: FastifyReply,
  deps: PageDeps,
  list: AnyList,
  ctx: SignedInContext,
  sent: Query,
  form: unknown,
): Promise<FastifyReply> {
  const { live, orders = [] } = list
  const query = ctx.openMails(sent)
  const isPart = isPartial(reply.request)
  const request = {
    ctx,
    query,
    filters: parseFilters(list.filters, query),
    csv: wantsCsv(query) && !isPart, // a part has one page of rows
    order: orders.find(([order]) => order === query.orden)?.[0] ?? defaultOrder(list),
  }
  const listDeps = { ...deps, store: await ctx.reader() }
  const today = dayOf(ctx.now, ctx.timeZone)
  const early = live && 'version' in live ? contentHash([await live.version(listDeps, ctx), today]) : undefined
  if (early !== undefined && early === query.visto && isPart) return reply.code(204).send()
  const found = await list.load(listDeps, request)
  const entry = list.audit?.({ ...request, found })
  if (entry) await ctx.audit(entry.act, entry.subject ?? '', entry.detail)
  const late =
    live && 'changing' in live
      ? contentHash([found.rows.map(live.changing), found.newer, found.older, today])
      : undefined
  const shown: Shown = { ...request, found, list, version: early ?? late }
  if (isPart)
    return query.visto === undefined
      ? sendPart(reply, <Filtered {...shown} />)
      : sendPart(reply, <LiveRows {...shown} />, query.visto, shown.version)
  if (!shown.csv) return page(reply, <ListPage shown={shown} form={form} />, form ? 400 : 200)
  const name = list.csvName?.(ctx) ?? (list.section.split('/').at(-1) as string)
  return sendCsv(reply, name, list.columns(ctx, shown), found.rows, ctx.timeZone, found.csvEnd)
}

type KeysetRequest = Pick<ListRequest<unknown, unknown>, 'query' | 'csv' | 'order'>

const cursorOf = <Id extends string | number>(
  { query, csv, order }: KeysetRequest,
  parse: (query: Query) => Cursor<Id>,
): Cursor<Id> => ({ ...(csv ? { limit: MAX_CSV_ROWS } : parse(query)), ascending: isAscending(order) })

/** A page of a list that is ordered by a number, or all of it as CSV. */
export const numberedPage = <Row extends { id: number }>(
  request: KeysetRequest,
  find: (cursor: Cursor<number>) => Promise<ResultPage<Row, number>>,
) => keysetPage(cursorOf(request, numberedCursorParam), find, ({ id }) => id)

/** A page of a list that is ordered by a text, which its rows have under `name`, or all of it as CSV. */
export const orderedPage = <Name extends string, Row extends Record<Name, string>>(
  request: KeysetRequest,
  name: Name,
  find: (cursor: Cursor) => Promise<ResultPage<Row, string>>,
) => keysetPage(cursorOf(request, cursorParam), find, (row) => row[name])

async function keysetPage<Row, Id extends string | number>(
  cursor: Cursor<Id>,
  find: (cursor: Cursor<Id>) => Promise<ResultPage<Row, Id>>,
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
