import type { ComponentChildren } from 'preact'

/** Code as it is typed or received. It may be wider than the screen, so it scrolls by itself, by keyboard too. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    <figure class="code">
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <pre tabindex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  )
}

/** An HTTP status, coloured by its hundreds. */
export const Status = ({ code }: { code: string | number }) => (
  <span class={`badge status-${String(code)[0]}`}>{code}</span>
)

export const Method = ({ name }: { name: string }) => (
  <span class={`badge method method-${name}`}>{name.toUpperCase()}</span>
)

/** A heading that can be pointed at. */
export function Anchored({ id, level, children }: { id: string; level: 2 | 3; children: ComponentChildren }) {
  const Heading = `h${level}` as const
  return (
    <Heading>
      <a class="anchor" href={`#${id}`}>
        {children}
      </a>
    </Heading>
  )
}
