import type { ComponentChildren } from 'preact'

interface FactsProps {
  /** For screen readers. */
  caption: string
  heads: string[]
  rows: ComponentChildren[][]
}

/** A table that scrolls on narrow screens, with the keyboard too. */
export function Facts({ caption, heads, rows }: FactsProps) {
  return (
    <section class="table-scroll" tabindex={0} aria-label={caption}>
      <table class="guide-facts">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...more], at) => (
            <tr key={at}>
              <th scope="row">{first}</th>
              {more.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
