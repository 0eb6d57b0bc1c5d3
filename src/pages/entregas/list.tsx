import type { ComponentChildren } from 'preact'
import { withQuery } from '../../http/links.ts'
import type { Cursor } from '../../store/keyset.ts'
import type { EstadoEntrega, LoggedEvent, LogPage } from '../../webhooks/delivery-log.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { formatDuration, Timestamp, type When } from '../format.tsx'
import { livePart } from '../page.ts'
import { type Query, textParam } from '../params.ts'
import { Status } from '../parts.tsx'
import { type Column, Pager, Search, Table } from '../table.tsx'
import { FilterFields, type Filters } from './filters.tsx'

const BADGES: Record<EstadoEntrega, string> = {
  pendiente: 'status-3',
  entregada: 'status-2',
  fallida: 'status-5',
  descartada: 'status-4',
}

/** The state of a delivery. A pending one whose last attempt failed is shown as being retried. */
export function EstadoBadge({ estado, failing = false }: { estado: EstadoEntrega; failing?: boolean }) {
  if (estado === 'pendiente' && failing) return <span class="badge warning">reintentando</span>
  return <span class={`badge ${BADGES[estado]}`}>{estado}</span>
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
      <span class="hint below anywhere">{mail}</span>
    </span>
  )
}

const ONLY_IN_CSV: Column<LoggedEvent>[] = [
  { head: 'Id', cell: () => null, text: ({ id }) => id },
  { head: 'sid', cell: () => null, text: ({ sid }) => sid },
]

/** The columns of a log of events, whose rows link to `href`/{id}; `middle` are those of the delivery. */
export const eventColumns = (href: string, when: When, middle: Column<LoggedEvent>[]): Column<LoggedEvent>[] => [
  {
    head: 'Momento',
    cell: ({ id }) => (
      <a href={`${href}/${id}`}>
        <Timestamp at={momentOf(id)} when={when} />
      </a>
    ),
    text: ({ id }) => momentOf(id),
  },
  {
    head: 'Topic',
    cell: ({ topic, id }) => (
      <span class="two-lines">
        <strong>{topic}</strong>
        <code class="id">{id}</code>
      </span>
    ),
    text: ({ topic }) => topic,
  },
  { head: 'Agencia', cell: AgencyName, text: ({ agencia }) => agencia?.title ?? '' },
  ...middle,
  ...ONLY_IN_CSV,
]

/** Without the columns that only the CSV has. */
export const shownColumns = <Row extends LoggedEvent>(columns: Column<Row>[]): Column<Row>[] =>
  columns.filter(({ head }) => !ONLY_IN_CSV.some((column) => column.head === head))

/** The columns of the delivery log. */
export const deliveryColumns = (href: string, when: When): Column<LoggedEvent>[] =>
  eventColumns(href, when, [
    {
      head: 'Estado',
      cell: ({ estado, attempts, last }) =>
        estado && <EstadoBadge estado={estado} failing={attempts > 0 && last?.error != null} />,
      text: ({ estado }) => estado,
    },
    {
      head: 'Respuesta',
      cell: ({ last }) => <LastAnswer last={last} />,
      text: ({ last }) => last?.error ?? last?.status ?? null,
    },
    { head: 'Intentos', cell: ({ attempts }) => attempts, text: ({ attempts }) => attempts, number: true },
  ])

function LastAnswer({ last }: Pick<LoggedEvent, 'last'>) {
  if (!last) return <span class="hint">–</span>
  return (
    <span>
      {last.status !== null ? <Status code={last.status} /> : <span class="badge status-5">sin respuesta</span>}{' '}
      <span class="hint nowrap">{formatDuration(last.ms)}</span>
    </span>
  )
}

const LIVE_SECONDS = 3

const PER_PAGE = 50

/** Which page of the log is requested: `antes` leads to older events, `despues` to newer ones. */
export function pageParam(query: Query): Cursor {
  const [before, after] = [textParam(query, 'antes'), textParam(query, 'despues')]
  return { limit: PER_PAGE, ...(after ? { after } : { before }) }
}

/** One page of the log. */
export type Found<Row> = Omit<LogPage, 'rows'> & { rows: Row[] }
type Params = Record<string, string | undefined>

/** The links from a page of the log to older and newer pages, and to the CSV. */
export function logLinks(href: string, params: Params, page: Cursor, found: Found<LoggedEvent>) {
  const [antes, newer] = [olderThan(page, found), newerThan(page, found)]
  return {
    older: antes && withQuery(href, { ...params, antes }),
    newer: newer && withQuery(href, { ...params, ...newer }),
    csv: found.rows.length > 0 ? withQuery(href, { ...params, formato: 'csv' }) : undefined,
  }
}

/** A search that stopped early continues where it stopped. */
function olderThan({ after }: Cursor, { rows, more, searchedTo }: Found<LoggedEvent>): string | undefined {
  if (after !== undefined) return rows.at(-1)?.id ?? after
  return more ? rows.at(-1)?.id : searchedTo
}

function newerThan(
  { before, after }: Cursor,
  { rows, more, searchedTo }: Found<LoggedEvent>,
): { despues?: string } | undefined {
  const first = rows[0]?.id
  if (before !== undefined) return first ? { despues: first } : {}
  if (after === undefined) return undefined
  const from = more ? first : searchedTo
  return from ? { despues: from } : undefined
}

interface SearchProps {
  action: string
  filters: Filters
  of: 'deliveries' | 'events'
  children?: ComponentChildren
}

/** The search form of the log; `children` are further fields. */
export const LogSearch = ({ action, filters, of, children }: SearchProps) => (
  <div class="log-search">
    <Search action={action}>
      {children}
      <FilterFields filters={filters} of={of} />
    </Search>
  </div>
)

interface ListProps<Row> {
  /** The address of the list, and the parameters of the search. */
  href: string
  params: Params
  found: Found<Row>
  links: ReturnType<typeof logLinks>
  columns: Column<Row>[]
  empty: ComponentChildren
  when: When
  /** The first page refreshes itself unless paused. */
  live: 'on' | 'paused' | 'off'
  version: string
}

/** The rows of the delivery log, which refresh themselves. */
export function DeliveryList<Row extends LoggedEvent>(props: ListProps<Row>) {
  const { href, params, found, links, columns, empty, when, live, version } = props
  const { rows, searchedTo } = found
  return (
    <div id="registro" {...(live === 'on' && livePart(withQuery(href, { ...params, visto: version }), LIVE_SECONDS))}>
      {live !== 'off' && (
        <p class="live">
          {live === 'paused' ? (
            <>
              En pausa. <a href={withQuery(href, params)}>Ver en vivo</a>
            </>
          ) : (
            <>
              <span class="pulse" aria-hidden="true" /> En vivo: lo nuevo aparece solo.{' '}
              <a href={withQuery(href, { ...params, vivo: 'no' })}>Pausar</a>
            </>
          )}
        </p>
      )}
      <Table
        caption="Entregas, la más nueva primero"
        columns={columns}
        rows={rows}
        empty={searchedTo ? <h2>Todavía nada</h2> : empty}
      />
      {searchedTo && (
        <p class="hint">
          Buscamos hasta <Timestamp at={momentOf(searchedTo)} when={when} />. Con «Siguientes» la búsqueda sigue hacia
          atrás.
        </p>
      )}
      <Pager {...links} />
    </div>
  )
}
