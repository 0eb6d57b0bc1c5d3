import type { Db, Store } from '../store/db.ts'
import type { Account } from './account.ts'
import { audit } from './audit.ts'
import { endLinks, newLink, readLink, useLink } from './links.ts'
import { addStaff, hasStaff, lockStaff } from './staff.ts'
import { createAccount, findAccountById } from './store.ts'

const FIRST_HOURS = 24 // short, because the link is printed on a terminal

/** A link to join the staff. Without an account it is for the first staff member. */
export type StaffInvitation = { kind: 'open'; account?: Account } | { kind: 'used' | 'expired' | 'unknown' }

/** A person who is signed in, or the data of a new one. */
export type Joining =
  | { account: Account }
  | { email: string; nombre: string; apellido: string; passwordHash: string; account?: undefined }

/** `joined`: the account has the new session version. `sign-in`: the address has an account, whose owner must sign in first. */
export type JoinedStaff = { kind: 'joined'; account: Account } | { kind: 'used' | 'sign-in' }

/** The token of a link for the first staff member, while there is none. Several nodes may issue one; all end together. */
export async function firstStaffToken(db: Db): Promise<string | undefined> {
  if (await hasStaff(db)) return undefined
  return newLink(db, { purpose: 'personal', accountId: null, hours: FIRST_HOURS })
}

/** Reads a link without using it. */
export async function readStaffInvitation(db: Db, token: string): Promise<StaffInvitation> {
  const link = await readLink(db, token, 'personal')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  if (link.accountId === 0) return (await hasStaff(db)) ? { kind: 'used' } : { kind: 'open' }
  const account = await findAccountById(db, link.accountId)
  return account ? { kind: 'open', account } : { kind: 'unknown' }
}

/** Joins the staff, once. A person with a password must be signed in as the invited account. */
export async function joinStaff(store: Store, token: string, who: Joining): Promise<JoinedStaff> {
  return store
    .transaction(async (tx): Promise<JoinedStaff> => {
      await lockStaff(tx)
      const link = await useLink(tx, token, 'personal')
      const first = link?.accountId === 0
      if (!link || (first && (await hasStaff(tx)))) return { kind: 'used' }
      const account = who.account ?? (await createAccount(tx, { modo: 'produccion', ...who }))
      if (!account || (!first && account.id !== link.accountId)) throw new MustSignIn()
      await addStaff(tx, account.id)
      const member = await findAccountById(tx, account.id)
      if (!member) throw new Error(`There is no account ${account.id}.`)
      await endLinks(tx, { accountId: first ? null : account.id, purpose: 'personal' })
      await audit(tx, {
        accountId: account.id,
        via: 'consola',
        act: 'personal.sumarse',
        subject: `cuenta ${account.id}`,
      })
      return { kind: 'joined', account: member }
    })
    .catch((error) => {
      if (error instanceof MustSignIn) return { kind: 'sign-in' }
      throw error
    })
}

/** Ends the transaction: the link stays as it was. */
class MustSignIn extends Error {}
