import type { ComponentChildren } from 'preact'

interface SecretProps {
  label: string
  value: string
  /** What to do with it. */
  children?: ComponentChildren
}

/** A secret, on the one page that ever shows it; a click selects all of it. */
export const Secret = ({ label, value, children }: SecretProps) => (
  <div class="shown-once" role="status">
    <p>
      <strong>{label}</strong>
    </p>
    <p>
      <code class="select-all">{value}</code>
    </p>
    <p class="hint">{children ?? 'Guárdela ahora en un lugar seguro: no se vuelve a mostrar.'}</p>
  </div>
)
