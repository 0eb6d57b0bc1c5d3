import type { ComponentChildren } from 'preact'
import { Copyable } from './copy.tsx'

interface SecretProps {
  label: string
  value: string
  /** What to do with it. */
  children?: ComponentChildren
}

/** A secret, on the one page that ever shows it; a click selects all of it, and where scripts run a button copies it. */
export const Secret = ({ label, value, children }: SecretProps) => (
  <div class="shown-once limited" role="status">
    <p>
      <strong>{label}</strong>
    </p>
    <p>
      <Copyable id="secreto" what={label}>
        {value}
      </Copyable>
    </p>
    <p class="hint">{children ?? 'Guárdela ahora en un lugar seguro: no se vuelve a mostrar.'}</p>
  </div>
)
