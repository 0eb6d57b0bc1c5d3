import type { GeonamesPlace } from './geonames.ts'
import { fold, grouped, kilometresBetween, nameInRegion, type Place } from './place.ts'

const ONE_PLACE_KM = 15

/** GeoNames lists some towns twice, as a seat and as a settlement; of namesakes that are one place the larger stays. */
export function withoutDoubles(places: readonly GeonamesPlace[]): GeonamesPlace[] {
  const dropped = new Set<GeonamesPlace>()
  for (const namesakes of grouped(places, nameInRegion).values()) {
    const bySize = namesakes.toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0) || (a.id ?? 0) - (b.id ?? 0))
    for (const [index, place] of bySize.entries()) {
      const kept = bySize.slice(0, index).filter((larger) => !dropped.has(larger))
      if (kept.some((larger) => isOnePlace(larger, place))) dropped.add(place)
    }
  }
  return places.filter((place) => !dropped.has(place))
}

/** Side by side, or in one department, where nobody could tell them apart by what we show. */
const isOnePlace = (a: Place, b: Place): boolean =>
  kilometresBetween(a, b) < ONE_PLACE_KM || fold(a.departamento) === fold(b.departamento)
