import sql from 'sql-template-tag'
import { addDays, startOfDay } from '../../http/dates.ts'
import type { Period } from '../../http/period.ts'
import type { Db } from '../../store/db.ts'
import { firstUlid, ulidRange } from '../../webhooks/ulid.ts'
import type { Publicacion } from './publicacion.ts'
import { keyOf } from './store.ts'

export interface DayOfListing {
  dia: string
  visitas: number
  consultas: number
}

/** Visits and inquiries of a listing on each day of a period. */
export async function statisticsOf(
  db: Db,
  { id, agenciaId, appId, externalId }: Publicacion,
  period: Period,
  timeZone: string,
): Promise<DayOfListing[]> {
  const { fromSid, untilSid } = ulidRange(period)
  const days: string[] = []
  for (let day = period.desde; day <= period.hasta; day = addDays(day, 1)) days.push(day)
  const starts = days.map((day) => firstUlid(startOfDay(day, timeZone)))
  return db.query<DayOfListing>(sql`
    select days.dia, coalesce(v.cantidad, 0)::int8 as visitas, coalesce(received.count, 0)::int8 as consultas
    from unnest(${days}::text[]) with ordinality as days (dia, number)
    left join visitas v on v.publicacion_id = ${id} and v.dia = days.dia::date
    left join (
      select width_bucket(sid, ${starts}::text[] collate "C") as number, count(*)
      from consultas
      where agencia_id = ${agenciaId} and external_key = ${keyOf(externalId)} and fuente = ${appId}
        and sid >= ${fromSid} and sid < ${untilSid} and publicacion_id = ${id}
      group by 1
    ) received on received.number = days.number
    order by days.number`)
}
