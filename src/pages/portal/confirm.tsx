import { Confirm, type Confirmed } from '../confirm.tsx'
import type { Entry } from '../workplace.tsx'
import { PortalPage, type PortalVisit } from './visit.tsx'

interface ConfirmProps extends Confirmed {
  visit: PortalVisit
  section: string
  /** Where one came from, and goes back to. */
  above: Entry
  title: string
}

/** A page of the portal that asks once more. */
export const confirmPage = ({ visit, section, above, title, ...asked }: ConfirmProps) => (
  <PortalPage {...{ visit, section, above, title }}>
    <Confirm back={above.href} {...asked} />
  </PortalPage>
)
