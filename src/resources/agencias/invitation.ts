import sql, { empty, type Sql } from 'sql-template-tag'
import { tokenHash } from '../../accounts/links.ts'
import type { App, Modo } from '../../apps/app.ts'
import { LIMITS } from '../../apps/store.ts'
import { selectList } from '../../store/columns.ts'
import type { Db } from '../../store/db.ts'
import { INVITATION_COLUMNS, type Invitacion } from './agencia.ts'

/** Whether somebody works at an agency with that mail, who then cannot be invited. */
export async function isRegistered(db: Db, modo: Modo, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from operadores o join accounts c on c.id = o.account_id where c.modo = ${modo} and c.email = ${email} limit 1`)
  return rows.length > 0
}

/** Serialises changes of one address in one mode, until the transaction ends. */
export const lockAddress = (tx: Db, modo: Modo, email: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${modo} ${email}`}, 0))`)

/** `vencida` is not stored: it follows from the database's clock. */
export const ESTADO = sql`case when i.estado = 'pendiente' and i.vence <= now() then 'vencida' else i.estado end`

const INVITACION = sql`${selectList('i', INVITATION_COLUMNS)}, ${ESTADO} as estado`

/** The app's last invitation to that mail while it can be read: pending, or ended less than 90 days ago. */
export async function findInvitacion(db: Db, app: App, adminMail: string): Promise<Invitacion | undefined> {
  const [last] = await db.query<Invitacion & { readable: boolean }>(sql`
    select ${INVITACION}, coalesce(i.ended_at, i.vence) > now() - interval '90 days' as readable
    from invitaciones i
    where i.app_id = ${app.id} and i.modo = ${app.modo} and i.admin_mail = ${adminMail.toLowerCase()}
    order by i.id desc limit 1`)
  // An accepted one became an association; if that has ended, the agency does not exist for the app.
  if (!last?.readable || last.estado === 'aceptada') return undefined
  const { readable: _, ...invitacion } = last
  return invitacion
}

type InvitacionByToken = Invitacion & { app: App; agenciaId: number | null; sinceEndSeconds: number | null }

/** The invitation that a token in a mail belongs to, with the app that sent it. */
export async function findInvitacionByToken(db: Db, token: string, lock: Sql = empty) {
  const [row] = await db.query<InvitacionByToken>(sql`
    select ${INVITACION}, i.agencia_id as "agenciaId",
           extract(epoch from now() - i.ended_at)::float8 as "sinceEndSeconds",
           json_build_object('id', a.id, 'appKey', a.app_key, 'nombre', a.nombre, 'contacto', a.contacto, 'modo', a.modo,
                             'topics', a.topics, 'disabled', a.disabled_at is not null, 'limits', ${LIMITS}) as app
    from invitaciones i join apps a on a.id = i.app_id
    where i.token_hash = ${tokenHash(token)} ${lock}`)
  return row
}

/** The same, locked: first the address, then the row, as everywhere. */
export async function lockInvitacion(tx: Db, token: string): Promise<InvitacionByToken | undefined> {
  const found = await findInvitacionByToken(tx, token)
  if (!found) return undefined
  await lockAddress(tx, found.modo, found.adminMail)
  return findInvitacionByToken(tx, token, sql`for update of i`)
}

export async function markAccepted(tx: Db, invitacionId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    update invitaciones set estado = 'aceptada', ended_at = now(), agencia_id = ${agenciaId}
    where id = ${invitacionId}`)
}
