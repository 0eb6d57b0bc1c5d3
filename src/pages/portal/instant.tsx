import { formatMoment } from '../dates.ts'
import { inTenths } from '../figures.ts'
import type { When } from '../moment.tsx'

/** A moment to the second, as a log needs it; on the element itself, to the millisecond. */
export function Instant({ at, when: { now, timeZone } }: { at: Date; when: When }) {
  const exact = at.toISOString()
  return (
    <time datetime={exact} title={exact}>
      {formatMoment(at, now, timeZone)}
      <span class="seconds">{exact.slice(16, 19)}</span>
    </time>
  )
}

/** How long something took, as people read it. */
export const formatDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${inTenths(ms / 1000)} s`)
