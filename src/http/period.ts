import { itself, memoize } from '../memoize.ts'
import { addDays, dayOf, startOfDay } from './dates.ts'
import type { Errors } from './problems.ts'

export const REACH_DAYS = 90 // spec, "Limits"

/** The days that a list covers, both included, as days and as instants. */
export interface Period {
  desde: string
  hasta: string
  /** The first and the last instant covered. */
  first: Date
  last: Date
}

interface PeriodQuery {
  desde?: string | undefined
  hasta?: string | undefined
}

/** The period of a query, in days of the zone; a future end means today. */
export function readPeriod(
  { desde, hasta }: PeriodQuery,
  now: Date,
  timeZone: string,
): Readonly<Period> | { errors: Errors } {
  const today = dayOf(now, timeZone)
  const earliest = earliestOn(today)
  const [from, until] = [desde ?? earliest, hasta === undefined || hasta > today ? today : hasta]

  const errors: Errors = {}
  if (from < earliest) errors.desde = [`Como mínimo, ${earliest}: hoy menos ${REACH_DAYS} días.`]
  // Also if hasta is missing: its default may lie before desde (decisions, 9).
  if (until < from)
    errors.hasta = [
      from > today && hasta === undefined
        ? `Si falta es hoy, ${today}, antes de desde: ${from} no ha llegado todavía.`
        : `El período terminaría el ${until}, antes de empezar: desde es ${from}.`,
    ]
  return Object.keys(errors).length > 0 ? { errors } : periodOf(from, until, timeZone)
}

// Nearly all requests ask for the same few days.
const earliestOn = memoize((today: string) => addDays(today, -REACH_DAYS), itself)

const between = memoize(
  ({ desde, hasta, timeZone }: { desde: string; hasta: string; timeZone: string }): Readonly<Period> => {
    const end = startOfDay(addDays(hasta, 1), timeZone)
    return { desde, hasta, first: startOfDay(desde, timeZone), last: new Date(end.getTime() - 1) }
  },
  ({ desde, hasta, timeZone }) => `${desde} ${hasta} ${timeZone}`,
)

/** The period between two days. */
export const periodOf = (desde: string, hasta: string, timeZone: string): Readonly<Period> =>
  between({ desde, hasta, timeZone })
