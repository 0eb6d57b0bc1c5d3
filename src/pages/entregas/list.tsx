import { limitConcurrency } from '../../http/limit-concurrency.ts'
import { message, rich, t } from '../../i18n/messages.tsx'
import { type Cursor, readsUpwards } from '../../store/keyset.ts'
import { momentOf } from '../../ulid.ts'
import { destinoOf } from '../../webhooks/delivery-ids.ts'
import { collectLog, type EstadoEntrega, type LoggedEvent, type LogPage } from '../../webhooks/delivery-log.ts'
import { translateError } from '../../webhooks/send/explain.ts'
import { localSecond, MAX_CSV_ROWS } from '../csv.ts'
import { formatDuration, type TimeContext, Timestamp } from '../format.tsx'
import { continuingLink, timeOrders } from '../list.tsx'
import type { ListRequest, ListResult } from '../list-definition.ts'
import { cursorParam } from '../params.ts'
import { Status } from '../parts.tsx'
import { isAscending } from '../search-form.tsx'
import type { SignedInContext } from '../signed-in.ts'
import { type Column, RowLink } from '../table.tsx'

const BADGES: Record<EstadoEntrega, string> = {
  pendiente: 'info',
  entregada: 'ok',
  fallida: 'error',
  descartada: '',
}

/** The state of a delivery. A pending one whose last attempt failed is shown as being retried. */
export function DeliveryEstadoBadge({ estado, failing = false }: { estado: EstadoEntrega; failing?: boolean }) {
  if (estado === 'pendiente' && failing) return <span class="badge attention">{t('entregas.state.retrying')}</span>
  return <span class={`badge ${BADGES[estado]}`}>{t(`entregas.state.${estado}`)}</span>
}

const NAME_AND_MAIL = /^(.+) \(([^\s()]+@[^\s()]+)\)$/s

/** `Nombre (AdminMail)` on two lines. */
function AgencyName({ agencia }: Pick<LoggedEvent, 'agencia'>) {
  const title = agencia?.title ?? ''
  const [, nombre, mail] = NAME_AND_MAIL.exec(title) ?? []
  if (!nombre) return title
  return (
    <span class="named">
      {nombre}
      <span class="hint below mail" title={mail}>
        {mail}
      </span>
    </span>
  )
}

/** The columns of a log of events, whose rows link to `hrefOf(row)`; `middle` are those of the delivery. */
export const eventColumns = <Row extends LoggedEvent>(
  hrefOf: (row: Row) => string,
  when: TimeContext,
  middle: Column<Row>[],
): Column<Row>[] => [
  {
    head: t('entregas.moment'),
    cell: (row) => (
      <RowLink href={hrefOf(row)}>
        <Timestamp at={momentOf(row.id)} when={when} short />
      </RowLink>
    ),
    text: ({ id }) => momentOf(id),
    sort: 'fecha',
  },
  {
    head: t('entregas.topic'),
    cell: ({ topic, deliveryId }) => (
      <span class="two-lines">
        <strong>{topic}</strong>
        <code class="id">{deliveryId}</code>
      </span>
    ),
    text: ({ topic }) => topic,
  },
  { head: t('entregas.agency'), cell: AgencyName, text: ({ agencia }) => agencia?.title ?? '' },
  ...middle,
  { head: t('entregas.id'), text: ({ id }) => id },
  { head: t('entregas.sid'), text: ({ sid }) => sid },
]

export const deliveryColumns = (href: string, when: TimeContext): Column<LoggedEvent>[] => [
  ...eventColumns(({ deliveryId }) => `${href}/${deliveryId}`, when, [
    {
      head: t('entregas.estado'),
      cell: ({ estado, attempts, last }) =>
        estado && <DeliveryEstadoBadge estado={estado} failing={attempts > 0 && last?.error != null} />,
      text: ({ estado }) => estado,
    },
    {
      head: t('entregas.response'),
      cell: ({ last }) => <LastAnswer last={last} />,
      text: ({ last }) => (last?.error ? translateError(last.error) : (last?.status ?? null)),
    },
    { head: t('entregas.attempts'), cell: ({ attempts }) => attempts, text: ({ attempts }) => attempts, number: true },
  ]),
  { head: t('entregas.filter.destino'), text: ({ deliveryId }) => destinoOf(deliveryId) },
]

function LastAnswer({ last }: Pick<LoggedEvent, 'last'>) {
  if (!last) return <span class="hint">–</span>
  return (
    <span>
      {last.status !== null ? (
        <Status code={last.status} />
      ) : (
        <span class="badge error">{t('entregas.noResponse')}</span>
      )}{' '}
      <span class="hint nowrap">{formatDuration(last.ms)}</span>
    </span>
  )
}

const PER_PAGE = 50

interface SearchedView {
  ctx: TimeContext
  order: string | undefined
  found: Pick<ListResult, 'searchedTo' | 'newer'>
}

export const searchedTo = ({ ctx, order, found }: SearchedView) =>
  rich('entregas.searchedTo', {
    moment: <Timestamp at={momentOf(String(found.searchedTo))} when={ctx} />,
    link: continuingLink(order, found.newer?.despues === found.searchedTo),
  })

/** What the lists of deliveries have in common; they refresh themselves. */
export const deliveryList = () => ({
  title: t('entregas.title'),
  orders: timeOrders(),
  live: {
    seconds: 3,
    changing: ({ deliveryId, estado, attempts }: LoggedEvent) => `${deliveryId} ${estado} ${attempts}`,
  },
})

/** Searches for files in this process: one at a time for each person, a few in all, so that others find a connection. */
const limited = limitConcurrency({ most: 2, mostOfKey: 1, refusal: message('entregas.busy') })

export async function logPage<Row extends LoggedEvent>(
  { ctx, query, csv, order }: Omit<ListRequest<SignedInContext, unknown>, 'filters'>,
  find: (cursor: Cursor) => Promise<LogPage<Row>>,
): Promise<ListResult & { rows: Row[] }> {
  const ascending = isAscending(order)
  if (csv) {
    const findLimited = (cursor: Cursor) => limited(ctx.account.id, () => find(cursor))
    const { rows, searchedTo: end } = await collectLog({ limit: MAX_CSV_ROWS, ascending }, findLimited)
    if (end === undefined) return { rows }
    return { rows, csvEnd: t('entregas.csvEnd', { moment: localSecond(momentOf(end), ctx.timeZone) }) }
  }
  const cursor = { ...cursorParam(query), limit: PER_PAGE, ascending }
  const found = await find(cursor)
  return { ...found, older: olderThan(cursor, found), newer: newerThan(cursor, found) }
}

/** A search that stopped early continues where it stopped. */
function olderThan(cursor: Cursor, { rows, more, searchedTo }: LogPage) {
  const { after } = cursor
  const oldest = rows.at(cursor.ascending ? 0 : -1)?.deliveryId
  const antes = readsUpwards(cursor) ? after && (oldest ?? after) : more ? oldest : searchedTo
  return antes ? { antes } : undefined
}

function newerThan(cursor: Cursor, { rows, more, searchedTo }: LogPage) {
  const newest = rows.at(cursor.ascending ? -1 : 0)?.deliveryId
  if (cursor.before !== undefined && cursor.after === undefined) return newest ? { despues: newest } : {}
  const despues = !readsUpwards(cursor) ? undefined : more ? newest : searchedTo
  return despues ? { despues } : undefined
}
