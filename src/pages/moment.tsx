import { formatMoment } from './dates.ts'

/** Whose clock and calendar a page goes by. */
export interface When {
  now: Date
  timeZone: string
}

/** A moment as people tell it, and for machines as it is. */
export function Moment({ at, when: { now, timeZone } }: { at: Date; when: When }) {
  const exact = at.toISOString()
  return (
    <time datetime={exact} title={exact}>
      {formatMoment(at, now, timeZone)}
    </time>
  )
}

/** A moment to the second, for logs. */
export function Timestamp({ at, when: { now, timeZone } }: { at: Date; when: When }) {
  const exact = at.toISOString()
  return (
    <time datetime={exact} title={exact}>
      {formatMoment(at, now, timeZone)}
      <span class="seconds">{exact.slice(16, 19)}</span>
    </time>
  )
}
