import { Confirm, type Confirmed } from '../confirm.tsx'
import type { Section } from './place.tsx'
import { AgencyPage, type Visit } from './visit.tsx'

interface ConfirmProps extends Confirmed {
  visit: Visit
  /** Where it belongs, and where one goes who thinks better of it. */
  section: Section
  title: string
}

/** A page of the agency that asks once more. */
export const confirmPage = ({ visit, section, title, ...asked }: ConfirmProps) => (
  <AgencyPage visit={visit} section={section} title={title}>
    <div class="measure">
      <Confirm back={section} {...asked} />
    </div>
  </AgencyPage>
)
