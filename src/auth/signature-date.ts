import { itself, memoize } from '../memoize.ts'

const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/
const ISO_8601 =
  /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2})(?::?(\d{2})(\.\d{1,9})?)?(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)$/

const MAX_CACHED = 2_000

/**
 * Parses a `Date` header: IMF-fixdate (RFC 9110, 5.6.7) or ISO 8601 with its offset. Cached, because all requests of one
 * second have the same text.
 */
export const parseDate = memoize(readDate, itself, MAX_CACHED)

function readDate(text: string): number | undefined {
  const time = Date.parse(IMF_FIXDATE.test(text) ? text : extended(text))
  return Number.isNaN(time) ? undefined : time
}

/** The one form of ISO 8601 that Date.parse takes; the others only leave out punctuation, seconds or minutes. */
function extended(text: string): string {
  const [, year, month, day, hour, minute, second = '00', fraction = '', utc, offsetHour, offsetMinute = '00'] =
    ISO_8601.exec(text) ?? []
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${utc ?? `${offsetHour}:${offsetMinute}`}`
}
