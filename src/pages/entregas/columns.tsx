import type { Logged } from '../../webhooks/app-log.ts'
import type { EstadoEntrega } from '../../webhooks/log.ts'
import { momentOf } from '../../webhooks/ulid.ts'
import { formatDuration } from '../figures.ts'
import { versionOf } from '../live.ts'
import type { When } from '../moment.tsx'
import { Timestamp } from '../moment.tsx'
import { Status } from '../parts.tsx'
import type { Column } from '../table.tsx'

/** States of a delivery, and their colours. */
const ESTADOS: Record<EstadoEntrega, { words: string; tone: string }> = {
  pendiente: { words: 'pendiente', tone: 'status-3' },
  entregada: { words: 'entregada', tone: 'status-2' },
  fallida: { words: 'fallida', tone: 'status-5' },
  descartada: { words: 'descartada', tone: 'status-4' },
}

/** How a delivery stands. One that failed and is tried again says so: it needs a look before it is given up. */
export function EstadoBadge({ estado, failing = false }: { estado: EstadoEntrega; failing?: boolean }) {
  const { words, tone } = ESTADOS[estado]
  if (estado === 'pendiente' && failing) return <span class="badge warning">reintentando</span>
  return <span class={`badge ${tone}`}>{words}</span>
}

/** An agency as a spreadsheet gets it: `Nombre (AdminMail)`. */
export const agencyTitle = ({ agencia }: Pick<Logged, 'agencia'>): string => agencia?.title ?? ''

const NAME_AND_MAIL = /^(.+) \(([^\s()]+@[^\s()]+)\)$/s

/** The same in a list: its name, and the mail below it. */
export function AgencyNamed(row: Pick<Logged, 'agencia'>) {
  const title = agencyTitle(row)
  const [, nombre, mail] = NAME_AND_MAIL.exec(title) ?? []
  if (!nombre) return title
  return (
    <span class="named">
      {nombre}
      <span class="hint below anywhere">{mail}</span>
    </span>
  )
}

/** What happened, and under it the id that both sides know it by. */
export const TopicAndId = ({ topic, id }: Pick<Logged, 'topic' | 'id'>) => (
  <span class="two-lines">
    <strong>{topic}</strong>
    <code class="id">{id}</code>
  </span>
)

/** Of their own only in a spreadsheet. */
export const ID_COLUMNS: Column<Logged>[] = [
  { head: 'Id', cell: () => null, text: ({ id }) => id },
  { head: 'sid', cell: () => null, text: ({ sid }) => sid },
]

/** The columns of a log of deliveries; each row leads to its delivery. */
export const deliveryColumns = (at: string, when: When): Column<Logged>[] => [
  {
    head: 'Momento',
    cell: ({ id }) => (
      <a href={`${at}/entregas/${id}`}>
        <Timestamp at={momentOf(id)} when={when} />
      </a>
    ),
    text: ({ id }) => momentOf(id),
  },
  { head: 'Topic', cell: (row) => <TopicAndId {...row} />, text: ({ topic }) => topic },
  { head: 'Agencia', cell: AgencyNamed, text: agencyTitle },
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
  ...ID_COLUMNS,
]

/** What can change on a page of the log, in short: the rest of an event is frozen. The day is what «hoy» is said of. */
export const logVersion = (rows: readonly Logged[], ways: object, day: string): string =>
  versionOf([rows.map(({ id, estado, attempts }) => `${id} ${estado} ${attempts}`), ways, day])

/** For looking at: what only a spreadsheet has room for is left out. */
export const seen = (columns: Column<Logged>[]): Column<Logged>[] =>
  columns.filter((column) => !ID_COLUMNS.includes(column))

function LastAnswer({ last }: Pick<Logged, 'last'>) {
  if (!last) return <span class="hint">–</span>
  return (
    <span>
      {last.status !== null ? <Status code={last.status} /> : <span class="badge status-5">sin respuesta</span>}{' '}
      <span class="hint nowrap">{formatDuration(last.ms)}</span>
    </span>
  )
}
