import sql, { join, raw, type Sql } from 'sql-template-tag'

type SqlType = 'text' | 'int' | 'bytea' | 'timestamptz' | 'numeric' | 'json' | 'text[]'

/** A column of a table; `Value` is what code reads and writes there. */
interface SqlColumn<Value> {
  name: string
  type: SqlType
  readonly value?: Value
}

export type Columns = Record<string, SqlColumn<unknown>>

export type RowOf<Of extends Columns> = { [Name in keyof Of]: Of[Name] extends SqlColumn<infer Value> ? Value : never }

export const sqlColumn = <Value>(name: string, type: SqlType = 'text'): SqlColumn<Value> => ({ name, type })

/** Columns as a list in SQL, each written by `write`. */
const listed = (columns: Columns, write: (column: SqlColumn<unknown>, key: string) => string): Sql =>
  raw(
    Object.entries(columns)
      .map(([key, column]) => write(column, key))
      .join(', '),
  )

/** A select list: `c.sid, c.agencia_id as "agenciaId"`. */
export const selectList = (alias: string, columns: Columns): Sql =>
  listed(columns, ({ name, type }, key) => {
    const value = `${alias}.${name}`
    if (type === 'numeric') return `${value}::float8 as "${key}"`
    return key === name ? value : `${value} as "${key}"`
  })

export const columnNames = (columns: Columns): Sql => listed(columns, ({ name }) => name)

/** The values of a row in the order of `columnNames`. */
export const columnValues = <Of extends Columns>(columns: Of, row: RowOf<Of>): Sql =>
  join(Object.keys(columns).map((key) => row[key]))

/** `nombre = $1, region_id = $2`, for an update. */
export const assignValues = <Of extends Columns>(columns: Of, row: RowOf<Of>): Sql =>
  join(Object.entries(columns).map(([key, { name }]) => sql`${raw(name)} = ${row[key]}`))

/** Columns as `json_to_recordset` declares them: `"refStock" text, "estado" text`. */
export const recordColumns = (columns: Columns): Sql => listed(columns, ({ type }, key) => `"${key}" ${type}`)

/** Columns as a select reads them: `"refStock", "estado"`. */
export const recordNames = (columns: Columns): Sql => listed(columns, (_, key) => `"${key}"`)

/** `ref_stock = row."refStock"`, for an update from such records. */
export const assignFrom = (record: string, columns: Columns): Sql =>
  listed(columns, ({ name }, key) => `${name} = ${record}."${key}"`)

/** The subselect hides the number of rows from the planner, which would make a plan for each (`prepared.ts`). */
export function rowsAsTable<Of extends Columns>(columns: Of, rows: readonly RowOf<Of>[]): Sql {
  const lists = Object.entries(columns).map(([key, { type }]) => {
    const values = rows.map((row) => row[key])
    return sql`(select ${values}::${raw(type)}[])`
  })
  return sql`unnest(${join(lists)}) as given (${columnNames(columns)})`
}
