import { Confirm, type Confirmed } from '../confirm.tsx'
import type { Entry } from '../workplace.tsx'
import { ConsolePage, type Visit } from './visit.tsx'

interface ConfirmProps extends Confirmed {
  visit: Visit
  current: string
  /** Where one came from, and goes back to. */
  above: Entry
  title: string
}

/** A page of the console that asks once more. */
export const confirmPage = ({ visit, current, above, title, ...asked }: ConfirmProps) => (
  <ConsolePage {...{ visit, current, above, title }}>
    <Confirm back={above.href} {...asked} />
  </ConsolePage>
)
