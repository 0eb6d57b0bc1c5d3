import type { Ciudad } from '../load.ts'
import { words } from './words.ts'

/** How distinctive a word of a place's name is, from 0 to 1; undefined for one that is in no name. */
export type Weigh = (word: string) => number | undefined

const MIN_WEIGHT = 0.2
const MIN_ACRONYM_LENGTH = 3
const ACRONYM_POPULATION = 20_000 // smaller places are not known by their initials

/** Weighs the words of the country's names: a rare one counts most, "villa" and "san" little. */
export function weighWords(cities: readonly Ciudad[]): Weigh {
  const count = new Map<string, number>()
  for (const city of cities) {
    for (const { text } of words(city.nombre)) count.set(text, (count.get(text) ?? 0) + 1)
  }
  const most = Math.log(cities.length + 1)
  const weights = new Map(
    Array.from(count, ([word, times]) => [word, Math.max(MIN_WEIGHT, 1 - Math.log(times) / most)]),
  )
  return (word) => weights.get(word)
}

/** The larger first; of equals the older record. */
export function bySize(a: Ciudad, b: Ciudad): number {
  return (b.poblacion ?? 0) - (a.poblacion ?? 0) || a.id - b.id
}

/** Larger cities by their initials: "SMT", "VGG". */
export function acronymsOf(cities: readonly Ciudad[]): Map<string, Ciudad> {
  const acronyms = new Map<string, Ciudad>()
  for (const city of [...cities].sort(bySize)) {
    if ((city.poblacion ?? 0) < ACRONYM_POPULATION) break
    const heavy = words(city.nombre).filter((word) => word.text.length > 3 || word.text === 'san')
    const acronym = heavy.map((word) => word.text[0]).join('')
    if (acronym.length >= MIN_ACRONYM_LENGTH && !acronyms.has(acronym)) acronyms.set(acronym, city)
  }
  return acronyms
}
