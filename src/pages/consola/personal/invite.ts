import { type Account, fullName, isMailAddress } from '../../../accounts/account.ts'
import { audit } from '../../../accounts/audit.ts'
import { endLinks, newLink } from '../../../accounts/links.ts'
import { lockStaff } from '../../../accounts/staff.ts'
import { ensureAccount } from '../../../accounts/store.ts'
import { enqueueEmail } from '../../../mail/email.ts'
import { staffEmail } from '../../../mail/emails/accounts.ts'
import { supportOf } from '../../../resources/agencias/context.ts'
import { isOverMailLimit } from '../../../resources/agencias/invitation-limits.ts'
import type { PageDeps } from '../../signed-in.ts'

const LINK_DAYS = 3

export type InvitedStaff = 'invited' | 'invalid' | 'already' | 'too-many'

/** Invites a person to the staff by e-mail. A new link replaces the one before. */
export async function inviteStaff(
  { store, seal, config }: Pick<PageDeps, 'store' | 'seal' | 'config'>,
  address: string,
  by: Account,
): Promise<InvitedStaff> {
  const email = address.trim().toLowerCase()
  if (!isMailAddress(email)) return 'invalid'
  return store.transaction(async (tx) => {
    await lockStaff(tx)
    const account = await ensureAccount(tx, 'produccion', email)
    if (account.staff) return 'already'
    if (await isOverMailLimit(tx, 'personal', email)) return 'too-many'
    await endLinks(tx, { accountId: account.id, purpose: 'personal' })
    const token = await newLink(tx, { purpose: 'personal', accountId: account.id, hours: LINK_DAYS * 24 })
    const url = `${config.publicUrl}/personal/${token}`
    const letter = staffEmail({ to: email, porQuien: fullName(by), url, dias: LINK_DAYS, support: supportOf(config) })
    await enqueueEmail(tx, seal, letter)
    await audit(tx, { accountId: by.id, via: 'consola', act: 'personal.invitar', subject: `cuenta ${account.id}` })
    return 'invited'
  })
}
