import sql from 'sql-template-tag'
import { MINUTE_MS } from '../clock.ts'
import type { Db } from '../store/db.ts'
import { PARTS, type Part } from './heartbeat.ts'
import { recentIncidents } from './incidents.ts'

/** Days that the page shows. */
const STATUS_DAYS = 90
const MAX_INCIDENTS = 20
/** Hours of the periods whose latency is shown. */
const PERIODS = [24, 7 * 24, 30 * 24]

export type StatusReport = Awaited<ReturnType<typeof readStatus>>

/** Everything that the page shows. */
export async function readStatus(db: Db, now: Date, timeZone: string) {
  const [parts, latency, incidents] = await Promise.all([
    readUptime(db, now, timeZone),
    readLatency(db, now, PERIODS),
    recentIncidents(db, STATUS_DAYS, MAX_INCIDENTS),
  ])
  return { parts, latency, incidents }
}

/** A part whose last heartbeat is older does not work: two of them are missing. */
const SILENT_MS = 120_000

/** Minutes of a day in which a part worked, of those in which it was observed; 0 of 0 before the first heartbeat. */
export interface DayStatus {
  dia: string
  up: number
  of: number
}

export interface PartStatus {
  part: Part
  works: boolean
  days: DayStatus[]
}

/** Deliveries of a period, and the limits in milliseconds within which half, 95 and 99 of a hundred arrived. */
export interface Latency {
  hours: number
  deliveries: number
  p50: number | undefined
  p95: number | undefined
  p99: number | undefined
}

/**
 * Each part day by day, the oldest first. Every minute since the first heartbeat counts, so that those in which no process
 * ran are counted as down. The last two minutes are not judged: their heartbeat may still come.
 */
export async function readUptime(db: Db, now: Date, timeZone: string): Promise<PartStatus[]> {
  const judged = new Date(now.getTime() - SILENT_MS)
  const [rows, last] = await Promise.all([
    db.query<DayStatus & { part: Part }>(sql`
      with started as (select part, min(first_at) as at from heartbeats group by part),
      days as (
        select s.part, dia::date as dia, greatest(s.at, dia::timestamp at time zone ${timeZone}) as begins,
          least(${judged}::timestamptz, (dia + interval '1 day')::timestamp at time zone ${timeZone}) as ends
        from started s, generate_series(
          (${now}::timestamptz at time zone ${timeZone})::date - ${STATUS_DAYS - 1}::int,
          (${now}::timestamptz at time zone ${timeZone})::date, interval '1 day') as dia),
      hours as (
        select part, (hora at time zone ${timeZone})::date as dia, sum(bit_count(minutes::bit(64)))::int as up
        from heartbeats where hora >= ${now}::timestamptz - make_interval(days => ${STATUS_DAYS + 1}) group by 1, 2)
      select d.part, d.dia::text, coalesce(h.up, 0) as up,
        greatest(0, ceil(extract(epoch from d.ends - d.begins) / 60))::int as of
      from days d left join hours h using (part, dia) order by d.part, d.dia`),
    db.query<{ part: Part; at: Date }>(sql`
      select part, max(last_at) as at from heartbeats
      where hora >= ${now}::timestamptz - interval '2 hours' group by part`),
  ])
  return PARTS.map((part) => {
    const at = last.find((each) => each.part === part)?.at
    const days = rows.filter((each) => each.part === part).map(({ dia, up, of }) => ({ dia, up: Math.min(up, of), of }))
    return { part, works: at !== undefined && now.getTime() - at.getTime() < SILENT_MS + MINUTE_MS, days }
  })
}

/** The latency of deliveries over each of these periods, in hours until now. */
export async function readLatency(db: Db, now: Date, periods: readonly number[]): Promise<Latency[]> {
  const rows = await db.query<{ ago: number; limit: number; count: number }>(sql`
    select floor(extract(epoch from ${now}::timestamptz - hora) / 3600)::int as ago, up_to_ms as limit, deliveries as count
    from delivery_latency where hora > ${now}::timestamptz - make_interval(hours => ${Math.max(...periods)}) order by 2`)
  return periods.map((hours) => {
    const counted = rows.filter(({ ago }) => ago < hours)
    const deliveries = counted.reduce((sum, { count }) => sum + count, 0)
    return { hours, deliveries, p50: limitOf(counted, 0.5), p95: limitOf(counted, 0.95), p99: limitOf(counted, 0.99) }
  })
}

/** The limit that this share of the deliveries kept within; they are ordered by it. */
function limitOf(counted: readonly { limit: number; count: number }[], share: number): number | undefined {
  const wanted = counted.reduce((sum, { count }) => sum + count, 0) * share
  let sum = 0
  for (const { limit, count } of counted) {
    sum += count
    if (sum >= wanted) return limit
  }
  return undefined
}
