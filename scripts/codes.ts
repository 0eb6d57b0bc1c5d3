import { CODE_LIST } from '../src/http/codes.ts'
import { PROBLEMS } from '../src/http/problems.ts'

export const CODES = new URL('../contract/codes.tsv', import.meta.url)

/** The codes of problems as a table, for clients in any language. */
export function printCodes(): string {
  const rows = CODE_LIST.map(({ code, problem, status = PROBLEMS[problem].status, meaning, remedy }) => [
    code,
    status,
    problem,
    meaning,
    remedy,
  ])
  return [['code', 'status', 'problem', 'meaning', 'remedy'], ...rows].map((row) => `${row.join('\t')}\n`).join('')
}
