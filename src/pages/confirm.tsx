import type { ComponentChildren } from 'preact'

interface ConfirmProps {
  /** What follows from it. */
  children: ComponentChildren
  /** Where the button leads, what it says, and what goes with it. */
  action: string
  button: string
  hidden?: Record<string, string> | undefined
  /** What is asked with it: a reason. */
  fields?: ComponentChildren
  /** Where one goes who thinks better of it. */
  back: string
  /** It only adds something: the button need not warn. */
  mild?: boolean | undefined
}

/** What a page of a place asks; the rest is the place's own. */
export type Confirmed = Omit<ConfirmProps, 'back'>

/** Asks once more before what cannot be taken back with a click; works without a script. */
export const Confirm = ({ children, action, button, hidden = {}, fields, back, mild = false }: ConfirmProps) => (
  <>
    {children}
    <form method="post" action={action} class={fields ? 'sheet limited' : 'row'}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields}
      <PageLinks {...{ button, mild, back, beside: Boolean(fields) }} />
    </form>
  </>
)

function PageLinks({ button, mild, back, beside }: { button: string; mild: boolean; back: string; beside: boolean }) {
  const ways = (
    <>
      <button type="submit" class={mild ? undefined : 'danger'}>
        {button}
      </button>
      <a class="button secondary" href={back}>
        No, volver
      </a>
    </>
  )
  return beside ? <div class="row">{ways}</div> : ways
}
