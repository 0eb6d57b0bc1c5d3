// ULIDs and timestamps.
import { randomBytes } from 'node:crypto'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function timePart(ms) {
  let [text, left] = ['', ms]
  for (let at = 0; at < 10; at++) {
    text = DIGITS[left % 32] + text
    left = Math.floor(left / 32)
  }
  return text
}

export function ulid(ms = Date.now()) {
  let id = timePart(ms)
  for (const byte of randomBytes(16)) id += DIGITS[byte & 31]
  return id
}

/** The smallest id of a millisecond. */
export const firstUlid = (ms) => timePart(ms) + '0'.repeat(16)

export function momentOf(id) {
  let ms = 0
  for (let at = 0; at < 10; at++) ms = ms * 32 + DIGITS.indexOf(id[at])
  return new Date(ms)
}

const formats = new Map()

/** ISO 8601 with the offset of a zone. */
export function toTimestamp(moment, timeZone) {
  let format = formats.get(timeZone)
  if (!format) {
    const numeric = { hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' }
    const rest = { minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'longOffset' }
    formats.set(timeZone, (format = new Intl.DateTimeFormat('en-US', { timeZone, ...numeric, ...rest })))
  }
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute, second, fractionalSecond, timeZoneName } = part
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionalSecond}${timeZoneName.slice(3) || '+00:00'}`
}
