import { addDays, dayOf, startOfDay } from '../../http/dates.ts'
import type { Chance } from '../../sandbox/fiction/chance.ts'

/** How much is asked on each day of the week, Sunday first: people look on Sunday evening and ask on Monday. */
const WEEK = [0.8, 1.3, 1.15, 1.1, 1.05, 1, 0.75] as const

/** How much is asked in each hour: little at night, a rise in the morning, lunch, and most after work. */
// biome-ignore format: a day is read at a glance
const DAY = [
  0.25, 0.12, 0.08, 0.05, 0.05, 0.1, 0.3, 0.7, 1.2, 1.8, 2.2, 2.3,
  2.0, 1.9, 1.7, 1.7, 1.8, 2.0, 2.3, 2.6, 2.8, 2.7, 1.9, 0.8,
] as const
const HOUR_MS = 3_600_000

/** Moments from one to another, oldest first, as many a day as it is asked on average, in the rhythm of real days. */
export function momentsBetween(from: Date, until: Date, perDay: number, timeZone: string, chance: Chance): Date[] {
  const moments: Date[] = []
  const last = dayOf(until, timeZone)
  for (let day = dayOf(from, timeZone); day <= last; day = addDays(day, 1)) {
    const mean = perDay * (WEEK[new Date(`${day}T12:00:00Z`).getUTCDay()] ?? 1)
    const start = startOfDay(day, timeZone).getTime()
    for (let left = Math.round(mean * (0.6 + 0.8 * chance.next())); left > 0; left--) {
      const hour = chance.weighted(DAY.map((weight, at) => [at, weight] as const))
      moments.push(new Date(start + hour * HOUR_MS + chance.between(0, HOUR_MS - 1)))
    }
  }
  const within = moments.filter((moment) => moment >= from && moment <= until)
  return within.sort((a, b) => a.getTime() - b.getTime())
}
