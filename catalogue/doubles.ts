import type { GeonamesPlace } from './geonames.ts'
import { grouped, kilometresBetween, nameInRegion } from './place.ts'

const ONE_PLACE_KM = 15

/** GeoNames lists some towns twice (as a seat and as a settlement); of two namesakes side by side the larger stays. */
export function withoutDoubles(places: readonly GeonamesPlace[]): GeonamesPlace[] {
  const dropped = new Set<GeonamesPlace>()
  for (const namesakes of grouped(places, nameInRegion).values()) {
    const bySize = namesakes.toSorted((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0) || (a.id ?? 0) - (b.id ?? 0))
    for (const [index, place] of bySize.entries()) {
      const kept = bySize.slice(0, index).filter((larger) => !dropped.has(larger))
      if (kept.some((larger) => kilometresBetween(larger, place) < ONE_PLACE_KM)) dropped.add(place)
    }
  }
  return places.filter((place) => !dropped.has(place))
}
