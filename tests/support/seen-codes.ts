import { logInRun } from './run-log.ts'

const note = logInRun('codes')

interface Coded {
  Codigo?: string
  Codigos?: Record<string, string[]>
}

/** Logs the codes of a problem or of the rows of an upload, for the test that compares them with contract/codes.tsv. */
export function noteCodes(text: string): void {
  if (!/"Codigos?"/.test(text)) return
  const body: { Type?: string; Extensions?: Coded; _entries?: Coded[] } = JSON.parse(text)
  if (body.Type === undefined && !body._entries?.some(({ Codigos }) => Codigos)) return
  for (const { Codigo, Codigos = {} } of [body.Extensions ?? {}, ...(body._entries ?? [])])
    for (const code of [Codigo ?? [], ...Object.values(Codigos)].flat()) note(code)
}
