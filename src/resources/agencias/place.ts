import type { Region } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { matched } from '../../http/catalogue-routes.ts'
import type { ProblemExtensions } from '../../http/problem-extensions.ts'
import { type Errors, type FaultMap, fault, invalid, Problem } from '../../http/problems.ts'
import type { Candidato } from '../../http/schemas.ts'
import { t } from '../../i18n/messages.tsx'
import { lineOrNull } from '../../text.ts'
import { matchCity } from '../ciudades/ciudades.ts'
import { regionRef } from '../regiones/regiones.ts'
import type { Place } from './agencia.ts'

/** Faults by member, with candidates. */
interface PlaceFault {
  errors: FaultMap
  candidates: Candidato[]
}

/** Faults by field as a page shows them, with candidates. */
export interface PlaceErrors {
  errors: Errors
  candidates: Candidato[]
}

interface PlaceText {
  Region?: string | null | undefined
  Ciudad?: string | null | undefined
}

/** As in the schemas of bodies. */
export const MAX_PLACE_CHARACTERS = 200
const TOO_LONG = fault('muy-largo', `Puede tener hasta ${MAX_PLACE_CHARACTERS} caracteres.`)

export const NOWHERE: Place = { regionId: null, region: null, ciudadId: null, ciudad: null }
const REGION_NEEDED = fault('requerido', 'Indique también la región: hay ciudades del mismo nombre en varias.')

/** The region and city of a text, or its faults. A city needs its region. A place sent back as read is not matched again. */
export function readPlace(matcher: Matcher, written: PlaceText, ...known: (Place | undefined)[]): Place | PlaceFault {
  const long = (['Region', 'Ciudad'] as const).filter((name) => (written[name]?.length ?? 0) > MAX_PLACE_CHARACTERS)
  if (long.length > 0) return { errors: Object.fromEntries(long.map((name) => [name, [TOO_LONG]])), candidates: [] }
  const state = lineOrNull(written.Region)
  const city = lineOrNull(written.Ciudad)
  const same = known.find((place) => place && place.region === state && place.ciudad === city)
  if (same) return placeOf(same)
  if (state === null) return city === null ? NOWHERE : { errors: { Region: [REGION_NEEDED] }, candidates: [] }
  if (city === null) {
    const found = matched(matcher.region(state), regionRef)
    return found instanceof Problem ? placeFault(found) : { ...NOWHERE, ...regionOf(found.entry) }
  }
  const found = matchCity(matcher, { state, city })
  if (found instanceof Problem) return placeFault(found)
  // bestmatch may find the only city of that name in another region.
  const { id, nombre, region } = found.entry
  return { ...regionOf(region), ciudadId: id, ciudad: nombre }
}

/** As `readPlace`; 400 for a fault. */
export function requirePlace(...written: Parameters<typeof readPlace>): Place {
  const place = readPlace(...written)
  if (isFault(place)) throw invalid(place.errors, candidatos(place))
  return place
}

export const placeOf = ({ regionId, region, ciudadId, ciudad }: Place): Place => ({
  regionId,
  region,
  ciudadId,
  ciudad,
})

/** As `readPlace`, for a page, where a city outside the chosen region is a fault with the right place as candidate. */
export function confirmPlace(matcher: Matcher, written: PlaceText, known?: Place): Place | PlaceFault {
  const place = readPlace(matcher, written, known)
  if (isFault(place) || place.ciudadId === null || place.region === lineOrNull(written.Region)) return place
  const chosen = matcher.region(lineOrNull(written.Region) ?? '')
  if (chosen.kind === 'none' || chosen.entry.id === place.regionId) return place
  const { ciudadId, ciudad, region } = place
  return {
    errors: {
      Ciudad: [
        fault('incompatible', t('comun.fault.otherRegion', { city: ciudad, region, chosen: chosen.entry.nombre })),
      ],
    },
    candidates: [{ href: `/v3/ciudades/${ciudadId}`, title: `${ciudad} (${region})`, Score: 1 }],
  }
}

export const isFault = (place: Place | PlaceFault): place is PlaceFault => 'errors' in place

/** The extension of bestmatch for a fault of place; none for other faults. */
export const candidatos = ({ errors, candidates }: PlaceFault): ProblemExtensions =>
  'Region' in errors || 'Ciudad' in errors ? { Candidatos: candidates } : {}

const regionOf = ({ id, nombre }: Region) => ({ regionId: id, region: nombre })

const MEMBERS: Record<string, string> = { state: 'Region', city: 'Ciudad' }

/** The refusal of bestmatch with the names of our members. */
function placeFault({ faults = {}, extensions }: Problem): PlaceFault {
  const named = Object.entries(faults).map(([parameter, reasons]) => [
    MEMBERS[parameter] ?? parameter,
    reasons.map(({ code, text }) =>
      fault(
        code,
        text.replace(/\b(?:state|city)\b/g, (name) => MEMBERS[name] ?? name),
      ),
    ),
  ])
  return { errors: Object.fromEntries(named), candidates: extensions.Candidatos ?? [] }
}
