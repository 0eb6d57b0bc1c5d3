import type { Lexicon } from '../lexicon.ts'
import type { Ciudad, Region } from '../load.ts'
import { append } from './lists.ts'
import type { Rule } from './result.ts'
import { bySize, spellingsOf } from './towns.ts'
import { compact } from './words.ts'

const SHORTEST_NAME = 4
const LARGE = 100_000 // inhabitants; Colombia's own Bogotá is not a city abroad

/** The cities that bear a name outside a region, and the one that is certainly meant, if there is one. */
export interface Bearers {
  readonly certain?: { readonly entry: Ciudad; readonly rule: Rule }
  readonly all: readonly Ciudad[]
}

/** Cities of the whole country by exact name or alias: for a city that was given under the wrong state. */
export class Elsewhere {
  readonly #named = new Map<string, { city: Ciudad; name: boolean }[]>()
  readonly #foreign: ReadonlySet<string>

  constructor(cities: readonly Ciudad[], lexicon: Lexicon) {
    this.#foreign = lexicon.noise.get('place')?.get('foreign') ?? new Set()
    for (const { entry, kind, text } of spellingsOf(cities)) {
      const key = compact(text)
      append(this.#named, key, { city: entry, name: kind === 'name' })
    }
  }

  /** The cities of that very name outside a region, those it properly belongs to first, then the larger. */
  find(value: string, region: Region): Bearers {
    const key = compact(value)
    const bearers = (key.length < SHORTEST_NAME ? [] : (this.#named.get(key) ?? []))
      .filter(({ city }) => city.region !== region)
      .sort((a, b) => Number(b.name) - Number(a.name) || bySize(a.city, b.city))
    const all = bearers.map(({ city }) => city)
    const [first] = bearers
    if (!first || !isUnique(bearers)) return { all }
    const abroad = this.#foreign.has(key) && (first.city.poblacion ?? 0) < LARGE
    return abroad ? { all } : { certain: { entry: first.city, rule: first.name ? 'name' : 'alias' }, all }
  }
}

/** Across states a tie is refused: one region alone, or one name against mere aliases of smaller places. */
function isUnique(bearers: readonly { city: Ciudad; name: boolean }[]): boolean {
  const [first] = bearers
  return bearers.every(({ city, name }) => {
    return city.region === first?.city.region || (first?.name && !name && bySize(first.city, city) < 0)
  })
}
