const JITTER = 0.2

/**
 * Seconds until the next attempt after the given one (the first is 1), spread by ±20 % so that what failed together
 * does not come back together; undefined when the schedule has no more. `chance` is from 0 to 1.
 */
export function delayAfter(attempt: number, schedule: readonly number[], chance: number): number | undefined {
  const seconds = schedule[attempt - 1]
  return seconds === undefined ? undefined : seconds * (1 + JITTER * (2 * chance - 1))
}
