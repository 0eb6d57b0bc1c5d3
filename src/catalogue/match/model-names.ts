import { getOrInsert } from '../../memoize.ts'
import type { Marca, Modelo } from '../vehicles.ts'
import { distance } from './distance.ts'
import { editLimit, FARTHEST, likenessOf, SOUNDS_ALIKE, sound } from './likeness.ts'
import type { Candidate } from './result.ts'
import { vehicleWords } from './vehicle-words.ts'

/** A spelling of a model, taken apart. */
export interface ModelForm extends Letters {
  readonly modelo: Modelo
  readonly kind: 'name' | 'codename' | 'alias'
  readonly words: readonly string[]
}

/** A model whose name is like what was written, and how many of the words it takes. */
interface SimilarModel extends Candidate<Modelo> {
  readonly used: number
}

/** A form that the value holds from `from` up to, not including, `to`. */
export interface Reading {
  readonly form: ModelForm
  readonly from: number
  readonly to: number
}

const MAX_NAME_WORDS = 6
const MIN_SOUND_LENGTH = 4
const MIN_SIMILAR_LENGTH = 3 // letters; digits must be the same anyway
const EXTENDS = 0.8
const CHEAPEST = 0.4 // of a letter too many: one typed twice

/** The names of one make's models, and what of a value they account for. */
export class ModelNames {
  readonly #forms: ModelForm[] = []
  readonly #byKey = new Map<string, ModelForm>()
  readonly #byFirst = new Map<string, ModelForm[]>()
  /** How the make itself is written, each as words. */
  readonly #make: readonly (readonly string[])[]

  constructor(marca: Marca, modelos: readonly Modelo[]) {
    for (const modelo of modelos) {
      this.#add(modelo, 'name', modelo.nombre)
      this.#add(modelo, 'codename', modelo.codename)
      for (const alias of modelo.aliases) this.#add(modelo, 'alias', alias)
    }
    const names = [marca.nombre, ...marca.codenames, ...marca.aliases].map(vehicleWords)
    this.#make = names.sort((a, b) => b.length - a.length)
  }

  exactly(key: string): ModelForm | undefined {
    return this.#byKey.get(key)
  }

  /** How many words at the beginning name the make. */
  makeWords(words: readonly string[]): number {
    const name = this.#make.find((make) => make.every((word, at) => words[at] === word))
    return name?.length ?? 0
  }

  /** The longest name that begins at a word, whatever spaces stand inside it. */
  readingAt(words: readonly string[], from: number): Reading | undefined {
    let longest: Reading | undefined
    let key = ''
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_NAME_WORDS); to++) {
      key += words[to - 1]
      const form = this.#byKey.get(key)
      if (form) longest = { form, from, to }
    }
    return longest && (this.#longer(words, longest) ?? longest)
  }

  /** "Gol Trendd" is no Gol: a longer name whose next words are written with a slip. */
  #longer(words: readonly string[], { form, from, to }: Reading): Reading | undefined {
    let best: { reading: Reading; likeness: number } | undefined
    for (const other of this.#byFirst.get(form.words[0] as string) ?? []) {
      if (other.words.length <= form.words.length || !other.key.startsWith(form.key)) continue
      const rest = other.key.slice(form.key.length)
      const count = other.words.length - form.words.length
      const written = words.slice(to, to + count).join('')
      const likeness = likenessOfKeys(lettersOf(rest), lettersOf(written))
      if (likeness >= EXTENDS && (!best || likeness > best.likeness)) {
        best = { reading: { form: other, from, to: to + count }, likeness }
      }
    }
    return best?.reading
  }

  /** Models whose name is like the beginning of the value, within a slip or two, or sounds the same. */
  similar(words: readonly string[]): SimilarModel[] {
    const found: SimilarModel[] = []
    const prefixes = prefixesOf(words)
    const [first = ''] = words
    for (const form of this.#forms) {
      const count = form.words.length
      // "Cross" is a part of T-Cross and of others, not a slip for it.
      if (count > 1 && form.words.includes(first) && form.words[0] !== first) continue
      let score = 0
      let used = 0
      // Word for word, run together ("Goltrendd"), or one written as two.
      for (const taken of count === 1 ? [1, 2] : [count, 1, count + 1]) {
        const prefix = prefixes[taken - 1]
        const likeness = prefix ? likenessOfKeys(form, prefix) : 0
        if (likeness > score) [score, used] = [likeness, taken]
      }
      if (score > 0) found.push({ entry: form.modelo, score, used })
    }
    return found
  }

  /** Those whose names of several words begin with this one. */
  withFirstWord(word: string): Modelo[] {
    const forms = this.#byFirst.get(word) ?? []
    return [...new Set(forms.filter(({ kind }) => kind === 'name').map(({ modelo }) => modelo))]
  }

  #add(modelo: Modelo, kind: ModelForm['kind'], text: string): void {
    const words = vehicleWords(text)
    const key = words.join('')
    if (!key || this.#byKey.get(key)?.modelo === modelo) return
    const form: ModelForm = { modelo, kind, words, ...lettersOf(key) }
    this.#forms.push(form)
    getOrInsert(this.#byFirst, words[0] as string, () => []).push(form)
    // A name before an alias, whichever comes first.
    if (kind === 'name' || !this.#byKey.has(key)) this.#byKey.set(key, form)
  }
}

/** Letters of a name, or of what was written for one. */
interface Letters {
  readonly key: string
  readonly digits: string
  readonly sound: string
}

const lettersOf = (key: string): Letters => ({ key, digits: key.replace(/[^0-9.]/g, ''), sound: sound(key) })

/** The first word, the first two, and so on, each as letters alone. */
function prefixesOf(words: readonly string[]): Letters[] {
  let key = ''
  return words.slice(0, MAX_NAME_WORDS).map((word) => {
    key += word
    return lettersOf(key)
  })
}

/** Letters may be mistyped, figures may not: a 209 is no 208. */
function likenessOfKeys(known: Letters, written: Letters): number {
  if (written.digits !== known.digits) return 0
  const length = written.key.length
  const more = Math.abs(known.key.length - length)
  if (more > FARTHEST || length - written.digits.length < MIN_SIMILAR_LENGTH) return 0
  if (known.key === written.key) return 1
  const soundsAlike = known.key.length >= MIN_SOUND_LENGTH && written.sound === known.sound
  const limit = editLimit(length, known.key.length)
  const cost = limit < more * CHEAPEST ? Number.POSITIVE_INFINITY : distance(known.key, written.key, limit)
  const near = cost > limit ? 0 : likenessOf(cost, length)
  return soundsAlike ? Math.max(SOUNDS_ALIKE, near) : near
}
