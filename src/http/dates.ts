const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const QUARTER_MS = 15 * MINUTE_MS // offsets have only ever changed on a quarter of an hour
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z') // no calendar has a year 0

const formats = new Map<string, Intl.DateTimeFormat>()
/** By zone, then by quarter of an hour. */
const offsets = new Map<string, Map<number, number>>()
const starts = new Map<string, number>()
const suffixes = new Map<number, string>()
const MOST_KEPT = 10_000
/** By their number since 1970. */
const days = new Map<number, string>()
const digits = (count: number) =>
  Array.from({ length: 10 ** count }, (_, number) => String(number).padStart(count, '0'))
const [TWO, THREE] = [digits(2), digits(3)]

/** A timestamp as every answer has it: ISO 8601 with the offset that holds in the zone at that moment. */
export function toTimestamp(moment: Date, timeZone: string): string {
  const offset = offsetMinutes(moment.getTime(), timeZone)
  const local = moment.getTime() + offset * MINUTE_MS
  const day = Math.floor(local / DAY_MS)
  const ms = local - day * DAY_MS
  const hour = TWO[Math.floor(ms / HOUR_MS)]
  const minute = TWO[Math.floor(ms / MINUTE_MS) % 60]
  const second = TWO[Math.floor(ms / 1000) % 60]
  const suffix = suffixes.get(offset) ?? suffixOf(offset)
  return `${days.get(day) ?? printDay(day)}T${hour}:${minute}:${second}.${THREE[ms % 1000]}${suffix}`
}

/** `2026-11-16`; of all that a page prints the days are mostly the same few. */
function printDay(day: number): string {
  if (days.size >= MOST_KEPT) days.clear()
  const [text = ''] = new Date(day * DAY_MS).toISOString().split('T')
  days.set(day, text)
  return text
}

/** What clocks and calendars of the zone show at that moment, as the UTC fields of a date. */
export const wallClock = (moment: Date, timeZone: string): Date =>
  new Date(moment.getTime() + offsetMinutes(moment.getTime(), timeZone) * MINUTE_MS)

/** `-03:00`; there are a few dozen of them. */
function suffixOf(offset: number): string {
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
  const suffix = `${offset < 0 ? '-' : '+'}${hours}:${minutes}`
  suffixes.set(offset, suffix)
  return suffix
}

/** The calendar day (`YYYY-MM-DD`) that a moment falls on in the zone. */
export const dayOf = (moment: Date, timeZone: string): string => toTimestamp(moment, timeZone).slice(0, 10)

/** The calendar day so many days after (or before) another; days are counted on the calendar, not in hours. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/**
 * The first instant of a calendar day in the zone, also where that day has no midnight because clocks go forward. A day
 * that the zone left out, as those that crossed the date line did, begins and ends where the next one begins.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const key = `${timeZone} ${day}`
  const known = starts.get(key)
  if (known !== undefined) return new Date(known)
  if (starts.size >= MOST_KEPT) starts.clear()
  const start = findStart(day, timeZone)
  starts.set(key, start.getTime())
  return start
}

function findStart(day: string, timeZone: string): Date {
  const midnightAsUtc = Date.parse(`${day}T00:00:00Z`)
  const candidates = [-DAY_MS, 0, DAY_MS]
    .map((shift) => midnightAsUtc - offsetMinutes(midnightAsUtc + shift, timeZone) * MINUTE_MS)
    .filter((instant) => dayOf(new Date(instant), timeZone) === day)
    .sort((a, b) => a - b)
  if (candidates[0] === undefined) return startOfDay(addDays(day, 1), timeZone)
  let [first] = candidates
  while (dayOf(new Date(first - QUARTER_MS), timeZone) === day) first -= QUARTER_MS
  return new Date(first)
}

/** Whether a text is a day of the calendar: `2025-02-30` is not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const parsed = Date.parse(`${text}T00:00:00Z`)
  return parsed >= FIRST_DAY && new Date(parsed).toISOString().startsWith(text)
}

/** Asking Intl costs ten times what the rest of a timestamp does, so each quarter of an hour is asked for once. */
function offsetMinutes(instant: number, timeZone: string): number {
  const quarter = Math.floor(instant / QUARTER_MS)
  const ofZone = offsets.get(timeZone) ?? new Map<number, number>()
  const known = ofZone.get(quarter)
  if (known !== undefined) return known
  if (ofZone.size >= MOST_KEPT) ofZone.clear()
  offsets.set(timeZone, ofZone)

  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(quarter * QUARTER_MS)
      .map(({ type, value }) => [type, value]),
  ) as Record<'era' | 'year' | 'month' | 'day' | 'hour' | 'minute', string>
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year)
  // Not Date.UTC, which takes the year 25 for 1925.
  const day = new Date(0).setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day))
  const local = new Date(day).setUTCHours(Number(parts.hour), Number(parts.minute))
  const offset = Math.round((local - quarter * QUARTER_MS) / MINUTE_MS)
  ofZone.set(quarter, offset)
  return offset
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
