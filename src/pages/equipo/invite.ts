import { type Account, fullName, isMailAddress } from '../../accounts/account.ts'
import { endLinks, newLink } from '../../accounts/links.ts'
import { listMembers, lockTeam, type MemberRol } from '../../accounts/members.ts'
import { ensureAccount } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import { enqueueEmail } from '../../mail/email.ts'
import { teamEmail } from '../../mail/emails/accounts.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { isBlocked, isOverInvitationLimit, isOverMailLimit } from '../../resources/agencias/invitation-limits.ts'
import type { PageDeps } from '../signed-in.ts'

const LINK_DAYS = 7

export interface AskedMember {
  app: App
  email: string
  rol: MemberRol
  /** Who asks, if it is not the marketplace. */
  by?: Account | undefined
}

export type InvitedMember = 'invited' | 'invalid' | 'already' | 'too-many' | 'blocked' | 'flood'

/** Why a person was not invited. */
export const INVITE_REFUSALS: Record<Exclude<InvitedMember, 'invited'>, string> = {
  invalid: 'Escriba un correo, por ejemplo nombre@empresa.com.',
  already: 'Esa persona ya está en el equipo.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que un equipo puede enviar en un día. Siga mañana.',
}

/** Asks somebody to work on an app; they accept with the link in the mail (`join.ts`). A new one replaces the one before. */
export async function inviteMember(
  { store, seal, config }: Pick<PageDeps, 'store' | 'seal' | 'config'>,
  { app, email: written, rol, by }: AskedMember,
): Promise<InvitedMember> {
  const email = written.trim().toLowerCase()
  if (!isMailAddress(email)) return 'invalid'
  return store.transaction(async (tx) => {
    await lockTeam(tx, app.id)
    if ((await listMembers(tx, app.id)).some((member) => member.email === email)) return 'already'
    if (await isOverMailLimit(tx, 'equipo', email)) return 'too-many'
    // The marketplace may invite any address.
    if (by && (await isBlocked(tx, email))) return 'blocked'
    if (by && (await isOverInvitationLimit(tx, { appId: app.id }))) return 'flood'
    const { id: accountId } = await ensureAccount(tx, 'produccion', email)
    await endLinks(tx, { accountId, purpose: 'equipo', appId: app.id })
    const token = await newLink(tx, { purpose: 'equipo', accountId, appId: app.id, rol, hours: LINK_DAYS * 24 })
    const about = {
      app: app.nombre,
      porQuien: by ? fullName(by) : 'Rodado',
      url: `${config.publicUrl}/equipo/${token}`,
    }
    await enqueueEmail(tx, seal, teamEmail({ to: email, ...about, dias: LINK_DAYS, support: supportOf(config) }))
    return 'invited'
  })
}
