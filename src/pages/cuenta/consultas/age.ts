import { MINUTE_MS } from '../../../clock.ts'
import { formatUnit } from '../../../i18n/format.ts'
import type { Consulta } from '../../../resources/consultas/consulta.ts'
import { isUnanswered } from '../../../resources/consultas/response-times.ts'
import { momentOf } from '../../../ulid.ts'
import { isErased } from '../../labels.tsx'

const HOUR = 60 // minutes
const DAY = 24 * HOUR

/** A duration in one unit: 45 min, 3 h, 2 días. Minutes and hours stay on one line. */
export const formatAge = (minutes: number): string =>
  minutes < HOUR
    ? `${minutes}\u00a0min`
    : minutes < 2 * DAY
      ? `${Math.floor(minutes / HOUR)}\u00a0h`
      : formatUnit(Math.floor(minutes / DAY), 'day')

/** Since when an inquiry waits for an answer, in minutes, if that is longer than the agency's target. */
export function overdueMinutes(row: Consulta, now: Date, objetivoMinutos: number): number | undefined {
  if (!isUnanswered(row) || isErased(row)) return undefined
  const minutes = Math.floor((now.getTime() - momentOf(row.sid).getTime()) / MINUTE_MS)
  return minutes >= objetivoMinutos ? minutes : undefined
}
