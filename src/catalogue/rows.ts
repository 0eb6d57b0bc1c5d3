import type { Layers } from './layers.ts'
import { alphabeticalKey } from './text.ts'
import type { Row } from './tsv.ts'

/** A cell that holds a number, or nothing. */
export function number(layers: Layers, row: Row, column: string): number | undefined {
  const text = row.cell(column)
  if (!text) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) layers.fault(row, `${column} ${text} is not a number`)
  return value
}

/** Entries by name, in Spanish order. */
export function sorted<E extends { id: number; nombre: string }>(
  rows: Map<number, Row>,
  entry: (id: number, row: Row) => E,
): E[] {
  const keyed = Array.from(rows, ([id, row]) => ({ key: alphabeticalKey(row.cell('nombre')), entry: entry(id, row) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.id - b.entry.id))
  return keyed.map(({ entry }) => entry)
}
