import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { notFound } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import { detachedEmail } from '../../mail/compose.ts'
import { enqueueEmailTo } from '../../mail/email.ts'
import { columnNames, columnValues } from '../../store/columns.ts'
import type { Db, Joining } from '../../store/db.ts'
import { withdrawFromReplicas } from '../../store/replicas.ts'
import { withdrawEvents } from '../../webhooks/events.ts'
import { type Agencia, type AgenciaData, DATA_COLUMNS, type Permisos } from './agencia.ts'
import { type AgenciasDeps, publishAgenciaEvent } from './context.ts'
import { requireAdministrator } from './edit.ts'
import { lockAddress, revokeInvitacionWhere } from './invitacion-store.ts'
import { findAgencia, findAgenciaById } from './read.ts'

/** The permissions of the inviting app (docs/decisions/agencies.md). */
export const INVITER: Permisos = { editar: true, consultasDeCatalogo: false, consultasDeOtros: false }

/** Creates an agency with its administrator, associated with the app that invited it. Undefined if one exists. */
export async function establish(
  tx: Db,
  deps: Joining<AgenciasDeps>,
  app: App,
  { id: accountId, modo, email }: Account,
  data: AgenciaData,
): Promise<Agencia | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into agencias (modo, admin_mail, ${columnNames(DATA_COLUMNS)})
    values (${modo}, ${email}, ${columnValues(DATA_COLUMNS, data)})
    on conflict (modo, admin_mail) do nothing returning id`)
  if (!row) return undefined
  await tx.query(sql`delete from agencia_aliases where modo = ${modo} and admin_mail = ${email}`)
  await makeAdministrator(tx, row.id, accountId)
  const agencia = await findAgenciaById(tx, row.id)
  if (!agencia) throw new Error('The agency was not created.')
  await associate(tx, deps, { app, agencia, permisos: INVITER })
  return agencia
}

/**
 * Associates an app on behalf of the agency, or replaces its permissions; accepts the app's open invitation. `by` is the
 * administrator; undefined: the marketplace.
 */
export async function connect(
  deps: Joining<AgenciasDeps>,
  app: App,
  agencia: Agencia,
  permisos: Permisos,
  by?: Account,
): Promise<void> {
  await deps.store.transaction(async (tx) => {
    await lockAddress(tx, agencia.modo, agencia.adminMail)
    const isAssociated = await replacePermisos(tx, app, agencia, permisos)
    // The administrator may have been replaced since the request was authorised. Checked before the insert, whose foreign key
    // also locks the agency.
    if (by) await requireAdministrator(tx, by, agencia.id)
    if (!isAssociated) await associate(tx, deps, { app, agencia, permisos })
    await tx.query(sql`
      update invitaciones set estado = 'aceptada', ended_at = now(), agencia_id = ${agencia.id}
      where app_id = ${app.id} and admin_mail = ${agencia.adminMail} and estado in ('pendiente', 'rebotada')`)
  })
}

/** Replaces what an agency allows an app; 404 if their association has ended meanwhile. `by` as in `connect`. */
export async function changePermisos(
  tx: Db,
  app: Pick<App, 'id'>,
  agencia: Pick<Agencia, 'id'>,
  permisos: Permisos,
  by?: Account,
): Promise<void> {
  if (!(await replacePermisos(tx, app, agencia, permisos))) throw notFound(message('problema.noAppOfAgency'))
  if (by) await requireAdministrator(tx, by, agencia.id)
}

/** Before the agency is locked, as everywhere. */
export const lockAsociacion = (tx: Db, app: Pick<App, 'id'>, agencia: Pick<Agencia, 'id'>): Promise<unknown> =>
  tx.query(sql`
    select from asociaciones where app_id = ${app.id} and agencia_id = ${agencia.id} and ended_at is null for no key update`)

/** Replaces the permissions of an association; false if there is none, or it has ended. */
export const replacePermisos = (
  tx: Db,
  app: Pick<App, 'id'>,
  agencia: Pick<Agencia, 'id'>,
  { editar, consultasDeCatalogo, consultasDeOtros }: Permisos,
): Promise<boolean> =>
  tx.changes(sql`
    update asociaciones
    set editar = ${editar}, consultas_de_catalogo = ${consultasDeCatalogo}, consultas_de_otros = ${consultasDeOtros}
    where app_id = ${app.id} and agencia_id = ${agencia.id} and ended_at is null returning 1`)

export const makeAdministrator = (tx: Db, agenciaId: number, accountId: number): Promise<unknown> =>
  tx.query(sql`
    insert into operadores (agencia_id, account_id, rol) values (${agenciaId}, ${accountId}, 'administrador')
    on conflict (agencia_id, account_id) do update set rol = 'administrador'`)

interface Association {
  app: App
  agencia: Pick<Agencia, 'id' | 'modo' | 'adminMail' | 'nombre'>
  permisos: Permisos
}

/** Creates an association, of which the app is notified, or replaces its permissions; with `keep`, it only adds to them. */
export async function associate(
  tx: Db,
  deps: Joining<AgenciasDeps>,
  { app, agencia, permisos: { editar, consultasDeCatalogo, consultasDeOtros } }: Association,
  { keep = false }: { keep?: boolean } = {},
): Promise<void> {
  if (app.modo !== agencia.modo) throw new Error('The app and the agency are of different modes.')
  const [row] = await tx.query<{ isNew: boolean }>(sql`
    insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
    values (${app.id}, ${agencia.id}, ${editar}, ${consultasDeCatalogo}, ${consultasDeOtros})
    on conflict (app_id, agencia_id) where ended_at is null do update
      set editar = excluded.editar or (${keep} and asociaciones.editar),
          consultas_de_catalogo = excluded.consultas_de_catalogo or (${keep} and asociaciones.consultas_de_catalogo),
          consultas_de_otros = excluded.consultas_de_otros or (${keep} and asociaciones.consultas_de_otros)
    returning xmax = 0 as "isNew"`)
  if (row?.isNew) await publishAgenciaEvent(tx, deps, { appId: app.id, topic: 'agencia.registrada', agencia })
}

/** `account` is the agency's administrator. */
type Detachment = {
  app: Pick<App, 'id' | 'nombre'>
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>
} & ({ by: 'app' | 'mercado' } | { by: 'agencia'; account: Account })

/**
 * Ends an association, suspends the app's listings and withdraws its pending events. The other side is notified. False if
 * there is none to end.
 */
export async function detach(tx: Db, deps: AgenciasDeps, detachment: Detachment): Promise<boolean> {
  const { app, agencia, by } = detachment
  const ended = await tx.query(sql`
    update asociaciones set ended_at = now(), ended_by = ${by}
    where app_id = ${app.id} and agencia_id = ${agencia.id} and ended_at is null returning id`)
  if (ended.length === 0) return false
  if (detachment.by === 'agencia') await requireAdministrator(tx, detachment.account, agencia.id) // as in `connect`
  await withdrawFromReplicas(tx)
  const avisos = await hidePublicaciones(tx, app.id, agencia.id)
  await withdrawEvents(tx, app.id, agencia.id)
  if (by !== 'app')
    await publishAgenciaEvent(tx, deps, { appId: app.id, topic: 'agencia.desasociada', agencia, body: { Por: by } })
  if (by !== 'agencia')
    await enqueueEmailTo(tx, deps.seal, agencia.adminMail, () =>
      detachedEmail({
        to: agencia.adminMail,
        agencia: agencia.nombre,
        app: app.nombre,
        by,
        avisos,
        cuentaUrl: `${deps.config.publicUrl}/cuenta/apps`,
        brand: deps.config.brand.current(),
      }),
    )
  return true
}

/** If the app is associated again, it reactivates its listings itself. Returns how many were shown. */
async function hidePublicaciones(tx: Db, appId: number, agenciaId: number): Promise<number> {
  const [row] = await tx.query<{ shown: number }>(sql`
    with theirs as (
      select id, estado from publicaciones
      where agencia_id = ${agenciaId} and app_id = ${appId} and estado <> 'Archivada'
        and not 'desasociada' = any(suspensiones)
      for no key update),
    hidden as (
      update publicaciones p
      set estado = 'Suspendida', suspensiones = array_append(suspensiones, 'desasociada'), exposicion = null,
          updated_at = now()
      from theirs where p.id = theirs.id returning 1)
    select count(*) filter (where estado = 'Activa') as shown from theirs`)
  return row?.shown ?? 0
}

export async function leaveAgencia(deps: AgenciasDeps, app: App, adminMail: string): Promise<boolean> {
  return deps.store.transaction(async (tx) => {
    const leave = async () => {
      const agencia = await findAgencia(tx, app, adminMail)
      return agencia !== undefined && (await detach(tx, deps, { app, agencia, by: 'app' }))
    }
    const isPending = sql`
      app_id = ${app.id} and admin_mail = ${adminMail.toLowerCase()} and estado = 'pendiente' and vence > now()`
    // Again at the end: the invitation may have been accepted in between.
    return (await leave()) || (await revokeInvitacionWhere(tx, isPending)) || leave()
  })
}
