import type { ComponentChildren } from 'preact'

export type Fact = readonly [label: string, value: ComponentChildren]

/** What is known of something, by name; what is not known is left out. */
export const Facts = ({ rows }: { rows: readonly Fact[] }) => (
  <dl class="data">
    {rows
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
