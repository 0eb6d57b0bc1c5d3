import type { FastifyReply } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Errors } from '../http/problems.ts'
import { type Invited, JoinPage, KnownPage, NewcomerPage, type NewcomerValues, NotYoursPage } from './invited.tsx'
import { page } from './page.ts'

/** An open link, whom it asked, and who is there. */
export interface Asking {
  invited: Invited
  asked: Account
  signedIn: Account | undefined
}

const NOTHING_YET: NewcomerValues = { Nombre: '', Apellido: '' }

/** What an open link to an agency or a team shows: a form to somebody new, one button to whom it was meant for. */
export function showInvitation(reply: FastifyReply, { invited, asked, signedIn }: Asking): FastifyReply {
  if (!asked.hasPassword) return page(reply, <NewcomerPage {...invited} email={asked.email} values={NOTHING_YET} />)
  if (!signedIn) return page(reply, <KnownPage {...invited} asked={asked} />)
  if (signedIn.id !== asked.id)
    return page(reply, <NotYoursPage support={invited.support} account={signedIn} asked={asked} />, 403)
  return page(reply, <JoinPage {...invited} account={signedIn} />)
}

/** The same form with what was wrong in it, and with what was typed. */
export const showFaults = (
  reply: FastifyReply,
  { invited, asked }: Pick<Asking, 'invited' | 'asked'>,
  values: NewcomerValues,
  errors: Errors,
): FastifyReply => page(reply, <NewcomerPage {...invited} email={asked.email} values={values} errors={errors} />, 400)
