import sql from 'sql-template-tag'
import { MINUTE_MS } from '../../clock.ts'
import { dayOf, daysBetween, type Period } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { momentOf, ulidRange } from '../../ulid.ts'
import type { Consulta, EstadoConsulta } from './consulta.ts'
import type { Scope } from './scope.ts'
import { MAX_SCANNED, sidsOf } from './search.ts'

/** Whether an inquiry still waits for an answer: opening it is none. */
export const isUnanswered = ({ estado }: Pick<Consulta, 'estado'>): boolean => estado === 'nueva' || estado === 'leida'

/** The states that mean that the agency answered. */
export const ANSWERED: readonly EstadoConsulta[] = ['contactada', 'vendida']

interface Answer {
  sid: string
  /** Null: not yet. */
  answeredAt: Date | null
}

/** Inquiries of a day by whether they were answered within the target. Those that still have time are not counted. */
interface DayOfAnswers {
  dia: string
  inTime: number
  late: number
  unanswered: number
}

export interface ResponseTimes {
  days: DayOfAnswers[]
  /** Null if nothing was answered. */
  medianMinutes: number | null
  inTime: number
  /** All that were or should have been answered. */
  total: number
}

/** How soon the newest inquiries of a period were answered, without discarded and erased ones. */
export async function responseTimes(
  db: Db,
  { period, ...scope }: Scope & { period: Period },
  { objetivoMinutos, now, timeZone }: { objetivoMinutos: number; now: Date; timeZone: string },
): Promise<ResponseTimes> {
  const { fromSid, untilSid } = ulidRange(period)
  const answers = await db.query<Answer>(sql`
    select c.sid, coalesce(c.respondida_at, case when c.estado = any (${ANSWERED}::text[]) then c.estado_at end) as "answeredAt"
    from (${sidsOf({ ...scope, period }, {}, MAX_SCANNED)}) w
    join consultas c on c.sid = w.sid and c.sid >= ${fromSid} and c.sid < ${untilSid}
    where c.estado <> 'descartada' and c.suprimida_at is null`)
  return summarize(answers, { period, objetivoMinutos, now, timeZone })
}

export function summarize(
  answers: readonly Answer[],
  given: { period: Pick<Period, 'desde' | 'hasta'>; objetivoMinutos: number; now: Date; timeZone: string },
): ResponseTimes {
  const { period, objetivoMinutos, now, timeZone } = given
  const dias = daysBetween(period.desde, period.hasta)
  const days = new Map(dias.map((dia): [string, DayOfAnswers] => [dia, { dia, inTime: 0, late: 0, unanswered: 0 }]))
  const minutes: number[] = []
  for (const { sid, answeredAt } of answers) {
    const received = momentOf(sid)
    const took = Math.max(0, ((answeredAt ?? now).getTime() - received.getTime()) / MINUTE_MS)
    if (answeredAt) minutes.push(took)
    const day = days.get(dayOf(received, timeZone))
    if (!day) continue
    if (answeredAt) day[took <= objetivoMinutos ? 'inTime' : 'late'] += 1
    else if (took > objetivoMinutos) day.unanswered += 1
  }
  const all = [...days.values()]
  const sum = (name: 'inTime' | 'late' | 'unanswered') => all.reduce((total, day) => total + day[name], 0)
  const inTime = sum('inTime')
  return { days: all, medianMinutes: median(minutes), inTime, total: inTime + sum('late') + sum('unanswered') }
}

function median(values: number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
