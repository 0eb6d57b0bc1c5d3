import type { Lexicon } from '../lexicon.ts'
import { type Alignment, align, MAX_WORDS, type Written } from './align.ts'
import { EXPANDED } from './likeness.ts'
import { type FormKind, LIGHT, type NameForm, NameIndex, type Spelling } from './names.ts'
import { AMBIGUOUS, type Candidate, type Rule } from './result.ts'
import { compact, type Word, words } from './words.ts'

export interface NameResult<E> {
  readonly match?: { readonly entry: E; readonly rule: Rule; readonly score: number }
  readonly candidates: readonly Candidate<E>[]
}

const SCORE_OF: Record<FormKind, number> = { name: 1, codename: 1, iso: 1, alias: 0.97, hint: 0.9 }
const EXACT_ORDER = Object.keys(SCORE_OF) as FormKind[]
const ruleOf = (kind: FormKind): Rule => (kind === 'hint' ? 'alias' : kind)

const CONTAINED = 0.92
const EXTRA_WORD = 0.02
const MAX_EXTRA = 5
const UNUSED_WORD = 0.04
const SURE_ENOUGH = 0.74
const CLEAR = 0.85
const MARGIN = 0.03
const MIN_STEM_LENGTH = 4
const STEM = 0.85

/** How much may stand around a name: nothing, other words ("Ford F-100"), or the end of a word ("graystone"). */
export type Tolerance = 'whole names' | 'names' | 'stems'

/** Finds the entry a short value names: a make, a body style, a colour, a region. */
export class Phrases<E> {
  readonly #index: NameIndex<E>
  readonly #lexicon: Lexicon
  readonly #tolerance: Tolerance

  constructor(spellings: Iterable<Spelling<E>>, lexicon: Lexicon, tolerance: Tolerance) {
    this.#index = new NameIndex(spellings)
    this.#lexicon = lexicon
    this.#tolerance = tolerance
  }

  find(value: string): NameResult<E> {
    const whole = this.#exactly(compact(value))
    if (whole) return { match: whole, candidates: [] }
    const all = words(value).slice(0, MAX_WORDS)
    const unfilled = all.filter((word) => !this.#lexicon.filler.has(word.text))
    const significant = trimLight(unfilled)
    const { nonsense } = this.#lexicon // "s/d" is one word of it
    if (nonsense.has(compact(value)) || !significant.some(({ text }) => /\p{L}/u.test(text) && !nonsense.has(text))) {
      return { candidates: this.#withFirstWord(unfilled) }
    }

    const written = significant.map((word) => this.#written(word))
    const bare =
      this.#exactly(significant.map((word) => word.text).join('')) ??
      this.#exactly(written.map((word) => word.expansions[0] ?? word.text).join(''), 'alias')
    if (bare) return { match: bare, candidates: [] }
    const contained = this.#tolerance === 'whole names' ? undefined : this.#contained(written)
    if (contained) return { match: contained, candidates: [] }
    const several = this.#withFirstWord(significant)
    return several.length > 1 ? { candidates: several } : this.#similar(written)
  }

  /** "Santa" is Santa Cruz as much as Santa Fe, and no slip for Salta. */
  #withFirstWord(words: readonly Word[]): Candidate<E>[] {
    const [first, second] = words
    if (!first || second) return []
    return Array.from(this.#index.withFirstWord(first.text), (entry) => ({ entry, score: AMBIGUOUS }))
  }

  #exactly(key: string, atBest?: Rule): NameResult<E>['match'] {
    const forms = this.#index.exact(key)
    for (const kind of EXACT_ORDER) {
      const form = forms.find((candidate) => candidate.kind === kind)
      if (form) return { entry: form.entry, rule: atBest ?? ruleOf(kind), score: atBest ? EXPANDED : SCORE_OF[kind] }
    }
    return undefined
  }

  #written(word: Word): Written {
    return { text: word.text, expansions: this.#lexicon.expansions.get(word.text) ?? [] }
  }

  /** A whole name among other words ("Ford F-100 XLT"): the longest, then the first; hints only where nothing else is. */
  #contained(written: readonly Written[]): NameResult<E>['match'] {
    let best: Alignment<E> | undefined
    for (const alignment of align(this.#index, written, 'plain')) {
      const { form, initials, count } = alignment
      if (initials || count < form.tokens.length || form.tokens.every(isLetter)) continue
      if (/[0-9]/.test(form.key) && !isTogether(alignment)) continue
      if (!best || byContent(alignment, best) < 0) best = alignment
    }
    if (!best) return undefined
    const extra = written.length - best.count
    const score = CONTAINED - Math.min(extra, MAX_EXTRA) * EXTRA_WORD
    return { entry: best.form.entry, rule: ruleOf(best.form.kind), score }
  }

  /** The value as a whole first; word by word only when that leaves a doubt. */
  #similar(written: readonly Written[]): NameResult<E> {
    const candidates = this.#similarKeys(written)
    const whole = clearly(candidates, CLEAR)
    if (whole || this.#tolerance === 'whole names') return found(whole ?? clearly(candidates, SURE_ENOUGH), candidates)
    candidates.push(...this.#similarWords(written))
    if (this.#tolerance === 'stems') candidates.push(...this.#stems(written))
    return found(clearly(candidates, SURE_ENOUGH), candidates)
  }

  #similarKeys(written: readonly Written[]): Similar<E>[] {
    const key = written.map((word) => word.text).join('')
    return this.#index.similarKeys(key).map(({ form, likeness }) => {
      // A three-letter value may have lost a letter ("Jep"); another letter in it makes another word.
      const sure = form.key.length > 3 && (key.length > 3 || form.key.length > key.length)
      return { entry: form.entry, score: likeness, sure }
    })
  }

  #similarWords(written: readonly Written[]): Similar<E>[] {
    return align(this.#index, written, 'similar')
      .filter((alignment) => alignment.form.key.length > MIN_STEM_LENGTH && alignment.form.kind !== 'iso')
      .map(({ form, coverage, used }) => {
        const unused = written.filter((word, at) => (used & (1 << at)) === 0 && !LIGHT.has(word.text)).length
        return { entry: form.entry, score: coverage * (1 - UNUSED_WORD * Math.min(unused, MAX_EXTRA)), sure: true }
      })
  }

  /** Paint names grow from a colour: "graystone", "bluebell". */
  #stems(written: readonly Written[]): Similar<E>[] {
    const found: Similar<E>[] = []
    for (const { text } of written) {
      for (let length = text.length - 1; length >= MIN_STEM_LENGTH; length--) {
        const stem = text.slice(0, length)
        const form = this.#strongForm(this.#lexicon.expansions.get(stem)?.[0] ?? stem)
        if (form && text.length - length >= 3) found.push({ entry: form.entry, score: STEM, sure: true })
      }
    }
    return found
  }

  #strongForm(key: string): NameForm<E> | undefined {
    return this.#index.exact(key).find((form) => form.kind !== 'hint' && form.kind !== 'iso')
  }
}

interface Similar<E> extends Candidate<E> {
  readonly sure: boolean
}

/** The best candidate, if it is good enough and no other entry comes near it. */
function clearly<E>(candidates: readonly Similar<E>[], enough: number): Similar<E> | undefined {
  let best: Similar<E> | undefined
  for (const candidate of candidates) if (!best || candidate.score > best.score) best = candidate
  if (!best?.sure || best.score < enough) return undefined
  const { entry, score } = best
  return candidates.some((other) => other.entry !== entry && score - other.score < MARGIN) ? undefined : best
}

function found<E>(similar: Similar<E> | undefined, candidates: readonly Candidate<E>[]): NameResult<E> {
  if (!similar) return { candidates }
  return { match: { entry: similar.entry, rule: 'similar', score: similar.score }, candidates: [] }
}

/** "de Mendoza", what is left of "Provincia de Mendoza", is Mendoza. */
function trimLight(words: Word[]): Word[] {
  const isHeavy = (word: Word) => !LIGHT.has(word.text)
  const first = words.findIndex(isHeavy)
  return first < 0 ? [] : words.slice(first, words.findLastIndex(isHeavy) + 1)
}

const isLetter = (token: string): boolean => /^\p{L}$/u.test(token)

/** A figure belongs to the word beside it: in "4x4 5 puertas" there are no "4 puertas". */
function isTogether<E>({ used, from, count }: Alignment<E>): boolean {
  return used >>> from === 2 ** count - 1
}

function byContent<E>(a: Alignment<E>, b: Alignment<E>): number {
  const weak = Number(a.form.kind === 'hint') - Number(b.form.kind === 'hint')
  if (weak !== 0) return weak
  const words = b.form.tokens.length - a.form.tokens.length
  return words !== 0 ? words : a.from - b.from
}
