import type { EstadoEntrega, LoggedEvent } from '../../webhooks/delivery-log.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { formatDuration, Timestamp, type When } from '../format.tsx'
import { Status } from '../parts.tsx'
import type { Column } from '../table.tsx'

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
