import type { Ciudad } from '../../../catalogue/load.ts'
import type { CityResult, Matcher } from '../../../catalogue/match/matcher.ts'
import { none } from '../../../catalogue/match/result.ts'
import { fault } from '../../../http/problems.ts'
import { mapRows } from '../../../http/rows.ts'
import { textOf } from '../../../i18n/messages.tsx'
import { EXPOSICIONES } from '../../agencias/paquetes.ts'
import { type DetailContext, readDetails } from '../details.ts'
import { type Capacity, MODERATED, noCapacity, resolveVisibility, updateCapacity } from '../paquete.ts'
import { type Publicacion, shownExposure, type Visibility } from '../publicacion.ts'
import { keyOf } from '../read.ts'
import { readVehicle, refuseOtherCar } from '../vehicle.ts'
import { changesOf, type NewListing, type Update } from '../write.ts'
import type { Row } from './rows.ts'

/** What a row does: creates a listing, changes one or leaves it; `next` is undefined if the row has faults. */
export interface PlannedRow {
  row: Row
  current: Publicacion | undefined
  next: NewListing | undefined
  columns: Update['columns']
}

export interface PlanContext {
  details: DetailContext
  capacity: Capacity
  /** The live listings by ExternalId without case. */
  current: ReadonlyMap<string, Publicacion>
}

/** Finding a city that is not spelled exactly is costly. */
export const MAX_CITIES = 100
const TOO_MANY_CITIES = `Un lote puede nombrar hasta ${MAX_CITIES} ciudades distintas: envíe las demás en otro.`

/** Plans an upload without writing anything, so that a simulation gives the same answer. */
export async function planRows(rows: Row[], context: PlanContext): Promise<PlannedRow[]> {
  const details = { ...context.details, matcher: withCityLimit(context.details.matcher) }
  const parsed = await mapRows(rows, (row) => parseRow(row, { ...context, details }))
  assignExposures(parsed, context.capacity)
  return parsed.map(({ row, current, content, visibility }) => {
    const next = content && visibility && !row.faults.any ? { ...content, visibility } : undefined
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

interface ParsedRow {
  row: Row
  current: Publicacion | undefined
  content: Pick<NewListing, 'vehicle' | 'details'> | undefined
  visibility?: Visibility
  refused?: 'moderated' | 'full' | undefined
}

function parseRow(row: Row, context: PlanContext): ParsedRow {
  const current = row.externalId === null ? undefined : context.current.get(keyOf(row.externalId))
  if (row.faults.any) return { row, current, content: undefined }
  const { body, faults } = row
  const { matcher } = context.details
  if (current) refuseOtherCar(matcher, current, body, faults)
  const vehicle = current ?? readVehicle(matcher, body, faults)
  return { row, current, content: { vehicle, details: readDetails(context.details, body, faults, current) } }
}

/**
 * Assigns exposures: first to rows that release one, then in the order of the rows until nothing changes, so that
 * repeating the upload changes nothing. It ends because a row that changes again gets a better exposure.
 */
function assignExposures(all: ParsedRow[], capacity: Capacity): void {
  const rows = all.filter(({ row }) => !row.faults.any)
  for (const each of rows.filter(releases)) assign(each, capacity)
  while (rows.map((each) => assign(each, capacity)).includes('changed'));
  for (const { row, refused } of rows) {
    if (refused) row.faults.addAll(refused === 'moderated' ? IS_MODERATED : noCapacity(row.body.Exposicion ?? null))
  }
}

const IS_MODERATED = { Activa: [fault('publicacion-moderada', textOf(MODERATED))] }

/** True if the row hides its listing or requests a lower exposure than it has. */
function releases({ row: { body }, current }: ParsedRow): boolean {
  const wanted = body.Exposicion
  const own = current && shownExposure(current)
  return body.Activa === false || Boolean(wanted && own && EXPOSICIONES.indexOf(wanted) > EXPOSICIONES.indexOf(own))
}

function assign(parsed: ParsedRow, capacity: Capacity): 'changed' | 'same' {
  const { row, current } = parsed
  const before = parsed.visibility ?? current
  const request = { activa: row.body.Activa, exposicion: row.body.Exposicion ?? null }
  const after = resolveVisibility(before, request, capacity)
  if ('refused' in after) {
    parsed.refused = after.refused
    return 'same'
  }
  const isNew = !before || before.estado !== after.estado || before.exposicion !== after.exposicion
  updateCapacity(capacity, before, after)
  parsed.visibility = after
  parsed.refused = undefined
  return isNew ? 'changed' : 'same'
}

export type Resultado = 'creada' | 'modificada' | 'sin-cambios' | 'archivada' | 'rechazada'

export function resultOf({ current, next, columns }: PlannedRow): Resultado {
  if (!next) return 'rechazada'
  if (!current) return 'creada'
  return columns.length > 0 ? 'modificada' : 'sin-cambios'
}
