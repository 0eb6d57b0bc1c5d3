import type { ComponentChildren } from 'preact'
import type { Section } from './place.tsx'
import { AgencyPage, type Visit } from './visit.tsx'

interface ConfirmProps {
  visit: Visit
  /** Where it belongs, and where one goes who thinks better of it. */
  section: Section
  title: string
  /** What follows from it. */
  children: ComponentChildren
  /** Where the button leads, and what it says. */
  action: string
  button: string
}

/** Asks once more before what cannot be taken back with a click; works without a script. */
export const confirmPage = ({ visit, section, title, children, action, button }: ConfirmProps) => (
  <AgencyPage visit={visit} section={section} title={title}>
    <div class="measure">
      {children}
      <form method="post" action={action} class="row">
        <button type="submit" class="danger">
          {button}
        </button>
        <a class="button secondary" href={section}>
          No, volver
        </a>
      </form>
    </div>
  </AgencyPage>
)
