import { COLOURS, escaped, niceMost } from './bars.ts'

/** Lines over sizes, whose axis is logarithmic. */
export interface Lines {
  title: string
  /** What the upright axis counts, and the other. */
  upright: string
  across: string
  sizes: number[]
  lines: { label: string; values: number[] }[]
}

const [WIDTH, HEIGHT] = [760, 340]
const LABEL_HEIGHT = 15
const MARGIN = { left: 60, right: 270, top: 24, bottom: 45 }

/** Read on light and dark alike. */
export function plotLines({ title, upright, across, sizes, lines }: Lines): string {
  const most = niceMost(Math.max(...lines.flatMap(({ values }) => values)))
  const [first, final] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)]
  const x = (size: number) =>
    MARGIN.left + ((Math.log10(size) - first) / (final - first || 1)) * (WIDTH - MARGIN.left - MARGIN.right)
  const y = (value: number) => HEIGHT - MARGIN.bottom - (value / most) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const round = (value: number) => value.toFixed(1)

  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = round(y(most * share))
    const label = `<text x="${MARGIN.left - 8}" y="${at}" dy="4" text-anchor="end">${Number((most * share).toPrecision(3))}</text>`
    return `<path d="M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}" stroke="#8884" />${label}`
  })
  const ticks = sizes.map(
    (size) =>
      `<text x="${round(x(size))}" y="${HEIGHT - MARGIN.bottom + 20}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
  )
  const labelAt = apart(lines.map(({ values }) => y(values.at(-1) ?? 0)))
  const drawn = lines.map(({ label, values }, turn) => {
    const colour = COLOURS[turn % COLOURS.length]
    const points = values.map((value, at) => [round(x(sizes[at] ?? 1)), round(y(value))])
    const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" />`)
    const text = `<text x="${WIDTH - MARGIN.right + 10}" y="${round(labelAt[turn] ?? 0)}" dy="4">${escaped(label)}</text>`
    return `<g fill="${colour}"><polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2" />${dots.join('')}${text}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#667">`,
    `<title>${escaped(title)}</title>`,
    `<text x="${MARGIN.left}" y="12">${escaped(upright)}</text>`,
    ...grid,
    ...ticks,
    `<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 8}" text-anchor="end">${escaped(across)}</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

/** Where labels stand so that none covers another, each as near to its line as that allows. */
export function apart(wanted: number[]): number[] {
  const placed = [...wanted]
  let above = Number.NEGATIVE_INFINITY
  for (const turn of wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))) {
    above = Math.max(wanted[turn] ?? 0, above + LABEL_HEIGHT)
    placed[turn] = above
  }
  // What was pushed below the picture moves everything up again.
  const over = Math.max(0, above - (HEIGHT - MARGIN.bottom))
  return placed.map((at) => at - over)
}
