import { DAY_MS } from '../../clock.ts'

/** Somebody who shares an agency's new inquiries. */
export interface Sharer {
  email: string
  /** How near their branch is to the listing: 2 in its city, 1 in its region, 0 elsewhere. */
  near: number
  /** The inquiries that they got today, as far as they are committed. */
  today: number
}

const MAX_REMEMBERED = 100_000 // people

/**
 * Chooses who gets the next inquiry: of the nearest, somebody with the fewest today; among these each day begins with
 * another. No row is locked for it: the counters, which intake writes anyway, say how many everybody has, and the process
 * remembers those that it gave and that are not committed yet.
 */
export function createRotation(): (agenciaId: number, day: string, sharers: readonly Sharer[]) => string | undefined {
  const given = new Map<string, number>()
  let remembered = ''
  return (agenciaId, day, sharers) => {
    if (day !== remembered || given.size > MAX_REMEMBERED) given.clear()
    remembered = day
    const nearest = Math.max(...sharers.map(({ near }) => near))
    const candidates = sharers.filter(({ near }) => near === nearest)
    if (candidates.length === 0) return undefined
    const keyOf = ({ email }: Sharer) => `${agenciaId} ${email}`
    const countOf = (sharer: Sharer) => Math.max(sharer.today, given.get(keyOf(sharer)) ?? 0)
    const first = (Date.parse(day) / DAY_MS) % candidates.length
    const rotated = [...candidates.slice(first), ...candidates.slice(0, first)]
    const chosen = rotated.reduce((least, each) => (countOf(each) < countOf(least) ? each : least))
    given.set(keyOf(chosen), countOf(chosen) + 1)
    return chosen.email
  }
}
