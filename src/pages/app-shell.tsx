import type { ComponentChildren, VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { withQuery } from '../http/links.ts'
import { t } from '../i18n/messages.tsx'
import { Icon, type IconName } from './icon.tsx'
import { Layout, type PageScript } from './layout.tsx'
import { RefusedContext } from './page.ts'
import { CloseFold, Notice, OpenFold } from './parts.tsx'
import { publicHref } from './public-href.ts'
import type { SignedInContext } from './signed-in.ts'

export interface Nav {
  title: string
  /** Below the title: the app's mode, for example. */
  note?: ComponentChildren
  items: readonly NavItem[]
  /** Below the others: pages for everybody, which belong to it. */
  more?: { label: string; items: readonly NavItem[] }
}

export interface NavItem {
  href: string
  label: string
}

interface AppShellProps {
  title: string
  ctx: Pick<SignedInContext, 'account' | 'notice' | 'path'>
  nav: Nav
  /** The path of the navigation's item to mark, if neither the page's own path nor that of `parentLink` is below it. */
  section?: string
  /** Whether parts of the page refresh themselves, or it has passkeys. */
  script?: PageScript
  /** Below the heading, where a text is a paragraph, and beside it. */
  intro?: ComponentChildren
  actions?: ComponentChildren
  /** The list that a page of a single thing belongs to. */
  parentLink?: NavItem | undefined
  /** In the header: what needs attention. */
  bell?: VNode
  children: ComponentChildren
}

/** The frame of the pages of console, portal and account: navigation, heading, notice. */
export function AppShell({ ctx, title, nav, intro, parentLink, section, ...props }: AppShellProps) {
  const refused = useContext(RefusedContext)
  const named = title === nav.title ? title : `${title} · ${nav.title}`
  return (
    <Layout
      title={refused ? t('comun.shell.error', { title: named }) : named}
      visitor={ctx.account}
      script={props.script ?? false}
      goTo
      bell={props.bell}
      aside={<SideNav nav={nav} current={currentOf(nav, section ?? parentLink?.href ?? ctx.path)} />}
    >
      {ctx.notice && (
        <Notice>
          <p>{ctx.notice}</p>
        </Notice>
      )}
      <header class="lead work-head">
        <div>
          {parentLink && (
            <p class="overline">
              <a href={parentLink.href}>{parentLink.label}</a>
            </p>
          )}
          <h1>{title}</h1>
          {typeof intro === 'string' ? <p>{intro}</p> : intro}
        </div>
        {props.actions && <div class="row">{props.actions}</div>}
      </header>
      {props.children}
    </Layout>
  )
}

const withoutQuery = (href: string): string => href.split('?')[0] as string

/** The item of the navigation that a page is below; of two, the closer one. */
const currentOf = ({ items }: Nav, path: string): string | undefined =>
  items
    .map(({ href }) => href)
    .filter((href) => `${withoutQuery(path)}/`.startsWith(`${withoutQuery(href)}/`))
    .sort((a, b) => b.length - a.length)[0]

/** By the last segment of the page's path; an overview has none of these. */
const ICONS: Record<string, IconName> = {
  acceso: 'lock',
  agencias: 'building-2',
  alertas: 'bell',
  apps: 'blocks',
  auditoria: 'scroll-text',
  cambios: 'history',
  claves: 'key-round',
  colaboradores: 'users',
  consultas: 'message-square',
  correos: 'mail',
  datos: 'store',
  docs: 'code',
  entregas: 'send',
  equipo: 'users',
  estado: 'server',
  eventos: 'activity',
  guia: 'book-open',
  incidentes: 'triangle-alert',
  llamadas: 'scroll-text',
  marca: 'palette',
  personal: 'users',
  probar: 'terminal',
  problemas: 'circle-alert',
  publicaciones: 'car',
  'puesta-en-marcha': 'rocket',
  sitios: 'globe',
  sucursales: 'map-pin',
  supresiones: 'user-x',
  uso: 'gauge',
  webhooks: 'webhook',
}

const iconOf = (href: string): IconName => ICONS[/[^/?]+(?=\?|$)/.exec(href)?.[0] ?? ''] ?? 'layout-dashboard'

/** A column beside the page; on smaller screens, a line above it with a button that opens the navigation. */
export const SideNav = ({ nav, current }: { nav: Nav; current: string | undefined }) => (
  <aside class="place" aria-label={nav.title}>
    <OpenFold of="menu" icon="menu" label={t('comun.shell.menu')} />
    <p>
      <strong>{nav.title}</strong>
      {nav.note}
    </p>
    <nav id="menu" class="fold-sheet" popover="auto" aria-label={nav.title}>
      <CloseFold of="menu" />
      <NavList items={nav.items} current={current} />
      {nav.more && <NavList items={nav.more.items} label={nav.more.label} />}
    </nav>
  </aside>
)

const NavList = ({ items, label, current }: Pick<Nav, 'items'> & { label?: string; current?: string | undefined }) => (
  <ul aria-label={label}>
    {items.map(({ href, label }) => (
      <li key={href}>
        <a href={publicHref(href)} aria-current={href === current ? 'page' : undefined}>
          <Icon name={iconOf(href)} />
          {label}
        </a>
      </li>
    ))}
  </ul>
)

/** Parameters of a query string; undefined ones are left out. */
export type QueryParams = Record<string, string | number | undefined>

export type PageProps<Ctx> = Omit<AppShellProps, 'ctx' | 'nav' | 'bell'> & { ctx: Ctx }

/** The people that a page is for: lists and confirmations are rendered and linked in their way. */
export interface Audience<Ctx> {
  Page: (props: PageProps<Ctx>) => VNode
  /** Throws if this person may only read. */
  assertMayAct?(ctx: Ctx): void
  /** Path and query parameters that every link of these pages has. */
  base?(ctx: Ctx): { path?: string; params?: QueryParams }
}

export function hrefIn<Ctx>({ base }: Audience<Ctx>, ctx: Ctx, section: string, params: QueryParams = {}): string {
  const { path = '', params: own } = base?.(ctx) ?? {}
  return withQuery(path + section, { ...own, ...params })
}
