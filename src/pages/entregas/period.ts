import { addDays, isDay, startOfDay, toTimestamp } from '../../http/dates.ts'
import { firstUlid } from '../../webhooks/ulid.ts'

const LOCAL = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?$/
const MINUTE_MS = 60_000

/** The first instant that a day or a local time stands for (`2026-03-14`, `2026-03-14T09:30`); undefined for anything else. */
export function firstInstant(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return text < '1971' ? 0 : startOfDay(text, timeZone).getTime()
  const [, day = '', hour, minute] = LOCAL.exec(text) ?? []
  if (!isDay(day) || day < '1971' || Number(hour) > 23 || Number(minute) > 59) return undefined
  const asUtc = Date.parse(`${text}Z`)
  return Number.isNaN(asUtc) ? undefined : asUtc - offsetMs(asUtc - offsetMs(asUtc, timeZone), timeZone)
}

/** The first instant after it: the day, the minute or the second is meant whole. */
export function instantAfter(text: string, timeZone: string): number | undefined {
  if (isDay(text)) return text >= '9999' ? undefined : firstInstant(addDays(text, 1), timeZone)
  const first = firstInstant(text, timeZone)
  return first === undefined ? undefined : first + (text.length > 16 ? 1000 : MINUTE_MS)
}

/** The ids of a period: events are found by when they were made. */
export const idAt = (instant: number): string => firstUlid(new Date(Math.max(0, instant)))

/** A moment as the fields of a form have it, to the second. */
export const asLocal = (moment: Date, timeZone: string): string => toTimestamp(moment, timeZone).slice(0, 19)

/** How far the zone is from UTC at that instant. */
function offsetMs(instant: number, timeZone: string): number {
  return Date.parse(`${toTimestamp(new Date(instant), timeZone).slice(0, 23)}Z`) - instant
}
