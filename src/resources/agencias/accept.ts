import type { Account } from '../../accounts/account.ts'
import type { Agencia } from './agencia.ts'
import { associate } from './connect.ts'
import type { AgenciasDeps } from './deps.ts'
import { INVITER } from './establish.ts'
import { lockInvitacion } from './invited.ts'
import { accepted } from './register.ts'
import { agenciaOfAccount } from './store.ts'

/** `no-agency`: the person has an account and administers nothing yet, so the form is what they need (`register`). */
export type Accepted =
  | { kind: 'associated'; agencia: Agencia }
  | { kind: 'used' | 'expired' | 'unknown' | 'other-account' | 'no-agency' }

/** A second app's link, used by the signed-in owner of the address: its app is associated too. */
export async function acceptInvitation(deps: AgenciasDeps, token: string, account: Account): Promise<Accepted> {
  return deps.store.transaction(async (tx) => {
    const invitacion = await lockInvitacion(tx, token)
    if (!invitacion) return { kind: 'unknown' }
    if (invitacion.estado === 'aceptada') return { kind: 'used' }
    if (invitacion.estado !== 'pendiente' || invitacion.app.disabled) return { kind: 'expired' }
    if (account.modo !== invitacion.modo || account.email !== invitacion.adminMail) return { kind: 'other-account' }

    const agencia = await agenciaOfAccount(tx, account)
    if (agencia?.rol !== 'administrador') return { kind: 'no-agency' }
    await associate(tx, deps, invitacion.app, agencia, INVITER, 'widen')
    await accepted(tx, invitacion.id, agencia.id)
    return { kind: 'associated', agencia }
  })
}
