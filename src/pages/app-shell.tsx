import type { ComponentChildren, VNode } from 'preact'
import type { Account } from '../accounts/account.ts'
import { written } from '../http/markup.ts'
import type { Support } from '../mail/support.ts'
import { Layout } from './layout.tsx'
import { Notice } from './parts.tsx'

/** A place where people work: its name, and the pages there are in it. */
export interface Place {
  title: string
  /** What stands below the name: the app's mode, say. */
  note?: ComponentChildren
  entries: readonly Entry[]
  /** Everything that its column shows, in short: by that it is drawn once for each of its pages. */
  drawnAs?: string
}

export interface Entry {
  href: string
  label: string
}

export interface AppShellProps {
  title: string
  account: Account
  place: Place
  /** The entry that this page belongs to. */
  current: string
  support: Support
  /** What was just done, told once. */
  notice?: string | undefined
  /** Whether something was wrong with a form: its tab says so first. */
  faulty?: boolean
  /** Whether parts of the page bring themselves up to date; set the policy of `allowScript` with it. */
  script?: boolean
  /** What stands under the heading, and beside it: a fact, an act. */
  lead?: ComponentChildren
  acts?: ComponentChildren
  /** The page above, where this one is of a single thing. */
  above?: Entry
  children: ComponentChildren
}

/** The frame of console, portal and agency: where one is, what else there is, what the page is called. */
export function AppShell(props: AppShellProps) {
  const { title, account, place, current, support, notice, faulty, script = false, lead, acts, above, children } = props
  return (
    <Layout
      title={(faulty ? 'Error: ' : '') + (title === place.title ? title : `${title} · ${place.title}`)}
      visitor={account}
      support={support}
      script={script}
      aside={drawn(place, current)}
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
const SideNav = ({ place, current }: { place: Place; current: string }) => (
  <nav class="place" aria-label={place.title}>
    <p>
      <strong>{place.title}</strong>
      {place.note}
    </p>
    <ul>
      {place.entries.map(({ href, label }) => (
        <li key={href}>
          <a href={href} aria-current={href === current ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Of places and their pages that were looked at lately. */
const MOST_REMEMBERED = 2_000
const columns = new Map<string, VNode>()

function drawn(place: Place, current: string): VNode {
  if (place.drawnAs === undefined) return <SideNav place={place} current={current} />
  const key = `${current} ${place.drawnAs}`
  const known = columns.get(key)
  if (known) return known
  const column = written(<SideNav place={place} current={current} />)
  if (columns.size >= MOST_REMEMBERED) columns.clear()
  columns.set(key, column)
  return column
}
