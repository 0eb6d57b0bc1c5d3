import { getOrInsert } from '../../memoize.ts'
import { distance } from './distance.ts'
import { editLimit, FARTHEST, likenessOf, SOUNDS_ALIKE, sound } from './likeness.ts'
import { Shapes, shapeOf, Vocabulary } from './vocabulary.ts'
import { compact, words } from './words.ts'

/** What kind of spelling a form is; a hint counts only where no other spelling matches. */
export type FormKind = 'name' | 'codename' | 'iso' | 'alias' | 'hint'

export interface Spelling<E> {
  readonly entry: E
  readonly kind: FormKind
  readonly text: string
}

/** An entry with everything it is called. */
export interface Spelled {
  readonly id: number
  readonly nombre: string
  readonly iso?: string
  readonly codenames?: readonly string[]
  readonly aliases: readonly string[]
  readonly hints?: readonly string[]
}

export function* spellings<E extends Spelled>(entries: Iterable<E>): Generator<Spelling<E>> {
  for (const entry of entries) {
    const { nombre, codenames = [], iso, aliases, hints = [] } = entry
    yield { entry, kind: 'name', text: nombre }
    for (const text of codenames) yield { entry, kind: 'codename', text }
    for (const text of iso ? [iso, iso.slice(iso.indexOf('-') + 1)] : []) yield { entry, kind: 'iso', text }
    for (const text of aliases) yield { entry, kind: 'alias', text }
    for (const text of hints) yield { entry, kind: 'hint', text }
  }
}

/** A spelling taken apart. */
export interface NameForm<E> {
  readonly entry: E
  readonly kind: FormKind
  readonly tokens: readonly string[]
  /** Its words in the vocabulary; NONE for a light one. */
  readonly ids: readonly number[]
  /** The sum of the weights of its words. */
  readonly weight: number
  /** Its letters and digits alone. */
  readonly key: string
}

interface SimilarForm<E> {
  readonly form: NameForm<E>
  readonly likeness: number
}

/** Words that say almost nothing by themselves. */
export const LIGHT = new Set('de del la las los el y e do da con and the of d'.split(' '))
export const NONE = -1
const LIGHT_WEIGHT = 0.06
const ACCENTED = /[^\0-\x7f]/gu
const MIN_SOUND_LENGTH = 4

/** An index over the names of entries: exact by letters alone, by word, and by what looks or sounds alike. */
export class NameIndex<E> {
  readonly forms: NameForm<E>[] = []
  readonly vocabulary: Vocabulary
  readonly #formsWith: number[][] = []
  readonly #byKey = new Map<string, NameForm<E>[]>()
  readonly #byStrippedKey = new Map<string, NameForm<E>[]>()
  readonly #byFirstWord = new Map<string, E[]>()
  #shapes: Shapes<NameForm<E>> | undefined
  #bySound: Map<string, NameForm<E>[]> | undefined
  #alphabetical: NameForm<E>[] | undefined

  /** `weigh` says how distinctive a word is, from 0 to 1: "villa" hardly, "Bariloche" wholly. */
  constructor(spellings: Iterable<Spelling<E>>, weigh: (word: string) => number = () => 1) {
    this.vocabulary = new Vocabulary(weigh)
    for (const spelling of spellings) this.#add(spelling)
  }

  weight(token: number): number {
    return token === NONE ? LIGHT_WEIGHT : this.vocabulary.weight(token)
  }

  /** Numbers of the forms that hold a word of the vocabulary. */
  formsWith(token: number): readonly number[] {
    return this.#formsWith[token] ?? []
  }

  /** Forms whose letters and digits are exactly these, or are these without the accented letters, which some systems drop. */
  exact(key: string): readonly NameForm<E>[] {
    return this.#byKey.get(key) ?? this.#byStrippedKey.get(key) ?? []
  }

  /** Entries whose names of several words begin with this word; if there are several, the word alone names none. */
  withFirstWord(word: string): ReadonlySet<E> {
    return new Set(this.#byFirstWord.get(word))
  }

  /** Forms whose letters begin with these. */
  startingWith(key: string): NameForm<E>[] {
    this.#alphabetical ??= [...this.forms].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    let low = 0
    let high = this.#alphabetical.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#alphabetical[middle] as NameForm<E>).key < key) low = middle + 1
      else high = middle
    }
    let end = low
    while (this.#alphabetical[end]?.key.startsWith(key)) end++
    return this.#alphabetical.slice(low, end)
  }

  /**
   * Forms that, written without spaces, sound like these letters or are within a few typing errors of them. `significant`
   * is how many of the letters count: "Las Heras" has five, and two wrong ones make it another place.
   */
  similarKeys(key: string, significant = key.length): SimilarForm<E>[] {
    this.#shapes ??= new Shapes<NameForm<E>>().addAll(
      this.forms.filter(({ kind }) => kind !== 'iso'),
      (form) => form.key,
    )
    this.#bySound ??= this.#groupBySound()
    const found = (this.#bySound.get(sound(key)) ?? []).map((form) => ({ form, likeness: SOUNDS_ALIKE }))
    const shape = shapeOf(key)
    for (let more = -FARTHEST; more <= FARTHEST; more++) {
      const limit = editLimit(significant, significant + more)
      if (limit === 0) continue
      for (const form of this.#shapes.alike(key.length + more, shape, limit)) {
        const cost = distance(form.key, key, limit)
        if (cost <= limit) found.push({ form, likeness: likenessOf(cost, significant) })
      }
    }
    return found
  }

  #add({ entry, kind, text }: Spelling<E>): void {
    const key = compact(text)
    if (!key) return
    const tokens = words(text).map((word) => word.text)
    const ids = tokens.map((token) => (LIGHT.has(token) ? NONE : this.vocabulary.add(token)))
    const weight = ids.reduce((sum, token) => sum + this.weight(token), 0)
    const form: NameForm<E> = { entry, kind, tokens, ids, weight, key }
    const number = this.forms.push(form) - 1
    getOrInsert(this.#byKey, key, () => []).push(form)
    const stripped = text.replace(ACCENTED, '')
    if (stripped !== text)
      getOrInsert(this.#byStrippedKey, compact(stripped), () => []).push({ ...form, kind: 'alias' })
    for (const token of new Set(ids)) if (token !== NONE) (this.#formsWith[token] ??= []).push(number)
    const [first = ''] = tokens
    if (kind === 'name' && tokens.length > 1) getOrInsert(this.#byFirstWord, first, () => []).push(entry)
  }

  #groupBySound(): Map<string, NameForm<E>[]> {
    const bySound = new Map<string, NameForm<E>[]>()
    for (const form of this.forms) {
      if (form.kind !== 'iso' && form.key.length >= MIN_SOUND_LENGTH)
        getOrInsert(bySound, sound(form.key), () => []).push(form)
    }
    return bySound
  }
}
