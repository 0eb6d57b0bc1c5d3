import sql, { join } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { selectList } from '../../store/columns.ts'
import type { Db, Joining } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../../store/keyset.ts'
import { dataEntry, INVITACION_COLUMNS, type Invitacion, type InvitacionEstado } from './agencia.ts'
import type { AgenciasDeps } from './context.ts'
import { ESTADO, lockAddress, revokeInvitacionWhere } from './invitacion-store.ts'
import { invite } from './invite.ts'

export interface ListedInvitacion
  extends Pick<Invitacion, 'id' | 'modo' | 'adminMail' | 'nombre' | 'estado' | 'enviada' | 'vence'> {
  app: { appKey: string; nombre: string }
  agenciaId: number | null
}

interface InvitacionesFilters {
  /** Part of the address. */
  mail?: string | undefined
  appId?: number | undefined
  estado?: InvitacionEstado | undefined
  /** Those that this agency accepted, or that were sent to its address. */
  agencia?: { id: number; modo: Modo; adminMail: string }
}

export async function listInvitaciones(
  db: Db,
  { mail, appId, estado, agencia }: InvitacionesFilters,
  cursor: Cursor<number>,
): Promise<ResultPage<ListedInvitacion>> {
  const { within, order, limit } = keysetBy(sql`i.id`, cursor)
  const conditions = [within]
  if (mail) conditions.push(sql`position(${mail.toLowerCase()} in i.admin_mail) > 0`)
  if (appId !== undefined) conditions.push(sql`i.app_id = ${appId}`)
  if (estado) conditions.push(sql`${ESTADO} = ${estado}`)
  if (agencia)
    conditions.push(
      sql`(i.agencia_id = ${agencia.id} or (i.modo = ${agencia.modo} and i.admin_mail = ${agencia.adminMail}))`,
    )
  const rows = await db.query<ListedInvitacion>(sql`
    select i.id, json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app, i.modo, i.admin_mail as "adminMail",
      i.nombre, ${ESTADO} as estado, i.enviada, i.vence, i.agencia_id as "agenciaId"
    from invitaciones i join apps a on a.id = i.app_id
    where ${join(conditions, ' and ')} order by ${order} limit ${limit}`)
  return resultPage(rows, cursor)
}

/** Revokes an open invitation, and its email if that is not sent yet. False if there is none. */
export const revokeOpenInvitacion = (deps: Joining<AgenciasDeps>, id: number): Promise<boolean> =>
  deps.store.transaction((tx) => revokeInvitacionWhere(tx, sql`id = ${id} and estado in ('pendiente', 'rebotada')`))

/** A new link within the limits of its app; false if none is pending, expired or bounced. */
export const resendInvitacion = (deps: Joining<AgenciasDeps>, id: number): Promise<boolean> =>
  deps.store.transaction(async (tx) => {
    const [address] = await tx.query<Pick<Invitacion, 'modo' | 'adminMail'>>(sql`
      select modo, admin_mail as "adminMail" from invitaciones where id = ${id}`)
    if (!address) return false
    await lockAddress(tx, address.modo, address.adminMail)
    // Locked, because one that is revoked meanwhile would be followed by another.
    const [sent] = await tx.query<Omit<Invitacion, 'estado'> & { appKey: string }>(sql`
      select a.app_key as "appKey", ${selectList('i', INVITACION_COLUMNS)}
      from invitaciones i join apps a on a.id = i.app_id
      where i.id = ${id} and i.estado in ('pendiente', 'rebotada') and a.disabled_at is null for update of i`)
    const app = sent && (await findApp(tx, sent.appKey))
    if (!app) return false
    const { adminMail: AdminMail, adminNombre: AdminNombre, adminApellido: AdminApellido, mensaje: Mensaje } = sent
    await invite({ ...deps, store: tx }, app, { ...dataEntry(sent), AdminMail, AdminNombre, AdminApellido, Mensaje })
    return true
  })
