import type { Kind, Lexicon } from '../lexicon.ts'
import type { Ciudad, Region } from '../load.ts'
import { bySize, spellingsOf } from './cities.ts'
import { compact, words } from './words.ts'

const PLACE: Kind = 'place'
const SHORTEST_NAME = 4
const LARGE = 100_000 // inhabitants; Colombia's own Bogotá is not a city abroad

/** Cities of the whole country by exact name or alias: for a city that was given under the wrong state. */
export class Elsewhere {
  readonly #named = new Map<string, Ciudad[]>()
  readonly #aliased = new Map<string, Ciudad[]>()
  readonly #foreign: ReadonlySet<string>
  readonly #fillers: ReadonlySet<string>

  constructor(cities: readonly Ciudad[], lexicon: Lexicon) {
    this.#foreign = lexicon.noise.get(PLACE)?.get('foreign') ?? new Set()
    this.#fillers = lexicon.noise.get(PLACE)?.get('filler') ?? new Set()
    for (const { entry, kind, text } of spellingsOf(cities)) {
      const map = kind === 'name' ? this.#named : this.#aliased
      const key = compact(text)
      const same = map.get(key)
      if (same) same.push(entry)
      else map.set(key, [entry])
    }
  }

  /** The cities of that very name outside a region; a small one that shares its name with a city abroad is not certain. */
  find(value: string, region: Region): Ciudad[] {
    for (const key of this.#keys(value)) {
      if (key.length < SHORTEST_NAME) continue
      const named = this.#named.get(key) ?? this.#aliased.get(key) ?? []
      const found = named.filter((city) => city.region !== region).sort(bySize)
      const famous = this.#foreign.has(key) && (found[0]?.poblacion ?? 0) < LARGE
      if (found.length && !famous) return found
    }
    return []
  }

  #keys(value: string): string[] {
    const bare = words(value).filter((word) => !this.#fillers.has(word.text))
    return [compact(value), bare.map((word) => word.text).join('')]
  }
}

/** The one city meant, if all that bear the name lie in one region: across states a tie is refused. */
export function unique(cities: readonly Ciudad[]): Ciudad | undefined {
  const [first] = cities
  return first && cities.every((city) => city.region === first.region) ? first : undefined
}
