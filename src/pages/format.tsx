import type { ComponentChildren } from 'preact'
import { DAY_MS } from '../clock.ts'
import { toTimestamp, wallClock } from '../http/dates.ts'
import { dateFormat, formatNumber, numberFormat } from '../i18n/format.ts'
import { t } from '../i18n/messages.tsx'

export { formatNumber }

const COMPACT = numberFormat({ notation: 'compact' })
const TENTHS = numberFormat({ maximumFractionDigits: 1 })

/** A number in short, for the axes of charts: 12 k. Of thousands, `Intl` writes «1 K» and «10 k» in Argentina. */
export function formatCompact(value: number): string {
  if (value < 1000) return formatNumber(value)
  return value < 1_000_000 ? t('comun.thousands', { count: TENTHS().format(value / 1000) }) : COMPACT().format(value)
}

/** A share in percent; a dash where the whole is 0. */
export const formatPercent = (part: number, whole: number): string =>
  whole === 0 ? '–' : t('comun.percent', { percent: TENTHS().format((part / whole) * 100) })

/** A duration, in units that are the same everywhere: 320 ms, 1,3 s. */
export const formatDuration = (ms: number): string =>
  ms < 1000 ? `${ms}\u00a0ms` : `${TENTHS().format(ms / 1000)}\u00a0s`

const DAY = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' })
const DAY_MONTH = dateFormat({ day: 'numeric', month: 'long' })
const NUMERIC_DAY = dateFormat({ day: 'numeric', month: 'numeric' })
const SHORT_DAY = dateFormat({ day: 'numeric', month: 'short' })
const SHORT_DAY_OF_YEAR = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** A day as people write it: «14 de marzo de 2025». */
export const formatDay = (moment: Date, timeZone: string): string => DAY().format(wallClock(moment, timeZone))

/** «hoy, 14:05», «ayer, 09:30», «3 de marzo, 18:20»; `short` in the rows of a list: «3 mar, 18:20» */
export function formatMoment(moment: Date, now: Date, timeZone: string, short = false): string {
  const local = wallClock(moment, timeZone)
  const today = wallClock(now, timeZone)
  const time = timeOfDay(local)
  const ago = daysBetween(local, today)
  if (ago === 0) return t('comun.moment.today', { time })
  if (ago === 1) return t('comun.moment.yesterday', { time })
  const [withinYear, withYear] = short ? [SHORT_DAY, SHORT_DAY_OF_YEAR] : [DAY_MONTH, DAY]
  const format = local.getUTCFullYear() === today.getUTCFullYear() ? withinYear : withYear
  return t('comun.moment.other', { day: format().format(local), time })
}

const daysBetween = (from: Date, to: Date): number =>
  Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS)

/** A day in little room, below a bar: «14/3». */
export const shortDay = (moment: Date, timeZone: string): string => NUMERIC_DAY().format(wallClock(moment, timeZone))

/** A calendar day within a year: «14 de marzo». */
export const formatDayMonth = (day: string): string => DAY_MONTH().format(new Date(`${day}T00:00:00Z`))

/** The time alone: «09:30». */
export const shortTime = (moment: Date, timeZone: string): string => timeOfDay(wallClock(moment, timeZone))

/** A moment for a spreadsheet, in the marketplace's zone: 2026-03-14 09:05. */
export const localMoment = (moment: Date, timeZone: string): string =>
  toTimestamp(moment, timeZone).slice(0, 16).replace('T', ' ')

/** A moment to the second, with the offset of the zone: 2026-03-14 09:05:12 -03:00. */
const exactMoment = (moment: Date, timeZone: string): string => {
  const [day, time = ''] = toTimestamp(moment, timeZone).split('T')
  return `${day} ${time.slice(0, 8)} ${time.slice(12)}`
}

/** A place in one line. A city that is called like its region is named once. */
export const formatPlace = (...parts: readonly (string | null | undefined)[]): string =>
  [...new Set(parts.filter(Boolean))].join(', ')

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
  /** In the rows of a list, where there is little room. */
  short?: boolean | undefined
  children?: ComponentChildren
}

/** A moment as people say it, with the exact local time in its tooltip. On paper, «hoy» is replaced by the day. */
export function Moment({ at, when: { now, timeZone }, short, children }: MomentProps) {
  const ago = daysBetween(wallClock(at, timeZone), wallClock(now, timeZone))
  const isRelative = ago === 0 || ago === 1
  const said = formatMoment(at, now, timeZone, short)
  const paper = () => t('comun.moment.other', { day: formatDay(at, timeZone), time: shortTime(at, timeZone) })
  return (
    <time datetime={at.toISOString()} title={exactMoment(at, timeZone)} data-paper={isRelative ? paper() : undefined}>
      {isRelative ? <span class="relative">{said}</span> : said}
      {children}
    </time>
  )
}

/** A moment to the second, for logs. */
export const Timestamp = ({ at, when, short }: MomentProps) => (
  <Moment at={at} when={when} short={short}>
    <span class="seconds">{at.toISOString().slice(16, 19)}</span>
  </Moment>
)
