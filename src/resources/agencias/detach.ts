import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { withdrawLetters } from '../../mail/email.ts'
import type { Db } from '../../store/db.ts'
import { withdrawEvents } from '../../webhooks/events.ts'
import type { Agencia } from './agencia.ts'
import type { AgenciasDeps } from './deps.ts'
import { findAgencia } from './store.ts'
import { tell } from './tell.ts'

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
  if (revoked) await withdrawLetters(tx, revoked.id)
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
