import type { ComponentChildren } from 'preact'
import { toTimestamp, wallClock } from '../http/dates.ts'

const FIGURES = new Intl.NumberFormat('es-AR')
const COMPACT = new Intl.NumberFormat('es-AR', { notation: 'compact' })
const TENTHS = new Intl.NumberFormat('es-AR', { maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat('es-AR', { style: 'percent', maximumFractionDigits: 1 })

/** A number with a point between thousands; small ones are quicker without Intl. */
export const formatNumber = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : FIGURES.format(value)

/** The same in short: 12 mil. */
export const formatCompact = (value: number): string => (value >= 10_000 ? COMPACT.format(value) : formatNumber(value))

/** A share in percent; a dash where the whole is 0. */
export const formatPercent = (part: number, whole: number): string => (whole === 0 ? '–' : PERCENT.format(part / whole))

/** A duration: 320 ms, 1,3 s. */
export const formatDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${TENTHS.format(ms / 1000)} s`)

const DAY_MS = 86_400_000
const SHORT = 'ene feb mar abr may jun jul ago sept oct nov dic'.split(' ')
const MONTHS = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')

/** A day as people write it: «14 de marzo de 2025». */
export const formatDay = (moment: Date, timeZone: string): string => {
  const local = wallClock(moment, timeZone)
  return `${dayAndMonth(local)} de ${local.getUTCFullYear()}`
}

/** «hoy, 14:05», «ayer, 09:30», «3 de marzo, 18:20». Not with Intl, which is slow for lists. */
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
export const formatDayMonth = (day: string): string => dayAndMonth(new Date(`${day}T00:00:00Z`))

/** The time alone: «09:30». */
export const shortTime = (moment: Date, timeZone: string): string => timeOfDay(wallClock(moment, timeZone))

/** A moment for a spreadsheet, in the marketplace's zone: 2026-03-14 09:05. */
export const localMoment = (moment: Date, timeZone: string): string =>
  toTimestamp(moment, timeZone).slice(0, 16).replace('T', ' ')

const dayAndMonth = (local: Date): string => `${local.getUTCDate()} de ${MONTHS[local.getUTCMonth()]}`
const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))
const timeOfDay = (local: Date): string => `${twoDigits(local.getUTCHours())}:${twoDigits(local.getUTCMinutes())}`

/** The present time, and the time zone of the page. */
export interface TimeContext {
  now: Date
  timeZone: string
}

interface MomentProps {
  at: Date
  when: TimeContext
  children?: ComponentChildren
}

/** A moment as people say it, with the exact one in its attributes. */
export const Moment = ({ at, when: { now, timeZone }, children }: MomentProps) => (
  <time datetime={at.toISOString()} title={at.toISOString()}>
    {formatMoment(at, now, timeZone)}
    {children}
  </time>
)

/** A moment to the second, for logs. */
export const Timestamp = ({ at, when }: MomentProps) => (
  <Moment at={at} when={when}>
    <span class="seconds">{at.toISOString().slice(16, 19)}</span>
  </Moment>
)
