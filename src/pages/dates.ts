import { toTimestamp, wallClock } from '../http/dates.ts'

const DAY_MS = 86_400_000
const SHORT = 'ene feb mar abr may jun jul ago sept oct nov dic'.split(' ')
const MONTHS = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')

/** A day as people write it: «14 de marzo de 2025». */
export const formatDay = (moment: Date, timeZone: string): string => {
  const local = wallClock(moment, timeZone)
  return `${dayAndMonth(local)} de ${local.getUTCFullYear()}`
}

/**
 * A moment as people tell it: «hoy, 14:05», «ayer, 09:30», «3 de marzo, 18:20», with the year where it is another. By
 * hand: a list has fifty of them, and asking Intl for each was half of what such a page cost.
 */
export function formatMoment(moment: Date, now: Date, timeZone: string): string {
  const [local, today] = [wallClock(moment, timeZone), wallClock(now, timeZone)]
  const at = timeOfDay(local)
  const ago = Math.floor(today.getTime() / DAY_MS) - Math.floor(local.getTime() / DAY_MS)
  if (ago === 0) return `hoy, ${at}`
  if (ago === 1) return `ayer, ${at}`
  const year = local.getUTCFullYear()
  return `${dayAndMonth(local)}${year === today.getUTCFullYear() ? '' : ` de ${year}`}, ${at}`
}

/** A day in little room, below a bar: «14 mar». */
export function shortDay(moment: Date, timeZone: string): string {
  const local = wallClock(moment, timeZone)
  return `${local.getUTCDate()} ${SHORT[local.getUTCMonth()]}`
}

/** A calendar day within a year: «14 de marzo». */
export const dayOfYear = (day: string): string => dayAndMonth(new Date(`${day}T00:00:00Z`))

/** The time alone: «09:30». */
export const shortTime = (moment: Date, timeZone: string): string => timeOfDay(wallClock(moment, timeZone))

/** A moment for a spreadsheet, in the marketplace's zone: 2026-03-14 09:05. */
export const localMoment = (moment: Date, timeZone: string): string =>
  toTimestamp(moment, timeZone).slice(0, 16).replace('T', ' ')

const dayAndMonth = (local: Date): string => `${local.getUTCDate()} de ${MONTHS[local.getUTCMonth()]}`
const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))
const timeOfDay = (local: Date): string => `${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`
