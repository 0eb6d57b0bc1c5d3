import type { Place } from './place.ts'

/** Below this many people a Mexican place is a hamlet that no address names without its municipio. */
const SMALLEST_MX = 2500

/** Mexico's 16,917 places are mostly hamlets: kept are the seats and whatever has some size. Elsewhere everything stays. */
export function selected(country: string, places: readonly (Place & { kind?: string })[]): Place[] {
  if (country !== 'MX') return [...places]
  return places.filter((place) => place.kind !== 'PPL' || (place.poblacion ?? 0) >= SMALLEST_MX)
}
