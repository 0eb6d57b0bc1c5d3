import sql, { empty, type Sql } from 'sql-template-tag'
import { tokenHash } from '../../accounts/links.ts'
import type { App, Modo } from '../../apps/app.ts'
import { LIMITS } from '../../apps/store.ts'
import type { Db } from '../../store/db.ts'
import type { Invitacion } from './agencia.ts'

/** Whether somebody works at an agency under that mail: then it cannot be invited. */
export async function isRegistered(db: Db, modo: Modo, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from operadores o join accounts c on c.id = o.account_id where c.modo = ${modo} and c.email = ${email} limit 1`)
  return rows.length > 0
}

/** Makes whoever acts on one address in one mode wait for the other, until the transaction ends. */
export const lockAddress = (tx: Db, modo: Modo, email: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${modo} ${email}`}, 0))`)

/** `vencida` is not kept: it follows from the clock of the database. */
export const ESTADO = sql`case when i.estado = 'pendiente' and i.vence <= now() then 'vencida' else i.estado end`

const INVITACION = sql`
  i.id, i.app_id as "appId", i.modo, i.admin_mail as "adminMail", ${ESTADO} as estado, i.nombre,
  i.admin_nombre as "adminNombre", i.admin_apellido as "adminApellido", i.telefono, i.region_id as "regionId", i.region,
  i.ciudad_id as "ciudadId", i.ciudad, i.direccion, i.mensaje, i.enviada, i.vence`

/** The app's last invitation to that mail while it can be read: pending, or ended less than 90 days ago. */
export async function findInvitacion(db: Db, app: App, adminMail: string): Promise<Invitacion | undefined> {
  const [last] = await db.query<Invitacion & { readable: boolean }>(sql`
    select ${INVITACION}, coalesce(i.ended_at, i.vence) > now() - interval '90 days' as readable
    from invitaciones i
    where i.app_id = ${app.id} and i.modo = ${app.modo} and i.admin_mail = ${adminMail.toLowerCase()}
    order by i.id desc limit 1`)
  // An accepted one led to an association; where that has ended, the agency exists no more for the app.
  if (!last?.readable || last.estado === 'aceptada') return undefined
  const { readable: _, ...invitacion } = last
  return invitacion
}

type InvitacionByToken = Invitacion & { app: App; agenciaId: number | null; sinceEndSeconds: number | null }

/** The invitation that a token in a mail belongs to, with the app that sent it. */
export async function findInvitacionByToken(
  db: Db,
  token: string,
  lock: Sql = empty,
): Promise<InvitacionByToken | undefined> {
  const [row] = await db.query<InvitacionByToken>(sql`
    select ${INVITACION}, i.agencia_id as "agenciaId",
           extract(epoch from now() - i.ended_at)::float8 as "sinceEndSeconds",
           json_build_object('id', a.id, 'appKey', a.app_key, 'nombre', a.nombre, 'contacto', a.contacto, 'modo', a.modo,
                             'topics', a.topics, 'disabled', a.disabled_at is not null, 'limits', ${LIMITS}) as app
    from invitaciones i join apps a on a.id = i.app_id
    where i.token_hash = ${tokenHash(token)} ${lock}`)
  return row
}

/** The same, for whoever is about to use it: the address first, then the row, as everyone does. */
export async function lockInvitacion(tx: Db, token: string): Promise<InvitacionByToken | undefined> {
  const found = await findInvitacionByToken(tx, token)
  if (!found) return undefined
  await lockAddress(tx, found.modo, found.adminMail)
  return findInvitacionByToken(tx, token, sql`for update of i`)
}
