import sql from 'sql-template-tag'
import type { App, Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { firstUlid } from '../../webhooks/ulid.ts'

export interface AgenciaFigures {
  agencias: number
  /** Of these, registered in the last 30 days. */
  nuevas: number
  /** Invitations that wait for an answer. */
  invitadas: number
}

/** How many agencies of a mode there are. They are thousands, not millions: counting them costs little. */
export async function agenciaFigures(db: Db, modo: Modo): Promise<AgenciaFigures> {
  const [row] = await db.query<AgenciaFigures>(sql`
    select count(*) as agencias, count(*) filter (where created_at > now() - interval '30 days') as nuevas,
      (select count(*) from invitaciones
       where modo = ${modo} and estado = 'pendiente' and vence > now()) as invitadas
    from agencias where modo = ${modo}`)
  return row ?? { agencias: 0, nuevas: 0, invitadas: 0 }
}

/** How far an app has come with agencies. */
export interface Reach {
  /** When the first of those that are associated today was, and one of them to try things with. */
  associatedAt: Date | null
  example: { adminMail: string; nombre: string } | null
  /** When the app first invited anybody. */
  invitedAt: Date | null
}

export async function reachOf(db: Db, app: App): Promise<Reach> {
  const [row] = await db.query<Reach>(sql`
    select
      (select min(created_at) from asociaciones where app_id = ${app.id} and ended_at is null) as "associatedAt",
      (select json_build_object('adminMail', g.admin_mail, 'nombre', g.nombre)
       from asociaciones s join agencias g on g.id = s.agencia_id
       where s.app_id = ${app.id} and s.ended_at is null order by s.agencia_id limit 1) as example,
      (select min(created_at) from invitaciones where app_id = ${app.id}) as "invitedAt"`)
  return row ?? { associatedAt: null, example: null, invitedAt: null }
}

/** How many invitations an app sent in the last 24 hours, counted as its limit counts them. */
export async function invitesOfDay(db: Db, app: App): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) from invitaciones i join mails m on m.invitacion_id = i.id
    where i.app_id = ${app.id} and i.enviada > now() - interval '24 hours'
      and m.kind = 'invitacion' and m.created_at > now() - interval '24 hours'`)
  return row?.count ?? 0
}

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
