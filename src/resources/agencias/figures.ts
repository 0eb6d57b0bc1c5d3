import sql from 'sql-template-tag'
import type { App, Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { firstUlid } from '../../ulid.ts'
import { deliveryIdsSql } from '../../webhooks/delivery-ids.ts'
import { fromInvitesOfDay } from './invitacion-store.ts'

interface AgenciaFigures {
  agencias: number
  /** Registered in the last 30 days. */
  nuevas: number
  invitadas: number
}

/** Counts of a mode. There are thousands of agencies, not millions, so counting is cheap. */
export async function agenciaFigures(db: Db, modo: Modo): Promise<AgenciaFigures> {
  const [row] = await db.query<AgenciaFigures>(sql`
    select count(*) as agencias, count(*) filter (where created_at > now() - interval '30 days') as nuevas,
      (select count(*) from invitaciones
       where modo = ${modo} and estado = 'pendiente' and vence > now()) as invitadas
    from agencias where modo = ${modo}`)
  return row ?? { agencias: 0, nuevas: 0, invitadas: 0 }
}

/** How far an app has come with agencies. */
export interface AgencyProgress {
  /** The first of today's associations that the app brought about. */
  associatedAt: Date | null
  /** One of its agencies. */
  example: { adminMail: string; nombre: string } | null
  invitedAt: Date | null
}

/** `given`: the addresses of agencies that the app had from the beginning, and did nothing for. */
export async function agencyProgress(db: Db, app: App, given: readonly string[] = []): Promise<AgencyProgress> {
  const [row] = await db.query<AgencyProgress>(sql`
    select
      (select min(created_at) from asociaciones where app_id = ${app.id} and ended_at is null
         and agencia_id <> all (array(
           select id from agencias where modo = ${app.modo} and admin_mail = any (${given}::text[])))) as "associatedAt",
      (select json_build_object('adminMail', g.admin_mail, 'nombre', g.nombre)
       from asociaciones s join agencias g on g.id = s.agencia_id
       where s.app_id = ${app.id} and s.ended_at is null order by s.agencia_id limit 1) as example,
      (select min(created_at) from invitaciones where app_id = ${app.id}) as "invitedAt"`)
  return row ?? { associatedAt: null, example: null, invitedAt: null }
}

export const invitesOfDay = (db: Db, app: App): Promise<number> =>
  db.count(sql`select count(*) ${fromInvitesOfDay(app)}`)

export interface AppUsage {
  datos: number
  consultas: number
  /** The last day with a read, in TIME_ZONE. */
  ultima: string | null
  /** Inquiries it was notified of, and those delivered to any of its webhooks; `mas`: there are more than `MAX_NOTIFIED`. */
  avisadas: number
  llegaron: number
  mas: boolean
}

/** Only the last are counted, to bound the cost of a page. */
export const MAX_NOTIFIED = 1_000

export interface Since {
  /** A day in TIME_ZONE, and its first moment. */
  day: string
  moment: Date
}

/** The usage of each associated app since then, by app id. */
export async function usageByApp(db: Db, agenciaId: number, since: Since): Promise<Map<number, AppUsage>> {
  const rows = await db.query<AppUsage & { appId: number }>(sql`
    select s.app_id as "appId", r.datos, r.consultas, r.ultima, t.avisadas, t.llegaron, t.mas
    from asociaciones s
    cross join lateral (
      select coalesce(sum(datos), 0)::int as datos, coalesce(sum(consultas), 0)::int as consultas,
             max(dia)::text as ultima
      from app_reads where agencia_id = ${agenciaId} and app_id = s.app_id and dia >= ${since.day}::date
    ) r
    cross join lateral (
      select (count(*) filter (where notified.nth <= ${MAX_NOTIFIED}))::int as avisadas,
             (count(*) filter (where notified.nth <= ${MAX_NOTIFIED} and notified.arrived))::int as llegaron,
             count(*) > ${MAX_NOTIFIED} as mas
      from (
        select row_number() over (order by e.id desc) as nth,
               exists (select from deliveries d
                       where d.id = any (${deliveryIdsSql(sql`e.id`)}) and d.estado = 'entregada') as arrived
        from events e
        where e.app_id = s.app_id and e.agencia_id = ${agenciaId} and e.id >= ${firstUlid(since.moment)}
          and e.topic = 'consulta.recibida'
        order by e.id desc limit ${MAX_NOTIFIED + 1}
      ) notified
    ) t
    where s.agencia_id = ${agenciaId} and s.ended_at is null`)
  return new Map(rows.map(({ appId, ...usage }) => [appId, usage]))
}
