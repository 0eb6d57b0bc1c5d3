import type { ComponentChildren } from 'preact'
import type { Entry } from '../workplace.tsx'
import { PortalPage, type PortalVisit } from './visit.tsx'

interface ConfirmProps {
  visit: PortalVisit
  section: string
  /** Where one came from, and goes back to. */
  above: Entry
  title: string
  /** What follows from it. */
  children: ComponentChildren
  /** Where the button leads, what it says, and what goes with it. */
  action: string
  button: string
  hidden?: Record<string, string>
  /** It only adds something: the button need not warn. */
  mild?: boolean
}

/** Asks once more before what cannot be taken back with a click; works without a script. */
export const confirmPage = ({ action, button, hidden = {}, mild = false, children, ...page }: ConfirmProps) => (
  <PortalPage {...page}>
    {children}
    <form method="post" action={action} class="row">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={mild ? undefined : 'danger'}>
        {button}
      </button>
      <a class="button secondary" href={page.above.href}>
        No, volver
      </a>
    </form>
  </PortalPage>
)
