import type { ComponentChildren } from 'preact'

/** Search and contents: beside the text, or folded above it on a telephone. */
export const Aside = ({ query, children }: { query?: string; children: ComponentChildren }) => (
  <div class="aside">
    <search>
      <form class="docs-search" action="/docs/buscar">
        <input type="search" name="q" value={query} aria-label="Buscar en la documentación" placeholder="Buscar" />
      </form>
    </search>
    <details class="folded">
      <summary>Contenido</summary>
      {children}
    </details>
    <div class="unfolded">{children}</div>
  </div>
)
