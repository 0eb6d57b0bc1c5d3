import { type Account, fullName, isMailAddress, type MemberRol } from '../accounts/account.ts'
import { audit } from '../accounts/audit.ts'
import { endLinks, newLink, readLink, useLink } from '../accounts/links.ts'
import { listMembers, lockTeam, setMember } from '../accounts/members.ts'
import { lockStaff } from '../accounts/staff.ts'
import { createAccount, ensureAccount, findAccountById, type NewAccount, setFirstIdioma } from '../accounts/store.ts'
import type { App } from '../apps/app.ts'
import { findAppById } from '../apps/store.ts'
import { t } from '../i18n/messages.tsx'
import { staffEmail, teamEmail } from '../mail/compose.ts'
import { enqueueEmailTo } from '../mail/email.ts'
import { isBlocked, isOverInvitacionLimit, isOverMailLimit } from '../resources/agencias/invitacion-store.ts'
import { type Db, type Store, transactionOr } from '../store/db.ts'
import type { AccessDeps } from './credentials.ts'

const TEAM_LINK_DAYS = 7
const STAFF_LINK_DAYS = 3

interface MemberInvitation {
  app: App
  email: string
  rol: MemberRol
  /** Undefined for the marketplace. */
  by?: Account | undefined
}

export type InvitedMember = 'invited' | 'invalid' | 'already' | 'too-many' | 'blocked' | 'flood'

/** Invites a person to an app's team by email. A new link replaces the one before. */
export async function inviteMember(
  { store, seal, config }: AccessDeps,
  { app, email: written, rol, by }: MemberInvitation,
): Promise<InvitedMember> {
  const email = written.trim().toLowerCase()
  if (!isMailAddress(email)) return 'invalid'
  return store.transaction(async (tx) => {
    await lockTeam(tx, app.id)
    if ((await listMembers(tx, app.id)).some((member) => member.email === email)) return 'already'
    if (await isOverMailLimit(tx, 'equipo', email)) return 'too-many'
    // The marketplace may invite any address.
    if (by && (await isBlocked(tx, email))) return 'blocked'
    if (by && (await isOverInvitacionLimit(tx, { appId: app.id }))) return 'flood'
    const { id: accountId } = await ensureAccount(tx, 'produccion', email)
    await endLinks(tx, { accountId, purpose: 'equipo', appId: app.id })
    const token = await newLink(tx, { purpose: 'equipo', accountId, appId: app.id, rol, hours: TEAM_LINK_DAYS * 24 })
    const brand = config.brand.current()
    const about = {
      porQuien: by ? fullName(by) : brand.nombre,
      url: `${config.publicUrl}/equipo/${token}`,
    }
    await enqueueEmailTo(tx, seal, email, () =>
      teamEmail({ to: email, app: appName(app), ...about, dias: TEAM_LINK_DAYS, brand }),
    )
    return 'invited'
  })
}

export type TeamInvitation =
  | { kind: 'open'; account: Account; app: App; rol: MemberRol }
  | { kind: 'used' | 'expired' | 'unknown' }

type OpenInvitation = Extract<TeamInvitation, { kind: 'open' }>

export type Newcomer = Pick<NewAccount, 'nombre' | 'apellido' | 'passwordHash'>

/** Often there is an app of the same name in production. */
export const appName = ({ nombre, modo }: App): string =>
  modo === 'prueba' ? t('comun.app.inTestMode', { app: nombre }) : nombre

/** Reads a link without using it up. */
export async function readTeamInvitation(db: Db, token: string): Promise<TeamInvitation> {
  const link = await readLink(db, token, 'equipo')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  const account = await findAccountById(db, link.accountId)
  const app = link.appId === null ? undefined : await findAppById(db, link.appId)
  return account && app && link.rol ? { kind: 'open', account, app, rol: link.rol } : { kind: 'unknown' }
}

/** Uses the link once. `sign-in`: a new person has chosen a password meanwhile, and the link stays usable. */
export const joinTeam = (
  store: Store,
  token: string,
  { account: invitee, app }: OpenInvitation,
  newcomer: Newcomer | undefined,
) =>
  transactionOr<Account | 'used' | 'sign-in'>(store, async (tx, rollBack) => {
    await lockTeam(tx, app.id)
    const link = await useLink(tx, token, 'equipo')
    if (!link?.rol) return 'used'
    const { email } = invitee
    const account = newcomer ? await createAccount(tx, { modo: 'produccion', email, ...newcomer }) : invitee
    if (!account) return rollBack('sign-in')
    await setFirstIdioma(tx, account.id)
    await setMember(tx, app.id, account.id, link.rol)
    await audit(tx, { accountId: account.id, via: 'portal', act: 'equipo.sumarse', subject: app.appKey })
    return { ...account, develops: true }
  })

export type InvitedStaffMember = 'invited' | 'invalid' | 'already' | 'too-many'

/** Invites a person to the staff by email. A new link replaces the one before. */
export async function inviteStaff(
  { store, seal, config }: AccessDeps,
  address: string,
  by: Account,
): Promise<InvitedStaffMember> {
  const email = address.trim().toLowerCase()
  if (!isMailAddress(email)) return 'invalid'
  return store.transaction(async (tx) => {
    await lockStaff(tx)
    const account = await ensureAccount(tx, 'produccion', email)
    if (account.staff) return 'already'
    if (await isOverMailLimit(tx, 'personal', email)) return 'too-many'
    await endLinks(tx, { accountId: account.id, purpose: 'personal' })
    const token = await newLink(tx, { purpose: 'personal', accountId: account.id, hours: STAFF_LINK_DAYS * 24 })
    const url = `${config.publicUrl}/personal/${token}`
    const brand = config.brand.current()
    const content = { to: email, porQuien: fullName(by), url, dias: STAFF_LINK_DAYS, brand }
    await enqueueEmailTo(tx, seal, email, () => staffEmail(content))
    await audit(tx, { accountId: by.id, via: 'consola', act: 'personal.invitar', subject: `cuenta ${account.id}` })
    return 'invited'
  })
}
