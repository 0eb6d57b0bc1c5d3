import { fold, grouped, nameInRegion, type Place } from './place.ts'

/** Our own ids begin here: far above GeoNames' ids, far below an operator's own (10⁹). */
export const FIRST_OWN_ID = 500_000_001

/** A numbered place. */
export interface Numbered extends Place {
  id: number
}

/** A declared change: the id stays, and its name or region changes. */
export interface Rename {
  id: number
  nombre: string
  region: string
}

/**
 * Gives every place its id: GeoNames' own, else the one in the ledger (the files we shipped before), else the next free one. An
 * id is never reused, so new ones are also above all retired ones.
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
  // Namesakes of a region first take the id of their own department, in any order; what is left is a place whose department
  // was corrected.
  const exact = places.map((place) => place.id ?? claim(place, true))
  const known = places.map((place, at) => exact[at] ?? claim(place, false))
  return places.map((place, at) => ({ ...place, id: known[at] ?? nextId() }))
}

/** Every id whose meaning changes from `ledger` to `now`. */
export function idConflicts(
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
