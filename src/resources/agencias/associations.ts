import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { withdrawEmails } from '../../mail/email.ts'
import type { Db } from '../../store/db.ts'
import { withdrawEvents } from '../../webhooks/events.ts'
import type { Agencia, AgenciaData, Permisos } from './agencia.ts'
import { type AgenciasDeps, tell } from './context.ts'
import { lockAddress } from './invitation.ts'
import { findAgencia, findAgenciaById } from './read.ts'

/** What the inviting app may do (decisions, 6). */
export const INVITER: Permisos = { editar: true, consultasDeCatalogo: false, consultasDeOtros: false }

/**
 * Makes an agency that this person administers, associated with the app that brought it. Undefined where they
 * administer one already. An address of one's own is no alias any more.
 */
export async function establish(
  tx: Db,
  deps: AgenciasDeps,
  app: App,
  { id: accountId, modo, email }: Account,
  data: AgenciaData,
): Promise<Agencia | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into agencias (modo, admin_mail, nombre, razon_social, id_fiscal, telefono, whatsapp, sitio_web, region_id,
                          region, ciudad_id, ciudad, direccion, codigo_postal)
    values (${modo}, ${email}, ${data.nombre}, ${data.razonSocial}, ${data.idFiscal}, ${data.telefono},
            ${data.whatsapp}, ${data.sitioWeb}, ${data.regionId}, ${data.region}, ${data.ciudadId}, ${data.ciudad},
            ${data.direccion}, ${data.codigoPostal})
    on conflict (modo, admin_mail) do nothing returning id`)
  if (!row) return undefined
  await tx.query(sql`delete from agencia_aliases where modo = ${modo} and admin_mail = ${email}`)
  await tx.query(sql`
    insert into operadores (agencia_id, account_id, rol) values (${row.id}, ${accountId}, 'administrador')
    on conflict (agencia_id, account_id) do update set rol = 'administrador'`)
  const agencia = await findAgenciaById(tx, row.id)
  if (!agencia) throw new Error('The agency was not made.')
  await associate(tx, deps, app, agencia, INVITER)
  return agencia
}

/** The agency's administrator lets an app in, or changes what it may do: what is given here holds from now on. */
export async function connect(deps: AgenciasDeps, app: App, agencia: Agencia, permisos: Permisos): Promise<void> {
  await deps.store.transaction(async (tx) => {
    await lockAddress(tx, agencia.modo, agencia.adminMail)
    await associate(tx, deps, app, agencia, permisos)
    // The page did what the app's invitation asked for.
    await tx.query(sql`
      update invitaciones set estado = 'aceptada', ended_at = now(), agencia_id = ${agencia.id}
      where app_id = ${app.id} and admin_mail = ${agencia.adminMail} and estado = 'pendiente'`)
  })
}

/** Begins or changes an association; the app hears of a beginning only. Neither mode reaches into the other. */
export async function associate(
  tx: Db,
  deps: AgenciasDeps,
  app: App,
  agencia: Pick<Agencia, 'id' | 'modo' | 'adminMail' | 'nombre'>,
  { editar, consultasDeCatalogo, consultasDeOtros }: Permisos,
  again: 'replace' | 'widen' = 'replace',
): Promise<void> {
  if (app.modo !== agencia.modo) throw new Error('An app and an agency of different modes do not meet.')
  const keep = again === 'widen'
  const [row] = await tx.query<{ isNew: boolean }>(sql`
    insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
    values (${app.id}, ${agencia.id}, ${editar}, ${consultasDeCatalogo}, ${consultasDeOtros})
    on conflict (app_id, agencia_id) where ended_at is null do update
      set editar = excluded.editar or (${keep} and asociaciones.editar),
          consultas_de_catalogo = excluded.consultas_de_catalogo or (${keep} and asociaciones.consultas_de_catalogo),
          consultas_de_otros = excluded.consultas_de_otros or (${keep} and asociaciones.consultas_de_otros)
    returning xmax = 0 as "isNew"`)
  if (row?.isNew) await tell(tx, deps, app.id, 'agencia.registrada', agencia)
}

export interface Detachment {
  app: Pick<App, 'id'>
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>
  by: 'app' | 'agencia' | 'mercado'
}

/**
 * Ends an association: the one place, so whoever adds what an app has of an agency adds its line here. The account, its
 * data and its other apps stay as they are. False where there is none to end: of two at once, one ends it.
 */
export async function detach(tx: Db, deps: AgenciasDeps, { app, agencia, by }: Detachment): Promise<boolean> {
  const ended = await tx.query(sql`
    update asociaciones set ended_at = now(), ended_by = ${by}
    where app_id = ${app.id} and agencia_id = ${agencia.id} and ended_at is null returning id`)
  if (ended.length === 0) return false
  await hideListings(tx, app.id, agencia.id)
  await withdrawEvents(tx, app.id, agencia.id)
  if (by !== 'app') await tell(tx, deps, app.id, 'agencia.desasociada', agencia, { Por: by })
  return true
}

/** What the app published there is shown no more; should it come back, it shows them again itself, one by one. */
async function hideListings(tx: Db, appId: number, agenciaId: number): Promise<void> {
  await tx.query(sql`
    update publicaciones
    set estado = 'Suspendida', suspensiones = array_append(suspensiones, 'desasociada'), exposicion = null,
        updated_at = now()
    where agencia_id = ${agenciaId} and app_id = ${appId} and estado <> 'Archivada'
      and not 'desasociada' = any(suspensiones)`)
}

/** Takes back an invitation that is still pending, and its letter where that has not left. */
async function revoke(tx: Db, app: App, adminMail: string): Promise<boolean> {
  const [revoked] = await tx.query<{ id: number }>(sql`
    update invitaciones set estado = 'revocada', ended_at = now()
    where app_id = ${app.id} and admin_mail = ${adminMail.toLowerCase()} and estado = 'pendiente' and vence > now()
    returning id`)
  if (revoked) await withdrawEmails(tx, revoked.id)
  return revoked !== undefined
}

/** What an app's own wish to part means: the association ends, or the pending invitation is revoked. */
export async function part(deps: AgenciasDeps, app: App, adminMail: string): Promise<boolean> {
  return deps.store.transaction(async (tx) => {
    const leave = async () => {
      const agencia = await findAgencia(tx, app, adminMail)
      return agencia !== undefined && (await detach(tx, deps, { app, agencia, by: 'app' }))
    }
    // Once more at the end: the invitation may have been accepted while it was being revoked.
    return (await leave()) || (await revoke(tx, app, adminMail)) || leave()
  })
}
