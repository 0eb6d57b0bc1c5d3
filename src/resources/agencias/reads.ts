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
  /** Inquiries that it was told of, and how many of these have arrived; the last ones, where it was told of `mas`. */
  avisadas: number
  llegaron: number
  mas: boolean
}

/** Of an agency that is told of all day only the last are counted: a page must not cost more the more there are. */
export const MOST_TOLD = 1_000

export interface Since {
  /** A day of TIME_ZONE, and its first moment. */
  day: string
  moment: Date
}

/** What each app associated with an agency had of it since then, by the app's number. */
export async function readsOf(db: Db, agenciaId: number, since: Since): Promise<Map<number, Reads>> {
  const rows = await db.query<Reads & { appId: number }>(sql`
    select s.app_id as "appId", r.datos, r.consultas, r.ultima, t.avisadas, t.llegaron, t.mas
    from asociaciones s
    cross join lateral (
      select coalesce(sum(datos), 0)::int as datos, coalesce(sum(consultas), 0)::int as consultas,
             max(dia)::text as ultima
      from app_reads where agencia_id = ${agenciaId} and app_id = s.app_id and dia >= ${since.day}::date
    ) r
    cross join lateral (
      select (count(*) filter (where told.nth <= ${MOST_TOLD}))::int as avisadas,
             (count(*) filter (where told.nth <= ${MOST_TOLD} and d.estado = 'entregada'))::int as llegaron,
             count(*) > ${MOST_TOLD} as mas
      from (
        select e.id, row_number() over (order by e.id desc) as nth from events e
        where e.app_id = s.app_id and e.agencia_id = ${agenciaId} and e.id >= ${firstUlid(since.moment)}
          and e.topic = 'consulta.recibida'
        order by e.id desc limit ${MOST_TOLD + 1}
      ) told left join deliveries d on d.id = told.id
    ) t
    where s.agencia_id = ${agenciaId} and s.ended_at is null`)
  return new Map(rows.map(({ appId, ...reads }) => [appId, reads]))
}
