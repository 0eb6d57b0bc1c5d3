import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import { nameSearch } from '../../catalogue/search.ts'
import { fold } from '../../catalogue/text.ts'

const MOST_TYPED = 12
const MOST_OFFERED = 60
const FEWEST_LETTERS_ANYWHERE = 2

/** The cities that somebody may mean who has chosen that region and typed so much, the likeliest first. */
export type SuggestCities = (region: string, typed: string) => Ciudad[]

export function citySuggester({ ciudades }: Catalogue, matcher: Matcher): SuggestCities {
  const search = nameSearch(ciudades, ({ nombre, aliases }) => [nombre, ...aliases])
  return (region, typed) => {
    const found = region ? matcher.region(region) : undefined
    const among = found?.kind === 'match' ? ciudades.filter((city) => city.region === found.entry) : ciudades
    if (among === ciudades && typed.trim().length < FEWEST_LETTERS_ANYWHERE) return []
    const part = fold(typed.trim())
    return search(typed, among)
      .map((city) => ({ city, begins: Number(fold(city.nombre).startsWith(part)) }))
      .sort((a, b) => b.begins - a.begins || (b.city.poblacion ?? 0) - (a.city.poblacion ?? 0))
      .slice(0, part ? MOST_TYPED : MOST_OFFERED)
      .map(({ city }) => city)
  }
}
