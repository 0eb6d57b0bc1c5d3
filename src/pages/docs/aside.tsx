import type { ComponentChildren } from 'preact'

/** The contents, beside the text on a desk and folded above it on a telephone; the search stands above both. */
export const Aside = ({ asked, children }: { asked?: string; children: ComponentChildren }) => (
  <div class="aside">
    <search>
      <form class="docs-search" action="/docs/buscar">
        <input type="search" name="q" value={asked} aria-label="Buscar en la documentación" placeholder="Buscar" />
      </form>
    </search>
    <details class="folded">
      <summary>Contenido</summary>
      {children}
    </details>
    <div class="unfolded">{children}</div>
  </div>
)
