import type { Rule } from '../rules.ts'

const WINDOW_H = 300 / 3600 // how far a signature's time may be off
/** Of what is asked, so much may come between two clocks that jump one after the other. */
const MOST_BETWEEN = 0.1

/** What followed on one jump. */
export interface Jump {
  hours: number
  /** Events that whoever's clock had jumped too was served. */
  made: number
  /** What whoever stayed at the former time was told: status and code. */
  told: string
}

export interface Clocks {
  jumps: readonly Jump[]
  requests: number
  /** Told that their clock was wrong, though they jump with the house. */
  between: number
  /** Events that came more than once. */
  repeated: number
  /** In the feed: how many, how many of them twice, and how many that were acknowledged are not. */
  feed: number
  doubled: number
  missing: number
}

const expected = (hours: number): string => (Math.abs(hours) > WINDOW_H ? '401 fecha-fuera-de-rango' : '200 ')

export const CLOCK: Rule<Clocks>[] = [
  ({ jumps }) => !jumps.some(({ hours }) => Math.abs(hours) > WINDOW_H) && 'the clock never jumped',
  ({ jumps }) => jumps.flatMap(({ hours, made }) => (made > 0 ? [] : [`nobody was served at ${hours} h`])),
  ({ jumps }) =>
    jumps.flatMap(({ hours, told }) =>
      told === expected(hours) ? [] : [`at ${hours} h whoever stayed got ${told} instead of ${expected(hours)}`],
    ),
  ({ between, requests }) =>
    !(between <= requests * MOST_BETWEEN) &&
    `${between} of ${requests} were told that their clock was wrong, and it was not`,
  ({ repeated }) => !(repeated === 0) && `${repeated} events came more than once`,
  ({ feed }) => !(feed > 0) && 'nothing is in the feed',
  ({ missing }) => !(missing === 0) && `${missing} events are not in the feed`,
  ({ doubled }) => !(doubled === 0) && `${doubled} events are in the feed twice`,
]
