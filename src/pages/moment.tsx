import { momentInWords } from './dates.ts'

/** Whose clock and calendar a page goes by. */
export interface When {
  now: Date
  timeZone: string
}

/** A moment as people tell it, and for machines as it is. */
export const Moment = ({ at, when: { now, timeZone } }: { at: Date; when: When }) => (
  <time datetime={at.toISOString()} title={at.toISOString()}>
    {momentInWords(at, now, timeZone)}
  </time>
)
