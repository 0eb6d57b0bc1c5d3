import type { ComponentChildren } from 'preact'

interface CopyProps {
  /** The id of the element whose text is copied. */
  of: string
  /** What that is, for screen readers. */
  what: string
}

/** Copies something of the page; there only where the page runs scripts. */
export const Copy = ({ of, what }: CopyProps) => (
  <button type="button" class="secondary small copy" data-copy={of}>
    <span aria-live="polite">Copiar</span>
    <span class="visually-hidden"> {what}</span>
  </button>
)

/** A value that is taken elsewhere whole: a key, an id. */
export const Copyable = ({ id, what, children }: { id: string; what: string; children: string }) => (
  <span class="copyable">
    <code id={id} class="select-all">
      {children}
    </code>
    <Copy of={id} what={what} />
  </span>
)

interface CopyCodeProps {
  id: string
  label: ComponentChildren
  /** What it is, for the button. */
  what: string
  /** Long: it scrolls within the page. */
  tall?: boolean
  children: ComponentChildren
}

/** Code that is taken elsewhere. It may be wider than the screen, so it scrolls by itself, by keyboard too. */
export const CopyCode = ({ id, label, what, tall = false, children }: CopyCodeProps) => (
  <figure class={tall ? 'code tall' : 'code'}>
    <figcaption class="with-copy">
      <span>{label}</span>
      <Copy of={id} what={what} />
    </figcaption>
    <pre tabindex={0}>
      <code id={id}>{children}</code>
    </pre>
  </figure>
)
