import type { Rule } from '../rules.ts'

const WINDOW_H = 300 / 3600 // the tolerance for a signature's time
/** The share of requests that may fall between the jumps of the two clocks. */
const MAX_BETWEEN = 0.1

/** The effect of one jump. */
export interface Jump {
  hours: number
  /** Events created by the caller whose clock jumped too. */
  made: number
  /** Status and code for a caller that stayed at the previous time. */
  answer: string
}

interface Clocks {
  jumps: readonly Jump[]
  requests: number
  /** Requests refused for their time although the caller's clock jumped too. */
  between: number
  /** Events that came more than once. */
  repeated: number
  /** Events in the feed, duplicates among them, and acknowledged ones that are missing. */
  feed: number
  doubled: number
  missing: number
}

const expected = (hours: number): string => (Math.abs(hours) > WINDOW_H ? '401 fecha-fuera-de-rango' : '200 ')

export const CLOCK: Rule<Clocks>[] = [
  ({ jumps }) => !jumps.some(({ hours }) => Math.abs(hours) > WINDOW_H) && 'the clock never jumped',
  ({ jumps }) => jumps.flatMap(({ hours, made }) => (made > 0 ? [] : [`no request was served at ${hours} h`])),
  ({ jumps }) =>
    jumps.flatMap(({ hours, answer }) =>
      answer === expected(hours)
        ? []
        : [`at ${hours} h a caller at the previous time got ${answer} instead of ${expected(hours)}`],
    ),
  ({ between, requests }) =>
    !(between <= requests * MAX_BETWEEN) &&
    `${between} of ${requests} requests were refused although their clock was right`,
  ({ repeated }) => !(repeated === 0) && `${repeated} events came more than once`,
  ({ feed }) => !(feed > 0) && 'nothing is in the feed',
  ({ missing }) => !(missing === 0) && `${missing} events are not in the feed`,
  ({ doubled }) => !(doubled === 0) && `${doubled} events are in the feed twice`,
]
