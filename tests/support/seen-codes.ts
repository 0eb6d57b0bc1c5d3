import assert from 'node:assert/strict'
import { logInRun } from './run-log.ts'

const note = logInRun('codes')

interface Coded {
  Codigo?: string
  Codigos?: Record<string, string[]>
}

interface Row extends Coded {
  Errors?: Record<string, string[]>
}

interface Body {
  Errors?: Record<string, string[]>
  Type?: string
  Status?: number
  Extensions?: Coded
  _entries?: Row[]
}

/**
 * Checks the codes of a problem, or of the rows of an upload, and logs them for the test that compares them with
 * contract/codes.tsv. Those of a problem are logged with its status.
 */
export function noteCodes(text: string): void {
  if (!/^\{.*"Errors"|"Type":"[^"]*\/problemas\//s.test(text)) return
  const { Errors, Type, Status, Extensions = {}, _entries = [] }: Body = JSON.parse(text)
  const { Codigo, Codigos } = Extensions
  // The server that ours is measured against has no codes.
  if (Type?.includes('/problemas/') && (Codigo || Codigos)) {
    assert.equal(Codigo === undefined, Status === 400, text)
    assertParallel(Errors, Codigos)
    for (const code of codesIn(Extensions)) note(`${code} ${Status}`)
  }
  for (const row of _entries) {
    if (row.Errors) assertParallel(row.Errors, row.Codigos)
    for (const code of codesIn(row)) note(code)
  }
}

const codesIn = ({ Codigo, Codigos = {} }: Coded): string[] => [Codigo ?? [], ...Object.values(Codigos)].flat()

const countsOf = (lists: Record<string, string[]> | undefined) =>
  lists && Object.entries(lists).map(([member, list]) => [member, list.length])

const assertParallel = (errors: Row['Errors'], codes: Row['Codigos']) =>
  assert.deepEqual(countsOf(codes), countsOf(errors))
