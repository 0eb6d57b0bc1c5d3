import { growthOf, type Operation, type Series } from './series.ts'

/**
 * How many times as long an operation may take at the last size as at the first, where nothing else is said. Flat is 1;
 * an index over a hundred or a thousand times as many rows is a page or two deeper; the rest is room for a machine that
 * others use too. What grew with the rows themselves would take a hundred times as long, or more.
 */
const USUALLY = 2

interface Wish {
  series: string
  operation: string
  /** Absent where it grows by design, and is not judged. */
  most?: number
  why: string
}

/** Those that something else is wanted of; whatever is measured besides is judged by what is usual. */
const OTHERS: Wish[] = [
  {
    ...{ series: 'inquiries', operation: 'largest agency, page 1', most: 1.3 },
    why: 'what partners ask for most, measured at all sizes in turn, so that it needs less room',
  },
  {
    ...{ series: 'inquiries', operation: 'largest agency, page 99', most: 4 },
    why: 'at the first size that page is empty: the figure sets a full page beside an empty one',
  },
  {
    ...{ series: 'agencies', operation: 'staff looks for words of a name' },
    why: 'read from the newest agency back until a page is full',
  },
  {
    ...{ series: 'agencies', operation: 'staff looks for what no agency has' },
    why: 'read through all agencies',
  },
]

/** What an operation is to be, and whether it is. */
export interface Judged {
  title: string
  growth: number
  most: number | undefined
  /** Why it is not judged by what is usual. */
  why: string | undefined
  met: boolean
}

/** Every operation of a series; one of which a size was not measured is not what was wanted. */
export const judgeSeries = ({ name, operations }: Series): Judged[] =>
  operations.map((operation: Operation) => {
    const other = OTHERS.find(({ series, operation: title }) => series === name && title === operation.title)
    const most = other ? other.most : USUALLY
    const growth = growthOf(operation)
    const met = !Number.isNaN(growth) && (most === undefined || growth <= most)
    return { title: operation.title, growth, most, why: other?.why, met }
  })

/** What of a run is flat or logarithmic, what is not, and what nobody wants to be. */
export function growthWords(all: Series[]): string {
  const judged = all.flatMap((series) => judgeSeries(series).map((each) => ({ ...each, by: series.title })))
  const wanted = judged.filter(({ most, met }) => most !== undefined || !met)
  const missed = wanted.filter(({ met }) => !met)
  const list = missed.map(({ title, by, growth, most }) => `${title}, by ${by}: ${growth.toFixed(2)}${upTo(most)}`)
  const free = judged.filter(({ most }) => most === undefined).map(({ title, why }) => `${title} (${why})`)
  const special = judged.filter(({ most, why }) => why !== undefined && most !== undefined)
  return [
    `Of ${wanted.length} operations that are to take as long among the most as among the fewest, or little longer, ${wanted.length - missed.length} do: "last ÷ first" is wanted to be ${USUALLY} at most${special.map(({ title, most, why }) => `, of "${title}" ${most} (${why})`).join('')}.`,
    ...(missed.length > 0 ? [`Not met: ${list.join('; ')}.`] : []),
    ...(free.length > 0 ? [`Not judged, since they grow by design: ${free.join('; ')}.`] : []),
  ].join(' ')
}

const upTo = (most: number | undefined) => (most === undefined ? '' : ` instead of ≤ ${most}`)
