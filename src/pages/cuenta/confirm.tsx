import { Confirm, type Confirmed } from '../confirm.tsx'
import { type AgencyContext, AgencyPage } from './context.tsx'
import type { Section } from './nav.tsx'

interface ConfirmProps extends Confirmed {
  ctx: AgencyContext
  /** Where it belongs, and where one goes who thinks better of it. */
  section: Section
  title: string
}

/** A page of the agency that asks once more. */
export const confirmPage = ({ ctx, section, title, ...asked }: ConfirmProps) => (
  <AgencyPage ctx={ctx} section={section} title={title}>
    <div class="measure">
      <Confirm back={section} {...asked} />
    </div>
  </AgencyPage>
)
