import type { ComponentChildren } from 'preact'

/** One column of a table: what people see of a row, and what a spreadsheet gets. */
export interface Column<Row> {
  head: string
  cell: (row: Row) => ComponentChildren
  /** For the CSV; a column without it is only for looking at. */
  text?: (row: Row) => string | number | Date | null
  number?: boolean
}

interface TableProps<Row> {
  /** What the table holds, for whoever hears it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** What stands there while there is nothing: why, and what to do next. */
  empty: ComponentChildren
}

/** Rows and columns. On a telephone each row is a card, its cells named by their heads. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <div class="empty">{empty}</div>
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
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export interface PagerProps {
  newer?: string | undefined
  older?: string | undefined
  /** The same rows for a spreadsheet. */
  csv?: string | undefined
}

/** The ways on from a page of a list. */
export function Pager({ newer, older, csv }: PagerProps) {
  if (!newer && !older && !csv) return null
  return (
    <nav aria-label="Páginas" class="row pager">
      {newer && (
        <a class="button secondary" href={newer}>
          ← Anteriores
        </a>
      )}
      {older && (
        <a class="button secondary" href={older}>
          Siguientes →
        </a>
      )}
      {csv && (
        <a class="beside-end" href={csv} download>
          Bajar CSV
        </a>
      )}
    </nav>
  )
}

interface SearchProps {
  action: string
  children: ComponentChildren
  /** What is kept while looking for something else. */
  hidden?: Record<string, string | undefined>
}

/** The form above a list: fields that narrow it. They stand in the address, so that a search can be sent to a colleague. */
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
