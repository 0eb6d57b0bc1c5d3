import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../apps/app.ts'
import { AppShell, type Nav } from '../app-shell.tsx'
import type { Audience, PageProps } from '../audience.ts'
import { Moment } from '../moment.tsx'
import type { PageApp } from '../page-app.ts'
import { Help } from '../parts.tsx'
import { type PageDeps, type SignedInContext, signedInContext } from '../signed-in.ts'
import { type ByApp, type Developer, developerAt } from './access.ts'

/** The context of every page of an app's portal. */
export interface PortalContext extends Developer, SignedInContext {
  /** The path of the app's portal: /portal/{AppKey}. */
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

/** A page of the portal. `section` follows the app's path: `/webhooks`. Every page says so if the app is disabled. */
export const PortalPage = ({ ctx, section, children, ...props }: PageProps<PortalContext>) => (
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

/** Lists and confirmations of the portal. */
export const PORTAL: Audience<PortalContext, PortalContext> = {
  Page: PortalPage,
  enter: (ctx) => ctx,
  base: ({ at }) => ({ path: at }),
}

function navOf({ appKey, nombre, modo, disabled }: App): Nav {
  const at = `/portal/${appKey}`
  return {
    title: nombre,
    note: (
      <>
        <span class={modo === 'prueba' ? 'badge warning' : 'badge'}>{modo === 'prueba' ? 'prueba' : 'producción'}</span>
        {disabled && <span class="badge status-5">deshabilitada</span>}
      </>
    ),
    items: [
      { href: at, label: 'Resumen' },
      { href: `${at}/puesta-en-marcha`, label: 'Puesta en marcha' },
      { href: `${at}/claves`, label: 'Claves' },
      { href: `${at}/webhooks`, label: 'Webhooks' },
      { href: `${at}/entregas`, label: 'Entregas' },
      { href: `${at}/eventos`, label: 'Eventos' },
      { href: `${at}/probar`, label: 'Probar la API' },
      { href: `${at}/uso`, label: 'Uso y límites' },
      { href: `${at}/equipo`, label: 'Equipo' },
    ],
  }
}

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
