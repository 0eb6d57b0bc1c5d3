import { COLOURS, escaped } from './bars.ts'

/** A box of a flame graph: as wide as its time, standing on whoever called it. */
export interface Box {
  label: string
  /** Which of the legend's colours it has. */
  kind: number
  total: number
  called: Box[]
}

export interface Flame {
  title: string
  /** What each colour is. */
  legend: string[]
  root: Box
}

const [WIDTH, MARGIN, TOP] = [960, 10, 34]
const [ROW, GAP] = [16, 1]
const LETTER = 6.1 // at the size of the labels, on average
const FEWEST_LETTERS = 4
/** Of all: what is narrower is not drawn, nor what it called. */
const NARROWEST = 0.005

/** The deepest callers below, as flames stand; read on light and dark alike. Each box tells its name and share when pointed at. */
export function plotFlame({ title, legend, root }: Flame): string {
  const isDrawn = ({ total }: Box) => total >= root.total * NARROWEST
  const depthOf = ({ called }: Box): number => 1 + Math.max(0, ...called.filter(isDrawn).map(depthOf))
  const bottom = TOP + depthOf(root) * ROW
  const scale = (WIDTH - 2 * MARGIN) / (root.total || 1)
  const boxes: string[] = []
  const draw = (box: Box, left: number, depth: number): void => {
    boxes.push(
      drawn(box, { left, width: box.total * scale, top: bottom - (depth + 1) * ROW }, box.total / (root.total || 1)),
    )
    let from = left
    for (const each of box.called.filter(isDrawn).sort((a, b) => b.total - a.total)) {
      draw(each, from, depth + 1)
      from += each.total * scale
    }
  }
  draw(root, MARGIN, 0)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + MARGIN}" font-family="system-ui, sans-serif" font-size="10" fill="#fff">`,
    `<title>${escaped(title)}</title>`,
    ...legend.map(entry),
    ...boxes,
    '</svg>\n',
  ].join('\n')
}

interface Place {
  left: number
  top: number
  width: number
}

function drawn({ label, kind }: Box, { left, top, width }: Place, share: number): string {
  const letters = Math.floor((width - 6) / LETTER)
  const short = label.length > letters ? `${label.slice(0, letters - 1)}…` : label
  const text = letters < FEWEST_LETTERS ? '' : `<text x="${round(left + 3)}" y="${top + 11}">${escaped(short)}</text>`
  const box = `<rect x="${round(left)}" y="${top}" width="${round(Math.max(0, width - GAP))}" height="${ROW - GAP}" fill="${COLOURS[kind % COLOURS.length]}" />`
  return `<g><title>${escaped(label)}: ${(share * 100).toFixed(1)} %</title>${box}${text}</g>`
}

const entry = (name: string, at: number) =>
  `<rect x="${MARGIN + at * 185}" y="10" width="11" height="11" fill="${COLOURS[at % COLOURS.length]}" /><text x="${MARGIN + at * 185 + 16}" y="20" font-size="12" fill="#667">${escaped(name)}</text>`

const round = (value: number) => value.toFixed(1)
