import type { NavItem } from '../app-shell.tsx'
import { Confirm, type Confirmed } from '../confirm.tsx'
import { type PortalContext, PortalPage } from './context.tsx'

interface ConfirmProps extends Confirmed {
  ctx: PortalContext
  section: string
  /** Where one came from, and goes back to. */
  above: NavItem
  title: string
}

/** A page of the portal that asks once more. */
export const confirmPage = ({ ctx, section, above, title, ...asked }: ConfirmProps) => (
  <PortalPage {...{ ctx, section, above, title }}>
    <Confirm back={above.href} {...asked} />
  </PortalPage>
)
