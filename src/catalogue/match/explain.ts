import type { Ciudad } from '../load.ts'
import type { Alignment } from './align.ts'
import { NOWHERE, type PlaceWord } from './place.ts'
import type { Candidate, Rule } from './result.ts'
import { bySize } from './towns.ts'

/** A city with how well it explains what was written. */
export interface Explanation extends Candidate<Ciudad> {
  readonly rule: Rule
  readonly accepted: boolean
  /** Where in the value its name begins. */
  readonly from: number
}

/** The least weight of the words found: "Villa" alone names nothing. */
export const MIN_WEIGHT = 0.52
const WHOLE = 0.95
const ALL_EXPLAINED = 0.97
const HOLDS_ENOUGH = 0.6 // of the value, when the whole name is in it
const PART_ENOUGH = 0.5 // of the name, when the whole value is in it
export const DISTINCTIVE = 0.65 // the weight of one word that may stand for a name: few names hold it
const TOGETHER = 0.8 // the weight of several, of which one at least is not as common as "villa"
const NOT_COMMON = 0.42
const SIMILAR_ENOUGH = 0.68
const SIMILAR_WORD = 0.8 // when one word is all there is
const SAME_DISTRICT = 0.2
const OTHER_DISTRICT = 0.35
const QUARTER = 0.92
const LATE = 0.75
const NEAR = 0.04
const PART_NEAR = 0.2

/** Judges a city by both sides: how much of its name was written, and how much of what was written it explains. */
export function explain(
  alignment: Alignment<Ciudad>,
  place: readonly PlaceWord[],
  districts: readonly string[],
): Explanation {
  const { form, coverage, found, firm, strongest, exact, initials, from } = alignment
  const { unexplained, confirmed, quarter, plain, late } = weighWords(alignment, place, districts)
  const explained = found / (found + unexplained)
  let score = coverage * explained
  // A name that stands only after "barrio" is more likely a quarter of the city named beside it.
  if (quarter && !plain && !confirmed) score *= QUARTER
  // People write the smaller place first: a name after that of another place is rather where that one lies.
  if (late) score *= LATE
  const whole = coverage > WHOLE && exact
  const distinctive = strongest >= DISTINCTIVE || (strongest >= NOT_COMMON && found >= TOGETHER)
  const part = exact && !initials && explained > ALL_EXPLAINED && (plain || quarter) && distinctive
  const accepted =
    firm >= MIN_WEIGHT &&
    ((whole && explained >= HOLDS_ENOUGH) || (part && coverage >= PART_ENOUGH) || score >= similarEnough(place))
  const rule: Rule = whole ? 'alias' : part ? 'part' : exact || initials ? 'alias' : 'similar'
  return { entry: form.entry, score, rule, accepted, from }
}

/** What the words say about the city: those that its name uses, and those that it leaves. */
function weighWords({ used, from }: Alignment<Ciudad>, place: readonly PlaceWord[], districts: readonly string[]) {
  const sums = { unexplained: 0, confirmed: false, quarter: false, plain: false, late: false }
  for (const [at, word] of place.entries()) {
    if (used & (1 << at)) {
      sums.quarter ||= word.role === 'free'
      sums.plain ||= word.role === 'plain'
      continue
    }
    const inDistrict = word.points.district !== undefined && districts.includes(word.points.district)
    const burden = inDistrict ? 0 : burdenOf(word, districts)
    sums.unexplained += burden
    sums.confirmed ||= inDistrict
    sums.late ||= at < from && burden > 0 && word.role === 'plain' && word.points !== NOWHERE
  }
  return sums
}

/** How much a word that the city does not explain speaks against it; less if it names another place around. */
function burdenOf(word: PlaceWord, districts: readonly string[]): number {
  if (word.points === NOWHERE) return word.weight
  return word.weight * (word.points.near?.some((name) => districts.includes(name)) ? SAME_DISTRICT : OTHER_DISTRICT)
}

/** How alike a name must be to be taken for what was written. */
export function similarEnough(place: readonly PlaceWord[]): number {
  let count = 0
  for (const word of place) if (word.role === 'plain' || word.role === 'free') count++
  return count === 1 ? SIMILAR_WORD : SIMILAR_ENOUGH
}

/** The best accepted; among equally good ones the earlier in the value, then the larger. */
export function choose(explanations: readonly Explanation[]): Explanation | undefined {
  let best: Explanation | undefined
  for (const candidate of explanations) {
    if (candidate.accepted && (!best || isBetter(candidate, best))) best = candidate
  }
  return best
}

function isBetter(a: Explanation, b: Explanation): boolean {
  const near = a.rule === 'part' && b.rule === 'part' ? PART_NEAR : NEAR
  if (Math.abs(a.score - b.score) > near) return a.score > b.score
  if ((a.rule === 'similar') !== (b.rule === 'similar')) return b.rule === 'similar'
  if (a.from !== b.from) return a.from < b.from
  return a.entry === b.entry ? a.score > b.score : bySize(a.entry, b.entry) < 0
}
