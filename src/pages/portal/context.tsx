import type { FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '../../accounts/audit.ts'
import type { Support } from '../../mail/support.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import type { Db } from '../../store/db.ts'
import { AppShell, type AppShellProps } from '../app-shell.tsx'
import { asksForPart } from '../live.ts'
import { Moment, type When } from '../moment.tsx'
import type { PageApp } from '../page-app.ts'
import { Help } from '../parts.tsx'
import { justDone, type PageDeps } from '../signed-in.ts'
import { type ByApp, type Developer, developerAt } from './access.ts'
import { placeOf } from './nav.tsx'

/** What every page of an app's portal is made with. */
export interface PortalContext extends Developer, When {
  /** Where the portal of the app begins. */
  at: string
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
  /** Writes to the audit log what is about to be shown, or was done: within `tx`, the transaction that does it. */
  audit(act: string, subject: string, detail?: Record<string, unknown>, tx?: Db): Promise<void>
}

/** The context of a request by one of the app's developers; undefined where the person was redirected. */
export async function portalContext(
  deps: PageDeps,
  request: FastifyRequest<ByApp>,
  reply: FastifyReply,
): Promise<PortalContext | undefined> {
  const developer = await developerAt(deps, request, reply)
  if (!developer) return undefined
  const { store, clock, config } = deps
  return {
    ...developer,
    at: `/portal/${developer.app.appKey}`,
    support: supportOf(config),
    now: clock(),
    timeZone: config.timeZone,
    // A part that brings itself up to date must not take what the page is about to tell.
    notice: request.method === 'GET' && !asksForPart(request) ? justDone(request, reply) : undefined,
    audit: (act, subject, detail, tx = store) =>
      audit(tx, { accountId: developer.account.id, via: 'portal', act, subject, ...(detail && { detail }) }),
  }
}

/** Routes below /portal/{AppKey}, for the app's developers. */
export type PortalPages = PageApp<PortalContext>

type PortalPageProps = Omit<AppShellProps, 'account' | 'place' | 'support' | 'notice' | 'current'> & {
  ctx: PortalContext
  /** The page's entry in the navigation, after the app: `/webhooks`; the overview's is empty. */
  section: string
}

/** A page of the portal. Where the app is disabled each of them says so: nothing else explains what is seen there. */
export const PortalPage = ({ ctx, section, children, ...props }: PortalPageProps) => (
  <AppShell
    account={ctx.account}
    support={ctx.support}
    notice={ctx.notice}
    place={placeOf(ctx.app)}
    current={ctx.at + section}
    {...props}
  >
    {ctx.app.disabled && <Disabled ctx={ctx} />}
    {children}
  </AppShell>
)

const Disabled = ({ ctx: { app, support, ...when } }: { ctx: PortalContext }) => (
  <div class="faults" role="note">
    <h2>El mercado deshabilitó esta app</h2>
    {app.disabledAt && (
      <p>
        Desde <Moment at={app.disabledAt} when={when} />
        {app.disabledReason ? `. Motivo: ${app.disabledReason}` : '.'}
      </p>
    )}
    <p>
      Sus llamadas a la API responden 401, y sus webhooks no reciben nada. Lo que ocurre mientras tanto se guarda 90
      días: cuando la habiliten, podrá reenviarlo desde Entregas o leerlo en Eventos.
    </p>
    <Help support={support} />
  </div>
)
