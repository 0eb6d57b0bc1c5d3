import sql from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { firstUlid } from '../../webhooks/ulid.ts'

/** What an app had of an agency lately: what it asked for, and what it was told of. */
export interface Reads {
  /** How often it read the agency's data, and its inquiries. */
  datos: number
  consultas: number
  /** The last day on which it did, of TIME_ZONE; null where it did not. */
  ultima: string | null
  /** Inquiries that it was told of, and how many of these have arrived. */
  avisadas: number
  llegaron: number
}

export interface Since {
  /** A day of TIME_ZONE, and its first moment. */
  day: string
  moment: Date
}

/** What each app associated with an agency had of it since then, by the app's number. */
export async function readsOf(db: Db, agenciaId: number, since: Since): Promise<Map<number, Reads>> {
  const rows = await db.query<Reads & { appId: number }>(sql`
    select s.app_id as "appId", r.datos, r.consultas, r.ultima, t.avisadas, t.llegaron
    from asociaciones s
    cross join lateral (
      select coalesce(sum(datos), 0)::int as datos, coalesce(sum(consultas), 0)::int as consultas,
             max(dia)::text as ultima
      from app_reads where agencia_id = ${agenciaId} and app_id = s.app_id and dia >= ${since.day}::date
    ) r
    cross join lateral (
      select count(*)::int as avisadas, (count(*) filter (where d.estado = 'entregada'))::int as llegaron
      from events e left join deliveries d on d.id = e.id
      where e.app_id = s.app_id and e.agencia_id = ${agenciaId} and e.id >= ${firstUlid(since.moment)}
        and e.topic = 'consulta.recibida'
    ) t
    where s.agencia_id = ${agenciaId} and s.ended_at is null`)
  return new Map(rows.map(({ appId, ...reads }) => [appId, reads]))
}
