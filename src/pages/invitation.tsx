import type { FastifyReply } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Errors } from '../http/problems.ts'
import { type Invited, JoinPage, KnownPage, NewcomerPage, type NewcomerValues, NotYoursPage } from './invited.tsx'
import { page } from './page.ts'

/** An open invitation, the account that it is for, and the one that is signed in. */
export interface OpenInvitation {
  invited: Invited
  invitee: Account
  signedIn: Account | undefined
}

const NOTHING_YET: NewcomerValues = { Nombre: '', Apellido: '' }

/** What an open link to an agency or a team shows: a form to somebody new, one button to whom it was meant for. */
export function showInvitation(reply: FastifyReply, { invited, invitee, signedIn }: OpenInvitation): FastifyReply {
  if (!invitee.hasPassword) return page(reply, <NewcomerPage {...invited} email={invitee.email} values={NOTHING_YET} />)
  if (!signedIn) return page(reply, <KnownPage {...invited} invitee={invitee} />)
  if (signedIn.id !== invitee.id)
    return page(reply, <NotYoursPage support={invited.support} account={signedIn} invitee={invitee} />, 403)
  return page(reply, <JoinPage {...invited} account={signedIn} />)
}

/** The same form with what was wrong in it, and with what was typed. */
export const showFaults = (
  reply: FastifyReply,
  { invited, invitee }: Pick<OpenInvitation, 'invited' | 'invitee'>,
  values: NewcomerValues,
  errors: Errors,
): FastifyReply => page(reply, <NewcomerPage {...invited} email={invitee.email} values={values} errors={errors} />, 400)
