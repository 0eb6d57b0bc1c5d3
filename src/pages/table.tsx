import type { ComponentChildren } from 'preact'

/** One column of a table: what the page shows of a row, and what the CSV has. */
export interface Column<Row> {
  head: string
  /** A column without it is only in the CSV. */
  cell?: (row: Row) => ComponentChildren
  /** A column without it is only on the page. */
  text?: (row: Row) => string | number | Date | null
  number?: boolean
}

interface TableProps<Row> {
  /** For screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** In place of a table without rows: why there is nothing, and what to do next. */
  empty: ComponentChildren
}

/** Rows and columns. On a telephone each row is a card whose cells are labelled with their heads. */
export function Table<Row>({ caption, columns: all, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <div class="empty">{empty}</div>
  const columns = all.filter(({ cell }) => cell !== undefined)
  return (
    <table class="listing">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, number }) => (
            <th key={head} scope="col" class={number ? 'number' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, number }) => (
              <td key={head} class={number ? 'number' : undefined} data-head={head}>
                {cell?.(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export interface PagerLabels {
  newer: string
  older: string
  csv: string
}

interface PagerProps {
  first?: string | undefined
  newer?: string | undefined
  older?: string | undefined
  csv?: string | undefined
  labels?: PagerLabels | undefined
}

const PAGER_LABELS: PagerLabels = { newer: '← Anteriores', older: 'Siguientes →', csv: 'Bajar CSV' }

/** Links to the other pages of a list, and to its CSV. */
export function Pager({ first, newer, older, csv, labels = PAGER_LABELS }: PagerProps) {
  if (!first && !newer && !older && !csv) return null
  return (
    <nav aria-label="Páginas" class="row pager">
      {first && (
        <a class="button secondary" href={first}>
          ← Al principio
        </a>
      )}
      {newer && (
        <a class="button secondary" href={newer}>
          {labels.newer}
        </a>
      )}
      {older && (
        <a class="button secondary" href={older}>
          {labels.older}
        </a>
      )}
      {csv && (
        <a class="beside-end" href={csv} download>
          {labels.csv}
        </a>
      )}
    </nav>
  )
}

interface SearchProps {
  action: string
  children: ComponentChildren
  /** Parameters that the search keeps. */
  hidden?: Record<string, string | number | undefined>
}

/** The form above a list. Filters are in the address, so a search can be sent to a colleague. */
export const Search = ({ action, hidden = {}, children }: SearchProps) => (
  <search>
    <form method="get" action={action} class="filter">
      {Object.entries(hidden).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
      <button type="submit" class="secondary">
        Buscar
      </button>
    </form>
  </search>
)
