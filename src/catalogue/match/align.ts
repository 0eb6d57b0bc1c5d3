import { type Form, type Hit, LIGHT, type NameIndex, NONE } from './names.ts'

/** How a written value accounts for one form of a name. */
export interface Alignment<E> {
  readonly form: Form<E>
  /** The part of the form's weight that the value covers, each word counted by its likeness. */
  readonly coverage: number
  /** The weight of the form's words that were found. */
  readonly found: number
  /** The part of that weight found by more than a single letter. */
  readonly firm: number
  /** Whether every word found is the same or its abbreviation, not merely alike. */
  readonly exact: boolean
  /** Whether a single letter had to stand for a word. */
  readonly initials: boolean
  /** Positions of the value's words that the form uses. */
  readonly used: readonly number[]
}

/** A word of the value, with what it may abbreviate. */
export interface Written {
  readonly text: string
  readonly expansions: readonly string[]
}

const EXACT_FROM = 0.97
const INITIAL = 0.82
const WORTH_FOLLOWING = 0.3

/** Every form that shares a telling word with the value; `reach` says how unlike a word may be. */
export function align<E>(index: NameIndex<E>, value: readonly Written[], reach: 'plain' | 'similar'): Alignment<E>[] {
  const readings = new Map<number, { at: number; likeness: number }[]>()
  value.forEach((word, at) => {
    for (const { token, likeness } of hitsOf(index, word, reach)) {
      const known = readings.get(token)
      if (known) known.push({ at, likeness })
      else readings.set(token, [{ at, likeness }])
    }
  })
  const telling = [...readings.keys()].filter((token) => index.weight(token) >= WORTH_FOLLOWING)
  const numbers = new Set<number>()
  for (const token of telling.length ? telling : readings.keys()) {
    for (const number of index.formsWith(token)) numbers.add(number)
  }
  return Array.from(numbers, (number) => alignForm(index, index.forms[number] as Form<E>, value, readings))
}

function hitsOf<E>(index: NameIndex<E>, word: Written, reach: 'plain' | 'similar'): Hit[] {
  if (LIGHT.has(word.text)) return []
  const plain = index.plainHits(word.text, word.expansions)
  const known = plain[0]?.likeness === 1
  // A word that stands in some name is seldom a slip for another; names as a whole are compared elsewhere.
  if (reach === 'plain' || known) return plain
  return [...plain, ...index.shortHits(word.text), ...index.similarHits(word.text)]
}

function alignForm<E>(
  index: NameIndex<E>,
  form: Form<E>,
  value: readonly Written[],
  readings: Map<number, { at: number; likeness: number }[]>,
): Alignment<E> {
  const used: number[] = []
  let [covered, found, firm, exact, initials, last] = [0, 0, 0, true, false, -1]
  form.ids.forEach((token, position) => {
    const weight = index.weight(token)
    const best =
      token === NONE ? lightWord(form.tokens[position] as string, value, used) : pick(readings.get(token), used)
    const match = best ?? initialOf(form.tokens[position] as string, value, used, last)
    if (!match) return
    used.push(match.at)
    last = match.at
    covered += weight * match.likeness
    found += weight
    if ((value[match.at]?.text.length ?? 0) > 1) firm += weight
    if (match.likeness < EXACT_FROM) exact = false
    if (!best) initials = true
  })
  return { form, coverage: form.weight ? covered / form.weight : 0, found, firm, exact, initials, used }
}

function pick(readings: { at: number; likeness: number }[] | undefined, used: readonly number[]) {
  let best: { at: number; likeness: number } | undefined
  for (const reading of readings ?? []) {
    if (!used.includes(reading.at) && (!best || reading.likeness > best.likeness)) best = reading
  }
  return best
}

function lightWord(text: string, value: readonly Written[], used: readonly number[]) {
  const at = value.findIndex((word, index) => word.text === text && !used.includes(index))
  return at < 0 ? undefined : { at, likeness: 1 }
}

/** Initials keep the order of the name: "L. N. Alem", never "N. Alem L.". */
function initialOf(text: string, value: readonly Written[], used: readonly number[], after: number) {
  if (LIGHT.has(text)) return undefined
  for (let at = after + 1; at < value.length; at++) {
    if (value[at]?.text === text[0] && !used.includes(at)) return { at, likeness: INITIAL }
  }
  return undefined
}
