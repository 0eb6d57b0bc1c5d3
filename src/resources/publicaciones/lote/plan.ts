import type { Ciudad } from '../../../catalogue/load.ts'
import type { CityResult, Matcher } from '../../../catalogue/match/matcher.ts'
import { none } from '../../../catalogue/match/result.ts'
import { mapRows } from '../../../http/rows.ts'
import type { Column } from '../columns.ts'
import { move, type Room } from '../exposure.ts'
import { MODERATED, noPlace } from '../opening.ts'
import { type Details, EXPOSICIONES, type Vehicle } from '../publicacion.ts'
import { type Reading, readDetails } from '../reading.ts'
import { keyOf } from '../store.ts'
import { readVehicle, refuseOtherCar } from '../vehicle.ts'
import { stand } from '../visibility.ts'
import { changesOf, type Visibility } from '../write.ts'
import type { Living } from './living.ts'
import type { Row } from './rows.ts'

/** What a row comes to: a listing that is made, one that changes, one that stays; or nothing, for its faults. */
export interface Planned {
  row: Row
  current: Living | undefined
  next: Next | undefined
  /** What of a listing that lives is to be another than it is. */
  columns: Column[]
}

/** What a listing is to be, in the parts that it was read in. */
export interface Next {
  vehicle: Vehicle
  details: Details
  visibility: Visibility
}

export interface Ground {
  reading: Reading
  room: Room
  /** What lives already, by its ExternalId without case. */
  living: ReadonlyMap<string, Living>
}

/** Cities that the rows of one upload may name: finding one that is not spelled exactly is costly. */
export const MAX_CITIES = 100
const TOO_MANY_CITIES = `Un lote puede nombrar hasta ${MAX_CITIES} ciudades distintas: envíe las demás en otro.`

/** What an upload comes to. Nothing is written here, so that `simular` gives the same answer as the real upload. */
export async function planRows(rows: Row[], ground: Ground): Promise<Planned[]> {
  const reading = { ...ground.reading, matcher: withCityLimit(ground.reading.matcher) }
  const read = await mapRows(rows, (row) => readRow(row, { ...ground, reading }))
  settle(read, ground.room)
  return read.map(({ row, current, said, visibility }) => {
    const next = said && visibility && !row.faults.any ? { ...said, visibility } : undefined
    return { row, current, next, columns: current && next ? changesOf(current, next.details, next.visibility) : [] }
  })
}

function withCityLimit(matcher: Matcher): Matcher {
  const seen = new Set<string>()
  return {
    ...matcher,
    city(query): CityResult {
      const key = JSON.stringify([query.state, query.city])
      if (!seen.has(key) && seen.size === MAX_CITIES) return none<Ciudad, 'city'>('city', TOO_MANY_CITIES)
      seen.add(key)
      return matcher.city(query)
    },
  }
}

interface Read {
  row: Row
  current: Living | undefined
  said: Pick<Next, 'vehicle' | 'details'> | undefined
  visibility?: Visibility
  refused?: 'moderated' | 'full' | undefined
}

function readRow(row: Row, { reading, living }: Ground): Read {
  const current = row.externalId === null ? undefined : living.get(keyOf(row.externalId))
  if (row.faults.any) return { row, current, said: undefined }
  const { body, faults } = row
  if (current) refuseOtherCar(reading.matcher, current, body, faults)
  const vehicle = current ?? readVehicle(reading.matcher, body, faults)
  return { row, current, said: { vehicle, details: readDetails(reading, body, faults, current) } }
}

/**
 * Gives places: first to those that leave one, hidden or asking for less; then in the order of the rows, again and again
 * until nothing moves, so that the same upload once more finds nothing to do. It ends: a row that moves again moves up.
 */
function settle(all: Read[], room: Room): void {
  const rows = all.filter(({ row }) => !row.faults.any)
  for (const each of rows.filter(leaves)) place(each, room)
  while (rows.map((each) => place(each, room)).includes('moved'));
  for (const { row, refused } of rows) {
    const errors = refused && (refused === 'moderated' ? { Activa: [MODERATED] } : noPlace(row.body.Exposicion ?? null))
    for (const [member, reasons] of Object.entries(errors ?? {})) row.faults.add(member, reasons[0] ?? '')
  }
}

function leaves({ row: { body }, current }: Read): boolean {
  const [asked, own] = [body.Exposicion, current?.estado === 'Activa' && current.exposicion]
  return body.Activa === false || Boolean(asked && own && EXPOSICIONES.indexOf(asked) > EXPOSICIONES.indexOf(own))
}

function place(read: Read, room: Room): 'moved' | 'stayed' {
  const { row, current } = read
  const before = read.visibility ?? current
  const stood = stand(before, { activa: row.body.Activa, exposicion: row.body.Exposicion ?? null }, room)
  if ('refused' in stood) {
    read.refused = stood.refused
    return 'stayed'
  }
  const isNew = !before || before.estado !== stood.estado || before.exposicion !== stood.exposicion
  move(room, before, stood)
  read.visibility = stood
  read.refused = undefined
  return isNew ? 'moved' : 'stayed'
}

export type Resultado = 'creada' | 'modificada' | 'sin-cambios' | 'archivada' | 'rechazada'

/** What happened to a row, or would. */
export function resultOf({ current, next, columns }: Planned): Resultado {
  if (!next) return 'rechazada'
  if (!current) return 'creada'
  return columns.length > 0 ? 'modificada' : 'sin-cambios'
}
