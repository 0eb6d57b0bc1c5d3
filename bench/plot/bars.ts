/** A bar, or several of one thing beside one another. */
export interface BarRow {
  label: string
  /** In the order of the legend. */
  values: (number | undefined)[]
  /** What was wanted: a stroke across the bars. */
  wanted?: number | undefined
}

export interface Bars {
  title: string
  /** What the axis counts. */
  axis: string
  /** One for each value of a row; none is shown where there is one alone. */
  legend: string[]
  rows: BarRow[]
  /** How a value is written at the end of its bar. */
  write(value: number): string
}

/** Read on light and dark alike. */
export const COLOURS = ['#0b6b5d', '#855400', '#6545ad', '#b03060', '#3a6ea5'] as const
const GREY = '#667'
const [SPAN, RIGHT, TOP] = [350, 70, 40]
const LETTER = 6.4 // of the longest label, on average
const [BAR, BETWEEN_BARS, BETWEEN_ROWS] = [13, 2, 10]
const TICKS = 4

/** Horizontal bars from zero. */
export function plotBars({ title, axis, legend, rows, write }: Bars): string {
  const left = Math.max(120, Math.ceil(Math.max(0, ...rows.map(({ label }) => label.length)) * LETTER) + 16)
  const width = left + SPAN + RIGHT
  const each = Math.max(1, legend.length)
  const rowHeight = each * (BAR + BETWEEN_BARS) + BETWEEN_ROWS
  const height = TOP + rows.length * rowHeight + 40
  const most = niceMost(
    Math.max(0, ...rows.flatMap(({ values, wanted = 0 }) => [...values.map((value) => value ?? 0), wanted])),
  )
  const x = (value: number) => left + (value / most) * SPAN
  const bottom = TOP + rows.length * rowHeight
  const grid = Array.from({ length: TICKS + 1 }, (_, at) => {
    const value = (most / TICKS) * at
    return `<path d="M${round(x(value))} ${TOP - 6}V${bottom}" stroke="#8884" /><text x="${round(x(value))}" y="${bottom + 16}" text-anchor="middle">${shown(value)}</text>`
  })
  const bars = rows.map(({ label, values, wanted }, at) => {
    const top = TOP + at * rowHeight
    const middle = top + (rowHeight - BETWEEN_ROWS) / 2
    const drawn = values.map((value, turn) => {
      if (value === undefined || !Number.isFinite(value)) return ''
      const y = top + turn * (BAR + BETWEEN_BARS)
      const colour = COLOURS[turn % COLOURS.length]
      const end = x(value)
      return `<rect x="${left}" y="${y}" width="${round(end - left)}" height="${BAR}" fill="${colour}" /><text x="${round(end + 6)}" y="${y + BAR - 2}">${escaped(write(value))}</text>`
    })
    const stroke =
      wanted === undefined
        ? ''
        : `<path d="M${round(x(wanted))} ${top - 3}V${top + rowHeight - BETWEEN_ROWS + 1}" stroke="#c2410c" stroke-width="2" />`
    return `<text x="${left - 10}" y="${round(middle)}" dy="3" text-anchor="end">${escaped(label)}</text>${drawn.join('')}${stroke}`
  })
  const key = legend.length > 1 ? legend.map((name, at) => entry(name, at, left)) : []
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${GREY}">`,
    `<title>${escaped(title)}</title>`,
    ...key,
    ...grid,
    ...bars,
    `<text x="${width - RIGHT}" y="${bottom + 32}" text-anchor="end">${escaped(axis)}</text>`,
    '</svg>\n',
  ].join('\n')
}

const entry = (name: string, at: number, left: number) =>
  `<rect x="${left + at * 120}" y="10" width="11" height="11" fill="${COLOURS[at % COLOURS.length]}" /><text x="${left + at * 120 + 16}" y="20">${escaped(name)}</text>`

const round = (value: number) => value.toFixed(1)
const shown = (value: number) => Number(value.toPrecision(3)).toLocaleString('en')
export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The next of the numbers that an axis ends with. */
export function niceMost(value: number): number {
  if (!(value > 0)) return 1
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10].map((step) => step * unit).find((step) => step >= value * 0.999) ?? value
}
