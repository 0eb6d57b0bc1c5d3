import type { Rows } from '../../../http/body.ts'
import { fault, firstFaults, invalid, Problem } from '../../../http/problems.ts'
import { mapRows, parseRow, splitRows } from '../../../http/rows.ts'
import { bodyFaults } from '../../../http/validate.ts'
import { Faults } from '../faults.ts'
import { ExternalId } from '../publicacion.ts'
import { keyOf } from '../read.ts'
import { type PublicacionCreate, PublicacionFila } from '../schema.ts'
import type { LoteQuery } from './schema.ts'

/** A row of an upload. Its faults are collected step by step and do not affect other rows. */
export interface Row {
  /** Its number, from 1. */
  fila: number
  /** As it was sent; null if it cannot be read. */
  externalId: string | null
  /** Whether `externalId` is valid. */
  named: boolean
  /** Empty if its form is wrong. */
  body: PublicacionCreate
  faults: Faults
}

export const MAX_ROWS = 500 // docs/decisions/listings.md
export const MAX_ROW_FAULTS = 10 // docs/decisions/listings.md
const MAX_ID_CHARACTERS = 255

const TOO_MANY = `Puede tener hasta ${MAX_ROWS} filas: envíe las demás en otro lote.`
/** A complete upload archives what it does not have, so it cannot be split. */
const TOO_MANY_COMPLETE =
  `Puede tener hasta ${MAX_ROWS} filas, y en modo completo lo que va en otro lote se archivaría. ` +
  'Con más stock, envíelo por partes en modo parcial, y archive lo que ya no está con DELETE.'

/** The rows of an upload, each parsed and checked alone. A repeated ExternalId is a fault of the later row. */
export async function readRows(sent: Rows, { modo }: Pick<LoteQuery, 'modo'>): Promise<Row[]> {
  const texts = splitRows(sent, MAX_ROWS)
  if (texts.length > MAX_ROWS)
    throw invalid({ _: [fault('demasiados-elementos', modo === 'completo' ? TOO_MANY_COMPLETE : TOO_MANY)] })
  const first = new Map<string, number>()
  return mapRows(texts, (text, at) => {
    const row = readRow(parseRow(text, at + 1, sent), at + 1)
    if (row.externalId === null) return row
    const earlier = first.get(keyOf(row.externalId))
    if (earlier === undefined) first.set(keyOf(row.externalId), row.fila)
    else row.faults.add('ExternalId', fault('repetido', `Repetido: ya está en la fila ${earlier}.`))
    return row
  })
}

function readRow(value: unknown, fila: number): Row {
  const faults = new Faults()
  const externalId = externalIdOf(value)
  const errors = value instanceof Problem ? value.faults : bodyFaults(PublicacionFila, value)
  faults.addAll(firstFaults(errors ?? {}, MAX_ROW_FAULTS))
  // Checked apart, because the faults of the row are cut off at a maximum.
  const named = externalId !== null && (!faults.any || Object.keys(bodyFaults(ExternalId, externalId)).length === 0)
  // Do not hold a large invalid value until the response.
  return { fila, externalId, named, body: (faults.any ? {} : value) as PublicacionCreate, faults }
}

function externalIdOf(value: unknown): string | null {
  const { ExternalId } = (typeof value === 'object' && value !== null ? value : {}) as { ExternalId?: unknown }
  return typeof ExternalId === 'string' && ExternalId.length <= MAX_ID_CHARACTERS ? ExternalId : null
}
