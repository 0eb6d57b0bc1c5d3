const MOST_SECONDS = 86_400 // decisions, 8: up to 24 h

/** How many seconds an answer asks us to wait (RFC 9110, 10.2.3: seconds or a date); undefined where it says nothing. */
export function retryAfterSeconds(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MOST_SECONDS)
}
