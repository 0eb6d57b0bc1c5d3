/** Rows of cells as lines, the first column to the left and the others to the right. */
export function aligned(rows: readonly (readonly (string | number)[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => String(row[column] ?? '').length))
  const cell = (value: string | number, column: number) =>
    column === 0 ? String(value).padEnd(width(0)) : String(value).padStart(width(column))
  return rows.map((row) => row.map(cell).join('  ')).join('\n')
}
