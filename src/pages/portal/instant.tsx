import { momentInWords } from '../dates.ts'
import type { When } from '../moment.tsx'

/** A moment to the second, as a log needs it; on the element itself, to the millisecond. */
export const Instant = ({ at, when: { now, timeZone } }: { at: Date; when: When }) => (
  <time datetime={at.toISOString()} title={at.toISOString()}>
    {momentInWords(at, now, timeZone)}
    <span class="seconds">:{String(at.getUTCSeconds()).padStart(2, '0')}</span>
  </time>
)

/** How long something took, as people read it. */
export const durationInWords = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toLocaleString('es-AR', { maximumFractionDigits: 1 })} s`
