import { fold } from './text.ts'

/** The records, among some, of which one name holds the text, without case and accents: the meaning of `q`. */
export type NameSearch<Row> = (q: string, among?: readonly Row[]) => readonly Row[]

/** Names are folded once, because a search over thousands of them would fold little else. */
export function nameSearch<Row>(rows: readonly Row[], names: (row: Row) => readonly string[]): NameSearch<Row> {
  let folded: Map<Row, string> | undefined
  return (q, among = rows) => {
    folded ??= new Map(rows.map((row) => [row, names(row).map(fold).join('\n')]))
    const part = fold(q.trim())
    return among.filter((row) => folded?.get(row)?.includes(part))
  }
}
