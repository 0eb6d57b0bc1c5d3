import sql from 'sql-template-tag'
import { addDays, startOfDay } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { firstUlid } from '../../webhooks/ulid.ts'
import type { Period } from '../consultas/period.ts'
import type { Publicacion } from './publicacion.ts'
import { keyOf } from './store.ts'

export interface DayOfListing {
  dia: string
  visitas: number
  consultas: number
}

/** How often a listing was looked at and asked about, day by day of a period. */
export async function statisticsOf(
  db: Db,
  { id, agenciaId, appId, externalId }: Publicacion,
  period: Period,
  timeZone: string,
): Promise<DayOfListing[]> {
  const days: string[] = []
  for (let day = period.desde; day <= period.hasta; day = addDays(day, 1)) days.push(day)
  const starts = days.map((day) => firstUlid(startOfDay(day, timeZone)))
  return db.query<DayOfListing>(sql`
    select days.dia, coalesce(v.cantidad, 0)::int8 as visitas, coalesce(asked.count, 0)::int8 as consultas
    from unnest(${days}::text[]) with ordinality as days (dia, number)
    left join visitas v on v.publicacion_id = ${id} and v.dia = days.dia::date
    left join (
      select width_bucket(sid, ${starts}::text[] collate "C") as number, count(*)
      from consultas
      where agencia_id = ${agenciaId} and external_key = ${keyOf(externalId)} and fuente = ${appId}
        and sid >= ${period.fromSid} and sid < ${period.untilSid} and publicacion_id = ${id}
      group by 1
    ) asked on asked.number = days.number
    order by days.number`)
}
