import type { Size } from './report.ts'

const [WIDTH, HEIGHT] = [640, 320]
const LABEL_HEIGHT = 15
const MARGIN = { left: 60, right: 150, top: 20, bottom: 45 }

const LINES: { of: 'largest' | 'others' | 'last'; label: string; colour: string }[] = [
  { of: 'last', label: 'largest, page 99', colour: '#6545ad' },
  { of: 'largest', label: 'largest, page 1', colour: '#0b6b5d' },
  { of: 'others', label: 'others, page 1', colour: '#855400' },
]

/** Milliseconds a page over the number of inquiries, whose axis is logarithmic; read on light and dark alike. */
export function plotGrowth(sizes: Size[]): string {
  const most = niceMost(Math.max(...sizes.flatMap(({ largest, others, last }) => [largest, others, last])))
  const [first, final] = [Math.log10(sizes[0]?.count ?? 1), Math.log10(sizes.at(-1)?.count ?? 10)]
  const x = (count: number) =>
    MARGIN.left + ((Math.log10(count) - first) / (final - first)) * (WIDTH - MARGIN.left - MARGIN.right)
  const y = (ms: number) => HEIGHT - MARGIN.bottom - (ms / most) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const round = (value: number) => value.toFixed(1)

  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = round(y(most * share))
    const label = `<text x="${MARGIN.left - 8}" y="${at}" dy="4" text-anchor="end">${most * share}</text>`
    return `<path d="M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}" stroke="#8884" />${label}`
  })
  const ticks = sizes.map(
    ({ count }) =>
      `<text x="${round(x(count))}" y="${HEIGHT - MARGIN.bottom + 20}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
  )
  const labelAt = apart(LINES.map(({ of }) => y(sizes.at(-1)?.[of] ?? 0)))
  const lines = LINES.map(({ of, label, colour }, turn) => {
    const points = sizes.map((size) => `${round(x(size.count))},${round(y(size[of]))}`)
    const dots = points.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3.5" />`)
    const text = `<text x="${WIDTH - MARGIN.right + 10}" y="${round(labelAt[turn] ?? 0)}" dy="4">${label}</text>`
    return `<g fill="${colour}"><polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2" />${dots.join('')}${text}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#667">`,
    '<title>Milliseconds a page, by how many inquiries there are</title>',
    `<text x="${MARGIN.left}" y="12">ms a page</text>`,
    ...grid,
    ...ticks,
    `<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 8}" text-anchor="end">inquiries in all</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n')
}

/** Where labels stand so that none covers another, each as near to its line as that allows. */
function apart(wanted: number[]): number[] {
  const placed = [...wanted]
  let above = Number.NEGATIVE_INFINITY
  for (const turn of wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))) {
    above = Math.max(wanted[turn] ?? 0, above + LABEL_HEIGHT)
    placed[turn] = above
  }
  return placed
}

const niceMost = (value: number): number => {
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 8, 10].map((step) => step * unit).find((step) => step >= value) ?? value
}
