import sql, { join, raw, type Sql } from 'sql-template-tag'

type SqlType = 'text' | 'int' | 'bytea' | 'timestamptz'

/** A column of a table; `Value` is what code reads and writes there. */
export interface Column<Value> {
  name: string
  type: SqlType
  readonly value?: Value
}

/** The columns of a table by their names in code. */
export type Columns = Record<string, Column<unknown>>

export type RowOf<Of extends Columns> = { [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never }

export const column = <Value>(name: string, type: SqlType): Column<Value> => ({ name, type })

/** A select list: `c.sid, c.agencia_id as "agenciaId"`. */
export const selectList = (alias: string, columns: Columns): Sql =>
  raw(
    Object.entries(columns)
      .map(([key, { name }]) => (key === name ? `${alias}.${name}` : `${alias}.${name} as "${key}"`))
      .join(', '),
  )

/** The names of columns, for an insert. */
export const columnNames = (columns: Columns): Sql =>
  raw(
    Object.values(columns)
      .map(({ name }) => name)
      .join(', '),
  )

/**
 * Rows as a table of a statement, for `insert … select`. The subselect hides the number of rows from the planner, which
 * would otherwise plan each length anew (`unseen.ts`).
 */
export function rowsAsTable<Of extends Columns>(columns: Of, rows: readonly RowOf<Of>[]): Sql {
  const lists = Object.entries(columns).map(([key, { type }]) => {
    const values = rows.map((row) => row[key])
    return sql`(select ${values}::${raw(type)}[])`
  })
  return sql`unnest(${join(lists)}) as given (${columnNames(columns)})`
}
