import type { Entry } from '../app-shell.tsx'
import { Confirm, type Confirmed } from '../confirm.tsx'
import { type ConsoleContext, ConsolePage } from './context.tsx'

interface ConfirmProps extends Confirmed {
  ctx: ConsoleContext
  current: string
  /** Where one came from, and goes back to. */
  above: Entry
  title: string
}

/** A page of the console that asks once more. */
export const confirmPage = ({ ctx, current, above, title, ...asked }: ConfirmProps) => (
  <ConsolePage {...{ ctx, current, above, title }}>
    <Confirm back={above.href} {...asked} />
  </ConsolePage>
)
