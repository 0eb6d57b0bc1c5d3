import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { t } from '../i18n/messages.tsx'
import { ReadOnlyContext } from './fields.tsx'
import { formatNumber, Moment, type TimeContext } from './format.tsx'
import { Icon } from './icon.tsx'

export type CsvValue = string | number | Date | null

/** One column of a table: what the page shows of a row, and what the CSV has. */
export interface Column<Row> {
  head: string
  /** What both the page and the CSV show. */
  value?: (row: Row) => string | number | null
  /** A column without it is only in the CSV. */
  cell?: (row: Row) => ComponentChildren
  /** A column without it is only on the page. */
  text?: (row: Row) => CsvValue
  number?: boolean
  /** A badge that says little without its head, which a telephone shows then too. */
  labelled?: boolean
  /** The order of the list that the head chooses. */
  sort?: string
  /** It has only links and buttons that change something. */
  acts?: boolean
}

/** How a list can be ordered: `hrefOf(order)` shows it so. */
interface Sorted {
  orders: readonly (readonly [order: string, label: string])[]
  order: string | undefined
  hrefOf(order: string): string
}

interface TableProps<Row> {
  /** For screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** In place of a table without rows: why there is nothing, and what to do next. */
  empty: ComponentChildren
  sorted?: Sorted
}

/** The link to what a row is about. All of the row leads there; its other links stay above it. */
export const RowLink = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a class="row-link" href={href}>
    {children}
  </a>
)

/** Rows and columns. On a telephone each row is a card whose cells are labelled with their heads. */
export function Table<Row>({ caption, columns: all, rows, empty, sorted }: TableProps<Row>) {
  const readOnly = useContext(ReadOnlyContext)
  if (rows.length === 0) return <div class="empty">{empty}</div>
  const columns = all.filter(({ cell, value, acts }) => (cell ?? value) && !(acts && readOnly))
  return (
    <table class="listing">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, number, sort }) => {
            const orders = sorted?.orders.filter(([order]) => sort && order.replace('-', '') === sort) ?? []
            return sorted && orders.length > 0 ? (
              <SortableHead key={head} head={head} number={number} sorted={sorted} orders={orders} />
            ) : (
              <th key={head} scope="col" class={number ? 'number' : undefined}>
                {head}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map(({ head, cell, value, number, labelled }) => (
              <td key={head} class={number ? 'number' : labelled ? 'labelled' : undefined} data-head={head}>
                {(cell ?? value)?.(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Chooses the column's first order, or the other one where that is chosen. */
function SortableHead({ head, number, sorted, orders }: SortableProps) {
  const chosen = orders.findIndex(([order]) => order === sorted.order)
  const [order, label] = orders[(chosen + 1) % orders.length] as Sorted['orders'][number]
  const direction = chosen < 0 ? undefined : sorted.order?.startsWith('-') ? 'descending' : 'ascending'
  return (
    <th scope="col" class={number ? 'number' : undefined} aria-sort={direction}>
      <a class={`sort ${direction ?? ''}`} href={sorted.hrefOf(order)} title={label}>
        {head}
      </a>
    </th>
  )
}

interface SortableProps {
  head: string
  number: boolean | undefined
  sorted: Sorted
  orders: Sorted['orders']
}

export type PagerLabels = Record<'newer' | 'older' | 'csv', string>
type PagerProps = Partial<Record<'first' | keyof PagerLabels, string | undefined>> & {
  labels?: PagerLabels | undefined
}

export function Pager({ first, newer, older, csv, labels }: PagerProps) {
  if (!first && !newer && !older && !csv) return null
  const pages = [
    [first, t('comun.pager.first')],
    [newer, labels?.newer ?? t('comun.pager.newer')],
    [older, labels?.older ?? t('comun.pager.older')],
  ]
  return (
    <nav aria-label={t('comun.pager.label')} class="row pager">
      {pages.map(
        ([href, label]) =>
          href && (
            <a key={label} class="button secondary" href={href}>
              {label}
            </a>
          ),
      )}
      {csv && (
        <a class="beside-end" href={csv} download>
          <Icon name="download" />
          {labels?.csv ?? t('comun.pager.csv')}
        </a>
      )}
    </nav>
  )
}

/** A value of the row: as it is in the CSV, and as `show` presents it on the page. */
export const column = <Row, const Name extends keyof Row>(
  head: string,
  name: Name,
  show: (value: Row[Name], row: Row) => ComponentChildren,
): Column<Row> => ({ head, cell: (row) => show(row[name], row), text: (row) => row[name] as CsvValue })

/** A count, with its thousands set apart on the page. */
export const countColumn = <Row,>(head: string, count: (row: Row) => number): Column<Row> => ({
  head,
  number: true,
  cell: (row) => formatNumber(count(row)),
  text: count,
})

/** A state: its tone and its label, which is also in the CSV. */
export const badgeColumn = <Row,>(
  head: string,
  badge: (row: Row) => readonly [string, string],
  labelled = false,
): Column<Row> => ({
  head,
  labelled,
  cell: (row) => <span class={`badge ${badge(row)[0]}`}>{badge(row)[1]}</span>,
  text: (row) => badge(row)[1],
})

export const momentColumn = <Row,>(head: string, when: TimeContext, at: (row: Row) => Date | null): Column<Row> => ({
  head,
  cell: (row) => optionalMoment(at(row), when),
  text: at,
})

const optionalMoment = (at: Date | null, when: TimeContext) => at && <Moment at={at} when={when} short />
