import { raw, type Sql } from 'sql-template-tag'

/** What is kept of a listing beside whose it is: the member of a row as it travels, and its type. */
const TYPES = {
  externalId: 'text',
  refStock: 'text',
  estado: 'text',
  suspensiones: 'text[]',
  exposicionPedida: 'text',
  exposicion: 'text',
  operador: 'text',
  marcaId: 'int',
  marca: 'text',
  modeloId: 'int',
  modelo: 'text',
  versionId: 'int',
  version: 'text',
  escrito: 'text',
  versionYear: 'int',
  kilometraje: 'int',
  colorId: 'int',
  color: 'text',
  carroceriaId: 'int',
  carroceria: 'text',
  propulsion: 'text',
  transmision: 'text',
  precioMoneda: 'text',
  precioImporte: 'numeric',
  descripcion: 'text',
  regionId: 'int',
  region: 'text',
  ciudadId: 'int',
  ciudad: 'text',
  fotos: 'text[]',
  datosTecnicos: 'json',
  busqueda: 'text',
} as const

export type Column = keyof typeof TYPES
export const COLUMNS = Object.keys(TYPES) as Column[]

const nameOf = (column: Column): string => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const listed = (columns: readonly Column[], write: (column: Column) => string): Sql =>
  raw(columns.map(write).join(', '))

/** As the table has them: `ref_stock, estado`. */
export const inTable = (columns: readonly Column[]): Sql => listed(columns, nameOf)

/** As a row that travels has them: `"refStock", "estado"`. */
export const inRow = (columns: readonly Column[]): Sql => listed(columns, (column) => `"${column}"`)

/** The same with their types, for `json_to_recordset`. */
export const typed = (columns: readonly Column[]): Sql => listed(columns, (column) => `"${column}" ${TYPES[column]}`)

/** `ref_stock = row."refStock"`, for an update. */
export const assigned = (columns: readonly Column[]): Sql =>
  listed(columns, (column) => `${nameOf(column)} = row."${column}"`)
