import type { ComponentChildren } from 'preact'
import type { Entry } from '../workplace.tsx'
import { ConsolePage, type Visit } from './visit.tsx'

interface ConfirmProps {
  visit: Visit
  current: string
  /** Where one came from, and goes back to. */
  above: Entry
  title: string
  /** What follows from it. */
  children: ComponentChildren
  /** Where the button leads, and what it says. */
  action: string
  button: string
}

/** Asks once more before what cannot be taken back with a click; works without a script. */
export const confirmPage = ({ visit, current, above, title, children, action, button }: ConfirmProps) => (
  <ConsolePage {...{ visit, current, above, title }}>
    {children}
    <form method="post" action={action} class="row">
      <button type="submit" class="danger">
        {button}
      </button>
      <a class="button secondary" href={above.href}>
        No, volver
      </a>
    </form>
  </ConsolePage>
)
