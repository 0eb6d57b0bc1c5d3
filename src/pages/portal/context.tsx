import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account, MemberRol } from '../../accounts/account.ts'
import { membershipOf } from '../../accounts/members.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import { message, rich, t } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import { type FailingOfApp, failingOfApp } from '../../webhooks/alerts.ts'
import { translateError } from '../../webhooks/send/explain.ts'
import { AppShell, type Audience, type Nav, type PageProps } from '../app-shell.tsx'
import { partsOfDocs } from '../docs/contents.tsx'
import { nameAfterTopic } from '../entregas/destino.ts'
import { Moment } from '../format.tsx'
import { Icon } from '../icon.tsx'
import { isPartial, type PageApp, type PagesByRole } from '../page.ts'
import { Help } from '../parts.tsx'
import { reauthenticate } from '../reauthenticate.tsx'
import { type PageDeps, requireSignedIn, type SignedInContext, signedInContext } from '../signed-in.ts'
import { webhookPath } from './webhooks/destino.ts'

/** The context of every page of an app's portal, for a member of its team. */
export interface PortalContext extends SignedInContext {
  app: App
  rol: MemberRol
  /** The path of the app's portal: /portal/{AppKey}. */
  basePath: string
  /** Its webhooks that do not work, which the bell in the header shows. */
  failing: readonly FailingOfApp[]
}

/** The context of a request by one of the app's developers; undefined where it was answered. 404 for an app of others. */
export async function portalContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PortalContext | undefined> {
  const { appKey } = request.params as { appKey: string }
  const basePath = `/portal/${appKey}`
  const path = request.url.split('?')[0] as string
  const account = await requireSignedIn(deps, request, reply, request.method === 'GET' ? path : basePath)
  if (!account) return undefined
  const membership = await membershipOf(deps.store, account.id, appKey)
  const app = membership && (await findApp(deps.store, appKey))
  if (!app) throw notFound()
  if (!(await reauthenticate(deps, request, reply, account))) return undefined
  const failing = isPartial(request) ? [] : await failingOfApp(deps.store, app.id)
  return { ...signedInContext(deps, request, reply, account, 'portal'), app, rol: membership.rol, basePath, failing }
}

const ONLY_TITULAR = message('portal.onlyTitular')

/** Only a titular changes keys and team. */
export const PORTAL_ROLES = {
  desarrollador: (ctx: PortalContext) => ctx,
  titular(ctx: PortalContext) {
    if (ctx.rol !== 'titular') throw forbidden(ONLY_TITULAR)
    return ctx
  },
}

/** Routes below /portal/{AppKey}, for the app's developers. */
export type PortalPages = PageApp<PortalContext>
export type PortalPagesByRole = PagesByRole<typeof PORTAL_ROLES>

/** A page of the portal. Every page says so if the app is disabled. */
export const PortalPage = ({ ctx, children, ...props }: PageProps<PortalContext>) => (
  <AppShell ctx={ctx} nav={navOf(ctx.app)} bell={<Bell ctx={ctx} />} {...props}>
    {ctx.app.disabled && <Disabled ctx={ctx} />}
    {children}
  </AppShell>
)

/** A list that opens without a script: the webhooks that do not work. */
const Bell = ({ ctx: { basePath, failing, ...when } }: { ctx: PortalContext }) => (
  <>
    <button type="button" class="secondary small bell" popovertarget="campana">
      <Icon name="bell" />
      <span class="visually-hidden">{t('portal.bell.label', { count: failing.length })}</span>
      {failing.length > 0 && (
        <span class="count" aria-hidden="true">
          {failing.length}
        </span>
      )}
    </button>
    <div id="campana" class="bell-list" popover="auto">
      <p>
        <strong>{t('portal.bell.title', { count: failing.length })}</strong>
      </p>
      <ul>
        {failing.map(({ since, error, isDisabled, ...webhook }) => (
          <li key={`${webhook.topic} ${webhook.destino}`}>
            <a href={webhookPath(basePath, webhook)}>{webhook.topic + nameAfterTopic(webhook)}</a>
            <span class="hint below">
              {rich(isDisabled ? 'portal.bell.disabled' : 'portal.bell.failing', {
                moment: <Moment at={since} when={when} />,
              })}{' '}
              {error && translateError(error)}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={`${basePath}/alertas`}>{t('portal.bell.alerts')}</a>
      </p>
    </div>
  </>
)

export const PORTAL: Audience<PortalContext> = {
  Page: PortalPage,
  base: ({ basePath }) => ({ path: basePath }),
}

const SECTIONS = [
  ['', 'portal.nav.summary'],
  ['/puesta-en-marcha', 'portal.nav.start'],
  ['/claves', 'portal.nav.keys'],
  ['/webhooks', 'portal.nav.webhooks'],
  ['/alertas', 'portal.nav.alerts'],
  ['/entregas', 'portal.nav.deliveries'],
  ['/eventos', 'portal.nav.events'],
  ['/probar', 'portal.nav.try'],
  ['/llamadas', 'portal.nav.calls'],
  ['/uso', 'portal.nav.usage'],
  ['/equipo', 'portal.nav.team'],
] as const

export const AppBadges = ({ modo, disabled }: Pick<App, 'modo' | 'disabled'>) => (
  <>
    <span class={modo === 'prueba' ? 'badge test' : 'badge'}>{t(`portal.modo.${modo}`)}</span>{' '}
    {disabled && <span class="badge error">{t('portal.disabled.badge')}</span>}
  </>
)

export function navOf(app: App): Nav {
  const basePath = `/portal/${app.appKey}`
  return {
    title: app.nombre,
    note: <AppBadges {...app} />,
    items: SECTIONS.map(([section, key]) => ({ href: basePath + section, label: t(key) })),
    more: { label: t('docs.more.title'), items: partsOfDocs().map(([href, label]) => ({ href, label })) },
  }
}

/** The navigation of an app's portal, for a member of its team. */
export async function portalNav(db: Db, account: Account, appKey: string): Promise<Nav | undefined> {
  const app = (await membershipOf(db, account.id, appKey)) && (await findApp(db, appKey))
  return app && navOf(app)
}

const Disabled = ({ ctx: { app, ...when } }: { ctx: PortalContext }) => (
  <div class="faults" role="note">
    <h2>{t('portal.disabled.title')}</h2>
    {app.disabledAt && (
      <p>
        {rich(app.disabledReason ? 'portal.disabled.sinceReason' : 'portal.disabled.since', {
          moment: <Moment at={app.disabledAt} when={when} />,
          reason: app.disabledReason,
        })}
      </p>
    )}
    <p>{t('portal.disabled.text')}</p>
    <Help />
  </div>
)
