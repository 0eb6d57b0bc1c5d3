interface Range {
  type: string
  subtype: string
  q: number
}

/**
 * The offer that an `Accept` header prefers (RFC 9110, section 12.5.1), or undefined where it takes none.
 * Each offer has the quality of the most specific range that covers it; ties go to the earlier offer.
 */
export function chooseType(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (accept === undefined || acceptsFirst(accept, offers[0])) return offers[0]
  if (accept.trim() === '') return offers[0] // it says nothing
  const ranges = parseAccept(accept)

  let best: string | undefined
  let bestQuality = 0
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges)
    if (quality > bestQuality) {
      best = offer
      bestQuality = quality
    }
  }
  return best
}

/** Whether it plainly takes the best offer, as nearly every client's does. */
export const acceptsFirst = (accept: string | undefined, first: string | undefined): boolean =>
  accept === undefined || accept === '*/*' || accept === first

function qualityOf(offer: string, ranges: Range[]): number {
  const slash = offer.indexOf('/')
  const type = offer.slice(0, slash)
  const subtype = offer.slice(slash + 1)
  let quality = 0
  let specificity = 0
  for (const range of ranges) {
    const rank = rankOf(range, type, subtype)
    if (rank < specificity || rank === 0) continue
    quality = rank === specificity ? Math.max(quality, range.q) : range.q
    specificity = rank
  }
  return quality
}

/** How closely a range names a type: 3 exactly, 2 by its half, 1 as anything, 0 not at all. */
function rankOf(range: Range, type: string, subtype: string): number {
  if (range.type === type && range.subtype === subtype) return 3
  if (range.type === type && range.subtype === '*') return 2
  return range.type === '*' && range.subtype === '*' ? 1 : 0
}

/** Parameters other than `q` (a charset, most often) do not tell our types apart and are ignored. */
function parseAccept(accept: string): Range[] {
  const ranges: Range[] = []
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const [type, subtype] = range.split('/')
    if (type && subtype) ranges.push({ type, subtype, q: qualityParameter(parameters) })
  }
  return ranges
}

/** A weight as RFC 9110, 12.4.2 spells it; one that is broken forbids rather than invites. */
export function qualityParameter(parameters: string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (weight === undefined) return 1
  const value = weight.slice(weight.indexOf('=') + 1).trim()
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0
}
