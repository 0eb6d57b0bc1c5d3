const MOST_SECONDS = 86_400 // decisions, 8: up to 24 h

/** An HTTP date in any of its three forms (RFC 9110, 5.6.7) begins with a day of the week; `Date.parse` takes `1.5` for one. */
const DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i

/** How many seconds an answer asks us to wait (RFC 9110, 10.2.3: seconds or a date); undefined where it says nothing. */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (dateOf(text) - nowMs) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), MOST_SECONDS)
}

/** The oldest of the three, asctime's, names no zone: all of them are GMT. */
const dateOf = (text: string): number => (DATE.test(text) ? Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`) : NaN)
