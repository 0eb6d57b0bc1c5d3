import assert from 'node:assert/strict'
import { before, describe, it, type TestContext } from 'node:test'
import { type Catalogue, loadCatalogue } from '../load.ts'
import { align, MAX_FORMS, MAX_WORDS } from './align.ts'
import { createMatcher, type Matcher, warmUp } from './matcher.ts'
import { NameIndex } from './names.ts'
import { Shapes, Vocabulary } from './vocabulary.ts'
import { words } from './words.ts'

const MAX_VALUE_LENGTH = 200
const MAX_FOUND = 3 // words of a name that a value has, on average
/** A value is aligned twice at most, plainly and by what is similar, and each word found is weighed. */
const MAX_WEIGHED = 2 * MAX_FORMS * MAX_FOUND
/** Known words that each written one is compared with letter by letter, on average. */
const MAX_COMPARED = 50 * MAX_WORDS

/** What a match did, counted where its loops end: words weighed, and words compared letter by letter. */
function countWork(t: TestContext): { weighed: number; compared: number; built: number } {
  const work = { weighed: 0, compared: 0, built: 0 }
  const { weight } = NameIndex.prototype
  t.mock.method(NameIndex.prototype, 'weight', function (this: NameIndex<unknown>, token: number) {
    work.weighed++
    return weight.call(this, token)
  })
  const { alike, addAll } = Shapes.prototype
  t.mock.method(Shapes.prototype, 'alike', function (this: Shapes<unknown>, ...given: Parameters<typeof alike>) {
    const found = alike.apply(this, given)
    work.compared += found.length
    return found
  })
  t.mock.method(Shapes.prototype, 'addAll', function (this: Shapes<unknown>, ...given: Parameters<typeof addAll>) {
    work.built += given[0].length
    return addAll.apply(this, given)
  })
  const addWord = Vocabulary.prototype.add
  t.mock.method(Vocabulary.prototype, 'add', function (this: Vocabulary, text: string) {
    work.built++
    return addWord.call(this, text)
  })
  return work
}

describe('the work of bestmatch', () => {
  let catalogue: Catalogue
  let matcher: Matcher
  let hostile: string[]
  before(async () => {
    catalogue = loadCatalogue('AR')
    matcher = createMatcher(catalogue, { publicUrl: 'http://127.0.0.1' })
    await warmUp(matcher, catalogue)
    hostile = hostileValues(catalogue)
  })

  it('is bounded where a word is in thousands of names, and the names of rarer words come first', () => {
    const named = (text: string) => ({ entry: text, kind: 'name' as const, text })
    const index = new NameIndex([
      ...Array.from({ length: 5000 }, (_, at) => named(`villa a${at}`)),
      named('villa rara'),
    ])
    const written = ['villa', 'rara'].map((text) => ({ text, expansions: [] }))
    const found = align(index, written, 'plain')
    assert.equal(found.length, MAX_FORMS)
    assert.ok(found.some(({ form }) => form.entry === 'villa rara'))
  })

  it('is bounded for 200 characters of common, maimed, cut and repeated words', (t) => {
    const work = countWork(t)
    for (const value of hostile) {
      for (const match of matchesOf(matcher)) {
        Object.assign(work, { weighed: 0, compared: 0 })
        match(value)
        assert.ok(work.weighed <= MAX_WEIGHED, `${work.weighed} words weighed for "${value}"`)
        assert.ok(work.compared <= MAX_COMPARED, `${work.compared} words compared for "${value}"`)
      }
    }
  })

  it('grows no faster than the value: four times the size is at most six times the work', (t) => {
    const work = countWork(t)
    const total = (values: readonly string[]) => {
      Object.assign(work, { weighed: 0, compared: 0 })
      for (const value of values) for (const match of matchesOf(matcher)) match(value)
      return work.weighed + work.compared
    }
    const quarter = total(hostile.map((value) => value.slice(0, MAX_VALUE_LENGTH / 4)))
    assert.ok(total(hostile) <= 6 * quarter)
  })

  it('builds no index once the server has warmed up', (t) => {
    const work = countWork(t)
    for (const value of hostile) for (const match of matchesOf(matcher)) match(value)
    for (const { nombre } of catalogue.regiones) matcher.city({ state: nombre, city: 'sn martin' })
    for (const marca of catalogue.marcas) matcher.modelOf(marca, 'trend 1.6')
    assert.equal(work.built, 0)
  })
})

const matchesOf = (matcher: Matcher): ((value: string) => unknown)[] => [
  (city) => matcher.city({ state: 'Buenos Aires', city }),
  (city) => matcher.city({ state: 'Córdoba', city }),
  matcher.region,
  matcher.make,
  matcher.bodystyle,
  matcher.colour,
  (value) => matcher.version({ make: 'Volkswagen', model: `Gol ${value}`, trim: value, bodystyle: value }),
]

function hostileValues({ ciudades }: Catalogue): string[] {
  const times = new Map<string, number>()
  for (const { nombre } of ciudades) {
    for (const { text } of words(nombre)) times.set(text, (times.get(text) ?? 0) + 1)
  }
  const common = [...times.keys()].sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0)).slice(0, 200)
  const shapes: ((word: string) => string)[] = [
    (word) => word,
    (word) => `${word},`,
    (word) => `${word.slice(0, -1)}q`,
    (word) => word.slice(0, 2),
    (word) => word.slice(0, 3),
    (word) => word.charAt(0),
    (word) => `?${word.slice(1)}`,
    (word) => `${word.charAt(0)}${'?'.repeat(word.length)}`,
  ]
  const values: string[] = common.slice(0, 15).map((word) => `${word} `.repeat(MAX_VALUE_LENGTH))
  for (let from = 0; from < common.length; from += 50) {
    for (const shape of shapes) values.push(common.slice(from).map(shape).join(' '))
  }
  return values.map((value) => value.slice(0, MAX_VALUE_LENGTH))
}
