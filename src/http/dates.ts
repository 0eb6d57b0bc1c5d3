import { LRUCache } from 'lru-cache'
import { DAY_MS, MINUTE_MS } from '../clock.ts'
import { getOrInsert, itself, memoize } from '../memoize.ts'
import { type FaultMap, fault } from './problems.ts'

const QUARTER_MS = 15 * MINUTE_MS // offsets have only ever changed on a quarter of an hour
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') // no calendar has a year 0

const MAX_CACHED = 10_000

/** By zone, then by quarter of an hour. */
const offsets = new Map<string, LRUCache<number, number>>()

/** A timestamp as every answer has it: ISO 8601 with the offset that the zone has at that moment. */
export function toTimestamp(moment: Date, timeZone: string): string {
  const offset = offsetMinutes(moment.getTime(), timeZone)
  const local = new Date(moment.getTime() + offset * MINUTE_MS)
  return `${local.toISOString().slice(0, -1)}${suffixOf(offset)}`
}

/** What clocks and calendars of the zone show at that moment, as the UTC fields of a date. */
export const wallClock = (moment: Date, timeZone: string): Date =>
  new Date(moment.getTime() + offsetMinutes(moment.getTime(), timeZone) * MINUTE_MS)

/** `-03:00` */
function suffixOf(offset: number): string {
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${hours}:${minutes}`
}

/** The calendar day (`YYYY-MM-DD`) that a moment falls on in the zone. */
export const dayOf = (moment: Date, timeZone: string): string => toTimestamp(moment, timeZone).slice(0, 10)

/** The calendar day so many days after (or before) another; days are counted on the calendar, not in hours. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The days of a period, both ends included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/**
 * The first instant of a calendar day in the zone, also where that day has no midnight because clocks go forward. A day
 * that the zone left out, as those that crossed the date line did, begins and ends where the next one begins.
 */
export const startOfDay = (day: string, timeZone: string): Date => new Date(startMs({ day, timeZone }))

/** `startOfDay` in milliseconds, within the years of ids, which begin in 1970. */
export const dayStartMs = (day: string, timeZone: string): number => (day < '1971' ? 0 : startMs({ day, timeZone }))

/** When the day is over. That after 9999 has a year of five digits, which no date parser takes. */
export const dayEndMs = (day: string, timeZone: string): number =>
  day === '9999-12-31' ? Date.UTC(10_000, 0) : Math.max(1, dayStartMs(addDays(day, 1), timeZone))

const startMs = memoize(findStart, ({ day, timeZone }) => `${timeZone} ${day}`)

function findStart({ day, timeZone }: { day: string; timeZone: string }): number {
  const midnightAsUtc = Date.parse(`${day}T00:00:00Z`)
  const candidates = [-DAY_MS, 0, DAY_MS]
    .map((shift) => midnightAsUtc - offsetMinutes(midnightAsUtc + shift, timeZone) * MINUTE_MS)
    .filter((instant) => dayOf(new Date(instant), timeZone) === day)
  if (candidates.length === 0) return startMs({ day: addDays(day, 1), timeZone })
  let first = Math.min(...candidates)
  while (dayOf(new Date(first - QUARTER_MS), timeZone) === day) first -= QUARTER_MS
  return first
}

/** The moment at which clocks of the zone show `YYYY-MM-DDTHH:MM`; undefined if there is no such time. */
export function momentAt(local: string, timeZone: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) return undefined
  const asUtc = Date.parse(`${local}:00Z`)
  if (Number.isNaN(asUtc)) return undefined
  const candidates = [-DAY_MS, DAY_MS].map(
    (shift) => new Date(asUtc - offsetMinutes(asUtc + shift, timeZone) * MINUTE_MS),
  )
  return candidates.find((moment) => toTimestamp(moment, timeZone).startsWith(local))
}

/** Whether a text is a day of the calendar: `2025-02-30` is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const parsed = Date.parse(`${text}T00:00:00Z`)
  return parsed >= FIRST_DAY && new Date(parsed).toISOString().startsWith(text)
}

/** Intl is slow, so the offset of each quarter of an hour is looked up once. */
function offsetMinutes(instant: number, timeZone: string): number {
  const quarter = Math.floor(instant / QUARTER_MS)
  // Bounded by size, because `max` would allocate all of it at once.
  const ofZone = getOrInsert(offsets, timeZone, () => new LRUCache({ maxSize: MAX_CACHED, sizeCalculation: () => 1 }))
  return getOrInsert<number, number>(ofZone, quarter, () => readOffset(quarter * QUARTER_MS, timeZone))
}

/** From `GMT-03:00`. Old offsets have seconds too. */
function readOffset(instant: number, timeZone: string): number {
  const zone =
    formatFor(timeZone)
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d):?(\d\d)?/.exec(zone) ?? []
  const offset = Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
  return Math.floor(sign === '-' ? -offset : offset)
}

const formatFor = memoize(
  (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
  itself,
)

const REACH_DAYS = 90 // spec, "Limits"

/** The days that a list covers, both included, as days and as instants. */
export interface Period {
  desde: string
  hasta: string
  first: Date
  last: Date
}

/** The period of a query, in days of the zone; a future end means today. */
export function readPeriod({ desde, hasta }: Partial<Pick<Period, 'desde' | 'hasta'>>, now: Date, timeZone: string) {
  const today = dayOf(now, timeZone)
  const earliest = addDays(today, -REACH_DAYS)
  const from = desde ?? earliest
  const until = hasta === undefined || hasta > today ? today : hasta

  const errors: FaultMap = {}
  if (from < earliest)
    errors.desde = [fault('fuera-de-rango', `Debe ser ${earliest} o posterior: hoy menos ${REACH_DAYS} días.`)]
  // Also if hasta is missing: its default may lie before desde (docs/decisions/reading-inquiries.md).
  if (until < from)
    errors.hasta = [
      fault(
        'fuera-de-rango',
        from > today && hasta === undefined
          ? `Si falta, es hoy (${today}), que es anterior a desde (${from}).`
          : `El período terminaría el ${until}, antes de empezar: desde es ${from}.`,
      ),
    ]
  return Object.keys(errors).length > 0 ? { errors } : periodOf(from, until, timeZone)
}

export function periodOf(desde: string, hasta: string, timeZone: string): Period {
  const end = startOfDay(addDays(hasta, 1), timeZone)
  return { desde, hasta, first: startOfDay(desde, timeZone), last: new Date(end.getTime() - 1) }
}
