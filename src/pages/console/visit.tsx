import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import type { Support } from '../../mail/support.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import type { Db } from '../../store/db.ts'
import { asksForPart } from '../live.ts'
import type { When } from '../moment.tsx'
import { justDone, type People } from '../people.ts'
import { Workplace, type WorkplaceProps } from '../workplace.tsx'
import { staffAt } from './access.ts'
import { CONSOLE } from './place.ts'

/** One of the staff at a page of the console. */
export interface Visit extends When {
  account: Account
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
  /** Notes in the audit log what is about to be shown, or was done: then in the transaction that does it, where there is one. */
  note(act: string, subject: string, detail?: Record<string, unknown>, tx?: Db): Promise<void>
}

/** Who visits the console; undefined where they were led elsewhere. */
export async function visitBy(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | undefined> {
  const account = await staffAt(people, request, reply)
  if (!account) return undefined
  const { store, clock, config } = people
  return {
    account,
    support: supportOf(config),
    now: clock(),
    timeZone: config.timeZone,
    // A part that brings itself up to date must not take what the page is about to tell.
    notice: request.method === 'GET' && !asksForPart(request) ? justDone(request, reply) : undefined,
    note: (act, subject, detail, tx = store) =>
      audit(tx, { accountId: account.id, via: 'consola', act, subject, ...(detail && { detail }) }),
  }
}

type ConsolePageProps = Omit<WorkplaceProps, 'account' | 'place' | 'support' | 'notice'> & { visit: Visit }

/** A page of the console. */
export const ConsolePage = ({ visit: { account, support, notice }, ...props }: ConsolePageProps) => (
  <Workplace {...{ account, support, notice }} place={CONSOLE} {...props} />
)
