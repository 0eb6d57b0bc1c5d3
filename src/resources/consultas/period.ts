import { addDays, dayOf, startOfDay } from '../../http/dates.ts'
import type { Errors } from '../../http/problems.ts'
import { itself, memoize } from '../../memoize.ts'
import { firstUlid } from '../../webhooks/ulid.ts'

export const REACH_DAYS = 90 // spec, "Limits"

/** The days that a list covers, both included, as days, as instants and as a range of sids. */
export interface Period {
  desde: string
  hasta: string
  /** The first and the last instant covered. */
  first: Date
  last: Date
  /** From this sid on, and below that one. */
  fromSid: string
  untilSid: string
}

interface Asked {
  desde?: string | undefined
  hasta?: string | undefined
}

/** The period that was asked for, in days of the zone; what has not come yet counts as today. */
export function readPeriod(
  { desde, hasta }: Asked,
  now: Date,
  timeZone: string,
): Readonly<Period> | { errors: Errors } {
  const today = dayOf(now, timeZone)
  const earliest = earliestOn(today)
  const [from, until] = [desde ?? earliest, hasta === undefined || hasta > today ? today : hasta]

  const errors: Errors = {}
  if (from < earliest) errors.desde = [`Como mínimo, ${earliest}: hoy menos ${REACH_DAYS} días.`]
  // Also where hasta was not sent: what it is then lies before desde (decisions, 9).
  if (until < from)
    errors.hasta = [
      from > today && hasta === undefined
        ? `Si falta es hoy, ${today}, antes de desde: ${from} no ha llegado todavía.`
        : `El período terminaría el ${until}, antes de empezar: desde es ${from}.`,
    ]
  return Object.keys(errors).length > 0 ? { errors } : periodOf(from, until, timeZone)
}

// Nearly everybody asks for the same few days, and to work them out took a fiftieth of a page.
const earliestOn = memoize((today: string) => addDays(today, -REACH_DAYS), itself)

const between = memoize(
  ({ desde, hasta, timeZone }: { desde: string; hasta: string; timeZone: string }): Readonly<Period> => {
    const first = startOfDay(desde, timeZone)
    const end = startOfDay(addDays(hasta, 1), timeZone)
    const last = new Date(end.getTime() - 1)
    return { desde, hasta, first, last, fromSid: firstUlid(first), untilSid: firstUlid(end) }
  },
  ({ desde, hasta, timeZone }) => `${desde} ${hasta} ${timeZone}`,
)

/** The period between two days. */
export const periodOf = (desde: string, hasta: string, timeZone: string): Readonly<Period> =>
  between({ desde, hasta, timeZone })
