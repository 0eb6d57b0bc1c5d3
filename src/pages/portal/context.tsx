import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppShell, type AppShellProps } from '../app-shell.tsx'
import { Moment } from '../moment.tsx'
import type { PageApp } from '../page-app.ts'
import { Help } from '../parts.tsx'
import { type PageDeps, type SignedInContext, signedInContext } from '../signed-in.ts'
import { type ByApp, type Developer, developerAt } from './access.ts'
import { navOf } from './nav.tsx'

/** What every page of an app's portal is made with. */
export interface PortalContext extends Developer, SignedInContext {
  /** Where the portal of the app begins. */
  at: string
}

/** The context of a request by one of the app's developers; undefined where the person was redirected. */
export async function portalContext(
  deps: PageDeps,
  request: FastifyRequest<ByApp>,
  reply: FastifyReply,
): Promise<PortalContext | undefined> {
  const developer = await developerAt(deps, request, reply)
  if (!developer) return undefined
  return {
    ...developer,
    ...signedInContext(deps, request, reply, developer.account, 'portal'),
    at: `/portal/${developer.app.appKey}`,
  }
}

/** Routes below /portal/{AppKey}, for the app's developers. */
export type PortalPages = PageApp<PortalContext>

type PortalPageProps = Omit<AppShellProps, 'account' | 'nav' | 'support' | 'notice' | 'current'> & {
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
    nav={navOf(ctx.app)}
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
