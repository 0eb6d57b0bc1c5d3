import type { TSchema } from 'typebox'
import { orUndefined } from '../memoize.ts'

// In CSV a member of an object is a column with dots (`Precio.Importe`), a list of texts is separated by spaces, and a
// list of objects is JSON.

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** Without `null` beside it. */
const plain = (schema: JsonSchema): JsonSchema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema

/** The columns of a schema, in order. */
export const columnsOf = (schema: TSchema): string[] => columnsIn(schema as JsonSchema, '')

const columnsIn = ({ properties = {} }: JsonSchema, prefix: string): string[] =>
  Object.entries(properties).flatMap(([name, member]) => {
    const inner = plain(member)
    return inner.type === 'object' && inner.properties ? columnsIn(inner, `${prefix}${name}.`) : `${prefix}${name}`
  })

/** A record of CSV as the object that the schema describes. An empty cell is absent; what does not parse stays text. */
export function fromCells(schema: TSchema, cells: Record<string, string>): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const [column, cell] of Object.entries(cells)) {
    if (cell.trim() === '' || column === '') continue
    const path = column.split('.')
    const member = memberAt(schema as JsonSchema, path)
    // An unknown column is not nested, so that the fault names it as it is written.
    if (member) setAt(record, path, parseCell(member, cell))
    else record[column] = cell
  }
  return record
}

function memberAt(schema: JsonSchema, path: string[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((at, name) => {
    const found = at?.properties && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined
    return found && plain(found)
  }, schema)
}

function setAt(record: Record<string, unknown>, path: string[], value: unknown): void {
  const last = path.pop() as string
  let at = record
  for (const name of path) {
    at[name] ??= {}
    at = at[name] as Record<string, unknown>
  }
  at[last] = value
}

const TRUE = /^(true|si|sí|1)$/i
const FALSE = /^(false|no|0)$/i
/** Text that a spreadsheet would compute is written with an apostrophe before it. */
const GUARDED = /^'(?=[=+\-@\t\r])/

function parseCell({ type, items }: JsonSchema, cell: string): unknown {
  const text = cell.replace(GUARDED, '')
  if (type === 'integer' || type === 'number') return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text
  if (type === 'boolean') return TRUE.test(text.trim()) ? true : FALSE.test(text.trim()) ? false : text
  if (type !== 'array') return text
  return items?.type === 'string' ? text.trim().split(/\s+/) : jsonOr(text)
}

function jsonOr(text: string): unknown {
  const value = orUndefined(() => JSON.parse(text))
  return value === undefined ? text : value
}

/** The cells of a record, in the order of `columnsOf`. */
export const toCells = (columns: readonly string[], record: object): string[] =>
  columns.map((column) => formatCell(column.split('.').reduce<unknown>(memberOf, record)))

const memberOf = (at: unknown, name: string): unknown => (at as Record<string, unknown> | null | undefined)?.[name]

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return String(value)
  return value.every((item) => typeof item === 'string') ? value.join(' ') : JSON.stringify(value)
}
