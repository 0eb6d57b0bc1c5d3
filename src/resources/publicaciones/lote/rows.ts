import { type Errors, Problem } from '../../../http/problems.ts'
import { buildValidator } from '../../../http/validate.ts'
import type { PublicacionCreate } from '../create-schema.ts'
import { PublicacionFila } from '../create-schema.ts'
import { Faults } from '../faults.ts'
import { keyOf } from '../store.ts'

/** A row of an upload. What is wrong with it is found step by step, and spoils no other. */
export interface Row {
  /** Which it is, from 1. */
  fila: number
  /** As it was sent; null where it cannot be read. */
  externalId: string | null
  /** Whether that can be the name of a listing: «AB 1» may mean AB-1, and means none. */
  named: boolean
  body: PublicacionCreate
  faults: Faults
}

const LONGEST_ID = 255

type Check = (value: unknown) => { value: unknown } | { error: Problem }
let check: Check | undefined

/** The rows of an upload, each checked by itself; an ExternalId that was there before is a fault of the later row. */
export function readRows(values: readonly unknown[]): Row[] {
  check ??= buildValidator({})({ schema: PublicacionFila, httpPart: 'body' } as never) as Check
  const first = new Map<string, number>()
  return values.map((value, at) => {
    const row = readRow(value, at + 1, check as Check)
    if (row.externalId === null) return row
    const earlier = first.get(keyOf(row.externalId))
    if (earlier === undefined) first.set(keyOf(row.externalId), row.fila)
    else row.faults.add('ExternalId', `Repetido: ya está en la fila ${earlier}.`)
    return row
  })
}

function readRow(value: unknown, fila: number, check: Check): Row {
  const faults = new Faults()
  const externalId = externalIdOf(value)
  if (value instanceof Problem) addAll(faults, value.errors)
  else {
    const checked = check(value)
    if ('error' in checked) addAll(faults, checked.error.errors)
  }
  const named = externalId !== null && faults.errors.ExternalId === undefined
  return { fila, externalId, named, body: value as PublicacionCreate, faults }
}

function externalIdOf(value: unknown): string | null {
  const { ExternalId } = (typeof value === 'object' && value !== null ? value : {}) as { ExternalId?: unknown }
  return typeof ExternalId === 'string' && ExternalId.length <= LONGEST_ID ? ExternalId : null
}

function addAll(faults: Faults, errors: Errors = {}): void {
  for (const [member, reasons] of Object.entries(errors)) for (const reason of reasons) faults.add(member, reason)
}
