import { distance } from './distance.ts'
import { mayBeAlike, type Shape, shapeOf } from './shape.ts'
import { sound } from './sound.ts'
import { compact, words } from './words.ts'

/** What kind of spelling a form is; a hint tells its entry only where nothing stronger does. */
export type FormKind = 'name' | 'codename' | 'iso' | 'alias' | 'hint'

export interface Form<E> {
  readonly entry: E
  readonly kind: FormKind
  readonly tokens: readonly string[]
  /** Its words in the vocabulary; NONE for a light one. */
  readonly ids: readonly number[]
  /** The sum of the weights of its words. */
  readonly weight: number
  readonly key: string
}

export const NONE = -1
const LIGHT_WEIGHT = 0.06

/** A spelling that belongs to an entry. */
export interface Spelling<E> {
  readonly entry: E
  readonly kind: FormKind
  readonly text: string
}

/** One word of the vocabulary that a written word may stand for, and how sure that is (1: the same). */
export interface Hit {
  readonly token: number
  readonly likeness: number
}

/** Words of a name that carry almost nothing by themselves. */
export const LIGHT = new Set([
  'de',
  'del',
  'la',
  'las',
  'los',
  'el',
  'y',
  'e',
  'do',
  'da',
  'con',
  'and',
  'the',
  'of',
  'd',
])

const ACCENTED = /[^\0-\x7f]/gu
const EXPANDED = 0.97
const SOUNDS_ALIKE = 0.93
const PREFIX_LONG = 0.88
const PREFIX_SHORT = 0.8
const SKELETON = 0.62 // too little by itself: another word must agree
const SHORTEST_SOUND = 4
const SHORTEST_SIMILAR = 3
const FARTHEST = 3
const SHORTEST_PREFIX = 3
const LONGEST_SKELETON = 5

/** An index over the names of entries: exact by letters alone, by word, and by words that look or sound alike. */
export class NameIndex<E> {
  readonly forms: Form<E>[] = []
  readonly #byKey = new Map<string, Form<E>[]>()
  readonly #byMaimedKey = new Map<string, Form<E>[]>()
  readonly #vocabulary: string[] = []
  readonly #sounds: string[] = []
  readonly #shapes: Shape[] = []
  readonly #tokenOf = new Map<string, number>()
  readonly #formsOf: number[][] = []
  readonly #weights: number[] = []
  readonly #weigh: (word: string) => number
  readonly #byLetter = new Map<string, number[]>()
  readonly #byLength = new Map<number, number[]>()
  #keysByLength: Map<number, Keyed<E>[]> | undefined
  #alphabetical: Form<E>[] | undefined
  #bySound: Map<string, Form<E>[]> | undefined

  /** `weigh` says how much a word tells, from 0 to 1: "villa" little, "Bariloche" all. */
  constructor(spellings: Iterable<Spelling<E>>, weigh: (word: string) => number = () => 1) {
    this.#weigh = weigh
    for (const spelling of spellings) this.#add(spelling)
  }

  /** Forms whose letters and digits are exactly these, or are these once transport has eaten the accented letters. */
  exact(key: string): readonly Form<E>[] {
    return this.#byKey.get(key) ?? this.#byMaimedKey.get(key) ?? []
  }

  /** Whether a word stands in one of the names. */
  knows(word: string): boolean {
    return this.#tokenOf.has(word)
  }

  weight(token: number): number {
    return token === NONE ? LIGHT_WEIGHT : (this.#weights[token] as number)
  }

  /** Numbers of the forms that hold a word of the vocabulary. */
  formsWith(token: number): readonly number[] {
    return this.#formsOf[token] as number[]
  }

  /** The word itself and what it abbreviates. */
  plainHits(text: string, expansions: readonly string[]): Hit[] {
    const hits: Hit[] = []
    const own = this.#tokenOf.get(text)
    if (own !== undefined) hits.push({ token: own, likeness: 1 })
    for (const expansion of expansions) {
      const token = this.#tokenOf.get(expansion)
      if (token !== undefined) hits.push({ token, likeness: EXPANDED })
    }
    return hits
  }

  /** Words cut short: a prefix ("Capitán Berm") or first, last and some middle letters ("Fcio", "Gdor"). */
  shortHits(text: string): Hit[] {
    if (text.length < 2) return []
    const hits: Hit[] = []
    for (const token of this.#byLetter.get(text[0] as string) ?? []) {
      const word = this.#vocabulary[token] as string
      if (word.length <= text.length) continue
      if (text.length >= SHORTEST_PREFIX && word.startsWith(text)) {
        hits.push({ token, likeness: text.length > SHORTEST_PREFIX ? PREFIX_LONG : PREFIX_SHORT })
      } else if (isSkeleton(text, word)) {
        hits.push({ token, likeness: SKELETON })
      }
    }
    return hits
  }

  /** Words within a typing error or two, or that sound the same. */
  similarHits(text: string): Hit[] {
    if (text.length < SHORTEST_SIMILAR) return []
    const [shape, heard] = [shapeOf(text), sound(text)]
    const hits: Hit[] = []
    for (let length = text.length - 2; length <= text.length + 2; length++) {
      const limit = editLimit(text.length, length)
      if (limit === 0) continue
      for (const token of this.#byLength.get(length) ?? []) {
        if (!mayBeAlike(this.#shapes[token] as Shape, shape, limit)) continue
        const likeness = wordLikeness(
          text,
          heard,
          this.#vocabulary[token] as string,
          this.#sounds[token] as string,
          limit,
        )
        if (likeness > 0 && likeness < 1) hits.push({ token, likeness })
      }
    }
    return hits
  }

  /** Forms whose letters begin with these. */
  startingWith(key: string): Form<E>[] {
    this.#alphabetical ??= [...this.forms].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    let [low, high] = [0, this.#alphabetical.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#alphabetical[middle] as Form<E>).key < key) low = middle + 1
      else high = middle
    }
    let end = low
    while (this.#alphabetical[end]?.key.startsWith(key)) end++
    return this.#alphabetical.slice(low, end)
  }

  /**
   * Forms that, written without spaces, are within a few typing errors of these letters. `telling` is how many of the
   * letters tell: "Las Heras" has five, and two wrong ones make it another place.
   */
  similarKeys(key: string, telling = key.length): { form: Form<E>; likeness: number }[] {
    const shape = shapeOf(key)
    const found = this.#soundingLike(key)
    this.#keysByLength ??= this.#groupKeys()
    for (let more = -FARTHEST; more <= FARTHEST; more++) {
      const limit = editLimit(telling, telling + more)
      if (limit === 0) continue
      for (const candidate of this.#keysByLength.get(key.length + more) ?? []) {
        if (!mayBeAlike(candidate.shape, shape, limit)) continue
        const cost = distance(candidate.key, key, limit)
        if (cost <= limit) found.push({ form: candidate.form, likeness: likenessOf(cost, telling) })
      }
    }
    return found
  }

  #add({ entry, kind, text }: Spelling<E>): void {
    const key = compact(text)
    if (!key) return
    const tokens = words(text).map((word) => word.text)
    const ids = tokens.map((token) => (LIGHT.has(token) ? NONE : this.#tokenFor(token)))
    const weight = ids.reduce((sum, token) => sum + this.weight(token), 0)
    const form: Form<E> = { entry, kind, tokens, ids, weight, key }
    const number = this.forms.push(form) - 1
    append(this.#byKey, key, form)
    if (ACCENTED.test(text)) append(this.#byMaimedKey, compact(text.replace(ACCENTED, '')), { ...form, kind: 'alias' })
    for (const token of new Set(ids)) if (token !== NONE) (this.#formsOf[token] as number[]).push(number)
  }

  #tokenFor(text: string): number {
    const known = this.#tokenOf.get(text)
    if (known !== undefined) return known
    const token = this.#vocabulary.push(text) - 1
    this.#tokenOf.set(text, token)
    this.#sounds.push(sound(text))
    this.#shapes.push(shapeOf(text))
    this.#weights.push(this.#weigh(text))
    this.#formsOf.push([])
    const letter = text[0] as string
    append(this.#byLetter, letter, token)
    append(this.#byLength, text.length, token)
    return token
  }

  #soundingLike(key: string): { form: Form<E>; likeness: number }[] {
    this.#bySound ??= this.#groupSounds()
    return (this.#bySound.get(sound(key)) ?? []).map((form) => ({ form, likeness: SOUNDS_ALIKE }))
  }

  #groupSounds(): Map<string, Form<E>[]> {
    const bySound = new Map<string, Form<E>[]>()
    for (const form of this.forms) {
      if (form.kind !== 'iso' && form.key.length >= SHORTEST_SOUND) append(bySound, sound(form.key), form)
    }
    return bySound
  }

  #groupKeys(): Map<number, Keyed<E>[]> {
    const byLength = new Map<number, Keyed<E>[]>()
    for (const form of this.forms) {
      if (form.kind !== 'iso') append(byLength, form.key.length, { key: form.key, shape: shapeOf(form.key), form })
    }
    return byLength
  }
}

interface Keyed<E> {
  readonly key: string
  readonly shape: Shape
  readonly form: Form<E>
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** How many edits a written word may be away from a known one and still mean it; 0 if none. */
function editLimit(written: number, known: number): number {
  if (written === SHORTEST_SIMILAR) return known === written + 1 ? 1 : 0 // "Jep": a letter was lost, none is another
  const length = Math.max(written, known)
  if (written < SHORTEST_SIMILAR || length < 4) return 0
  if (length === 4) return 0.8 // a slip of the finger, not another letter
  if (length === 5) return 1.1
  if (length < 8) return 1.6
  return length < 12 ? 2.2 : FARTHEST
}

function wordLikeness(text: string, heard: string, word: string, sounds: string, limit: number): number {
  const cost = distance(word, text, limit)
  if (heard === sounds && heard.length >= 3) return Math.max(SOUNDS_ALIKE, likenessOf(cost, text.length))
  if (cost > limit) return 0
  return text.length === SHORTEST_SIMILAR ? SKELETON : likenessOf(cost, text.length)
}

function likenessOf(cost: number, length: number): number {
  return Math.max(0, 1 - cost / (length + 1))
}

function isSkeleton(text: string, word: string): boolean {
  if (text.length > LONGEST_SKELETON || text.length > word.length * 0.65) return false
  if (text.at(-1) !== word.at(-1)) return false
  let at = 0
  for (const letter of text) {
    at = word.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
