import { type Errors, firstErrors, invalid, Problem } from '../../../http/problems.ts'
import { mapRows, parseRow, type Rows, splitRows } from '../../../http/rows.ts'
import { bodyFaults } from '../../../http/validate.ts'
import { ExternalId, type PublicacionCreate, PublicacionFila } from '../create-schema.ts'
import { Faults } from '../faults.ts'
import { keyOf } from '../store.ts'
import type { LoteQuery } from './schema.ts'

/** A row of an upload. What is wrong with it is found step by step, and spoils no other. */
export interface Row {
  /** Which it is, from 1. */
  fila: number
  /** As it was sent; null where it cannot be read. */
  externalId: string | null
  /** Whether that can be the name of a listing: «AB 1» may mean AB-1, and means none. */
  named: boolean
  /** Empty where its form is wrong. */
  body: PublicacionCreate
  faults: Faults
}

export const MAX_ROWS = 500 // decisions, 10
export const MAX_ROW_FAULTS = 10 // decisions, 14, "Bodies"
const LONGEST_ID = 255

const TOO_MANY = `Puede tener hasta ${MAX_ROWS} filas: envíe las demás en otro lote.`
/** What is in another upload would be absent from this one, so the stock of a larger dealer is no matter of one upload. */
const TOO_MANY_COMPLETE =
  `Puede tener hasta ${MAX_ROWS} filas, y en modo completo lo que va en otro lote se archivaría. ` +
  'Con más stock, envíelo de a partes en modo parcial, y archive lo que ya no está con DELETE.'

/** The rows of an upload, each parsed and checked alone; an ExternalId that was there before is a fault of the later row. */
export async function readRows(sent: Rows, { modo }: Pick<LoteQuery, 'modo'>): Promise<Row[]> {
  const texts = splitRows(sent, MAX_ROWS)
  if (texts.length > MAX_ROWS) throw invalid({ _: [modo === 'completo' ? TOO_MANY_COMPLETE : TOO_MANY] })
  const first = new Map<string, number>()
  return mapRows(texts, (text, at) => {
    const row = readRow(parseRow(text, at + 1, sent), at + 1)
    if (row.externalId === null) return row
    const earlier = first.get(keyOf(row.externalId))
    if (earlier === undefined) first.set(keyOf(row.externalId), row.fila)
    else row.faults.add('ExternalId', `Repetido: ya está en la fila ${earlier}.`)
    return row
  })
}

function readRow(value: unknown, fila: number): Row {
  const faults = new Faults()
  const externalId = externalIdOf(value)
  const errors = value instanceof Problem ? value.errors : bodyFaults(PublicacionFila, value)
  addFirst(faults, errors)
  // Not by the faults of the row: that of its ExternalId may be one of those left out.
  const named = externalId !== null && (!faults.any || Object.keys(bodyFaults(ExternalId, externalId)).length === 0)
  // A hostile value is not held until the answer.
  return { fila, externalId, named, body: (faults.any ? {} : value) as PublicacionCreate, faults }
}

function externalIdOf(value: unknown): string | null {
  const { ExternalId } = (typeof value === 'object' && value !== null ? value : {}) as { ExternalId?: unknown }
  return typeof ExternalId === 'string' && ExternalId.length <= LONGEST_ID ? ExternalId : null
}

function addFirst(faults: Faults, errors: Errors = {}): void {
  for (const [member, reasons] of Object.entries(firstErrors(errors, MAX_ROW_FAULTS)))
    for (const reason of reasons) faults.add(member, reason)
}
