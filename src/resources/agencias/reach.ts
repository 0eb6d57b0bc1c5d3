import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

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
