import { isChanged } from '../edit.ts'
import { move, type Room } from '../exposure.ts'
import { MODERATED, noPlace } from '../opening.ts'
import type { Details, Publicacion, Vehicle } from '../publicacion.ts'
import { type Reading, readDetails } from '../reading.ts'
import { stand } from '../standing.ts'
import { keyOf } from '../store.ts'
import { readVehicle, refuseOtherCar } from '../vehicle.ts'
import type { Standing } from '../write.ts'
import type { Row } from './rows.ts'

/** What a row comes to: a listing that is made, one that changes, one that stays; or nothing, for its faults. */
export interface Planned {
  row: Row
  current: Publicacion | undefined
  next: Next | undefined
}

/** What a listing is to be, in the parts that it was read in. */
export interface Next {
  vehicle: Vehicle
  details: Details
  standing: Standing
}

export interface Ground {
  reading: Reading
  room: Room
  /** What lives already, by its ExternalId without case. */
  living: ReadonlyMap<string, Publicacion>
}

/** What an upload comes to. Nothing is written here: whoever only asks gets the same answer as whoever acts. */
export function planRows(rows: Row[], ground: Ground): Planned[] {
  const read = rows.map((row) => readRow(row, ground))
  // What is hidden frees places for what is shown, wherever it stands.
  const hiding = ({ row }: Read) => row.body?.Activa === false
  for (const each of read.filter(hiding)) place(each, ground.room)
  for (const each of read.filter((one) => !hiding(one))) place(each, ground.room)
  return read.map(({ row, current, said, standing }) => ({
    row,
    current,
    next: said && standing && !row.faults.any ? { ...said, standing } : undefined,
  }))
}

interface Read {
  row: Row
  current: Publicacion | undefined
  said: Pick<Next, 'vehicle' | 'details'> | undefined
  standing?: Standing
}

function readRow(row: Row, { reading, living }: Ground): Read {
  const current = row.externalId === null ? undefined : living.get(keyOf(row.externalId))
  if (row.faults.any) return { row, current, said: undefined }
  const { body, faults } = row
  if (current) refuseOtherCar(reading.matcher, current, body, faults)
  const vehicle = current ?? readVehicle(reading.matcher, body, faults)
  return { row, current, said: { vehicle, details: readDetails(reading, body, faults, current) } }
}

function place(read: Read, room: Room): void {
  const { row, current } = read
  if (row.faults.any) return
  const pedida = row.body.Exposicion ?? null
  const stood = stand(current, { activa: row.body.Activa, exposicion: pedida }, room)
  if (!('refused' in stood)) {
    read.standing = stood
    return move(room, current, stood)
  }
  const errors = stood.refused === 'moderated' ? { Activa: [MODERATED] } : noPlace(pedida)
  for (const [member, reasons] of Object.entries(errors)) row.faults.add(member, reasons[0] ?? '')
}

export type Resultado = 'creada' | 'modificada' | 'sin-cambios' | 'archivada' | 'rechazada'

/** What happened to a row, or would. */
export function resultOf({ current, next }: Planned): Resultado {
  if (!next) return 'rechazada'
  if (!current) return 'creada'
  return isChanged(current, next.details, next.standing) ? 'modificada' : 'sin-cambios'
}
