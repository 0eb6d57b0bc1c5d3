import type { ComponentChildren } from 'preact'
import type { Account } from '../accounts/account.ts'
import type { Support } from '../mail/content.ts'
import { Layout } from './layout.tsx'
import { Notice } from './parts.tsx'

/** The navigation of console, portal or account. */
export interface Nav {
  title: string
  /** Below the title: the app's mode, for example. */
  note?: ComponentChildren
  items: readonly NavItem[]
}

export interface NavItem {
  href: string
  label: string
}

export interface AppShellProps {
  title: string
  account: Account
  nav: Nav
  /** The item of the navigation that this page belongs to. */
  current: string
  support: Support
  /** What the person has just done. */
  notice?: string | undefined
  /** Whether a form was refused: the title says so first. */
  faulty?: boolean
  /** Whether parts of the page refresh themselves; set the policy of `allowScript` with it. */
  script?: boolean
  /** Below the heading, and beside it. */
  lead?: ComponentChildren
  acts?: ComponentChildren
  /** The list that a page of a single thing belongs to. */
  above?: NavItem | undefined
  children: ComponentChildren
}

/** The frame of the pages of console, portal and account: navigation, heading, notice. */
export function AppShell(props: AppShellProps) {
  const { title, account, nav, current, support, notice, faulty, script = false, lead, acts, above, children } = props
  return (
    <Layout
      title={(faulty ? 'Error: ' : '') + (title === nav.title ? title : `${title} · ${nav.title}`)}
      visitor={account}
      support={support}
      script={script}
      aside={<SideNav nav={nav} current={current} />}
    >
      {notice && (
        <Notice>
          <p>{notice}</p>
        </Notice>
      )}
      <header class="lead work-head">
        <div>
          {above && (
            <p class="overline">
              <a href={above.href}>{above.label}</a>
            </p>
          )}
          <h1>{title}</h1>
          {lead}
        </div>
        {acts && <div class="row">{acts}</div>}
      </header>
      {children}
    </Layout>
  )
}

/** A column beside the page; on a telephone, a strip above it that scrolls sideways. */
const SideNav = ({ nav, current }: { nav: Nav; current: string }) => (
  <nav class="place" aria-label={nav.title}>
    <p>
      <strong>{nav.title}</strong>
      {nav.note}
    </p>
    <ul>
      {nav.items.map(({ href, label }) => (
        <li key={href}>
          <a href={href} aria-current={href === current ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
