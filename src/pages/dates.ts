import { addDays, dayOf, toTimestamp } from '../http/dates.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one took 0.17 ms, which is more than the rest of a row of a table; there are few of them. */
function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = Object.values(options).join(' ')
  const known = formats.get(key) ?? new Intl.DateTimeFormat('es-AR', options)
  formats.set(key, known)
  return known
}

/** A day as people write it: «14 de marzo de 2025». */
export const dayInWords = (moment: Date, timeZone: string): string =>
  formatOf({ timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(moment)

/** A moment as people tell it: «hoy, 14:05», «ayer, 9:30», «3 de marzo, 18:20», with the year where it is another. */
export function momentInWords(moment: Date, now: Date, timeZone: string): string {
  const at = formatOf({ timeZone, hour: 'numeric', minute: '2-digit', hourCycle: 'h23' }).format(moment)
  const [day, today] = [dayOf(moment, timeZone), dayOf(now, timeZone)]
  if (day === today) return `hoy, ${at}`
  if (day === addDays(today, -1)) return `ayer, ${at}`
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' as const }
  return `${formatOf({ timeZone, day: 'numeric', month: 'long', ...year }).format(moment)}, ${at}`
}

/** A moment for a spreadsheet, in the marketplace's zone: 2026-03-14 09:05. */
export const localMoment = (moment: Date, timeZone: string): string =>
  toTimestamp(moment, timeZone).slice(0, 16).replace('T', ' ')
