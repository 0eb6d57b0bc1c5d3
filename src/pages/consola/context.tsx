import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import type { Support } from '../../mail/support.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import type { Db } from '../../store/db.ts'
import { AppShell, type AppShellProps } from '../app-shell.tsx'
import { asksForPart } from '../live.ts'
import type { When } from '../moment.tsx'
import type { PageApp } from '../page-app.ts'
import { justDone, type PageDeps } from '../signed-in.ts'
import { staffAt } from './access.ts'
import { CONSOLE } from './nav.ts'

/** What every page of the console is made with. */
export interface ConsoleContext extends When {
  account: Account
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
  /** Writes to the audit log what is about to be shown, or was done: within `tx`, the transaction that does it. */
  audit(act: string, subject: string, detail?: Record<string, unknown>, tx?: Db): Promise<void>
}

/** The context of a request by staff; undefined where the person was redirected. */
export async function consoleContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleContext | undefined> {
  const account = await staffAt(deps, request, reply)
  if (!account) return undefined
  const { store, clock, config } = deps
  return {
    account,
    support: supportOf(config),
    now: clock(),
    timeZone: config.timeZone,
    // A part that brings itself up to date must not take what the page is about to tell.
    notice: request.method === 'GET' && !asksForPart(request) ? justDone(request, reply) : undefined,
    audit: (act, subject, detail, tx = store) =>
      audit(tx, { accountId: account.id, via: 'consola', act, subject, ...(detail && { detail }) }),
  }
}

/** Routes below /consola, for signed-in staff. */
export type ConsolePages = PageApp<ConsoleContext>

type ConsolePageProps = Omit<AppShellProps, 'account' | 'place' | 'support' | 'notice'> & { ctx: ConsoleContext }

/** A page of the console. */
export const ConsolePage = ({ ctx: { account, support, notice }, ...props }: ConsolePageProps) => (
  <AppShell {...{ account, support, notice }} place={CONSOLE} {...props} />
)
