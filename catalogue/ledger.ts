import { fold, grouped, nameInRegion, type Place } from './place.ts'

/** Ids that we give ourselves begin here: far above GeoNames' (13 million in 2026), far below an operator's own (10⁹). */
export const FIRST_OWN_ID = 500_000_001

/** A numbered place. */
export interface Numbered extends Place {
  id: number
}

/** A declared change of meaning: the id stays, the name or the region is another. */
export interface Rename {
  id: number
  nombre: string
  region: string
}

/**
 * Gives every place its id: GeoNames' own, else the one it had in the ledger (the files we shipped before), else
 * the next free. An id once given is never given again, so the next one also lies above all that were retired.
 */
export function number(
  places: readonly Place[],
  ledger: readonly Numbered[],
  renames: readonly Rename[],
  nextId: () => number,
): Numbered[] {
  const renamed = new Map(renames.map((rename) => [rename.id, rename]))
  const own = ledger.filter((entry) => entry.id >= FIRST_OWN_ID)
  const before = grouped(own, (entry) => nameInRegion(renamed.get(entry.id) ?? entry))
  const used = new Set<number>()
  const claim = (place: Place, sameDepartment: boolean): number | undefined => {
    const candidates = (before.get(nameInRegion(place)) ?? []).filter((entry) => !used.has(entry.id))
    const found = candidates.find((entry) => !sameDepartment || fold(entry.departamento) === fold(place.departamento))
    if (found !== undefined) used.add(found.id)
    return found?.id
  }
  // Namesakes of one region first take the id of their own department, whatever order they are listed in;
  // then what is left over is a place whose department was corrected.
  const exact = places.map((place) => place.id ?? claim(place, true))
  const known = places.map((place, at) => exact[at] ?? claim(place, false))
  return places.map((place, at) => ({ ...place, id: known[at] ?? nextId() }))
}

/** Every way in which `now` breaks a promise that `ledger` made; empty when all ids mean what they meant. */
export function brokenPromises(
  ledger: readonly Numbered[],
  now: readonly Numbered[],
  renames: readonly Rename[],
  retired: ReadonlySet<number>,
): string[] {
  const byId = new Map(now.map((place) => [place.id, place]))
  const declared = new Map(renames.map((rename) => [rename.id, nameInRegion(rename)]))
  const describe = (place: Place) => `${place.nombre} (${place.region})`
  const gone = ledger.flatMap((entry) => {
    const place = byId.get(entry.id)
    if (place === undefined) return retired.has(entry.id) ? [] : `${entry.id} ${describe(entry)} disappears`
    const kept = nameInRegion(place) === nameInRegion(entry) || nameInRegion(place) === declared.get(entry.id)
    return kept ? [] : `${entry.id} ${describe(entry)} becomes ${describe(place)}`
  })
  const reused = now.flatMap((place) => (retired.has(place.id) ? `${place.id} ${describe(place)} was retired` : []))
  const doubled = now.length === byId.size ? [] : [`${now.length - byId.size} ids are given twice`]
  return [...gone, ...reused, ...doubled]
}
