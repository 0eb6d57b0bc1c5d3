import type { Lexicon } from '../lexicon.ts'
import type { Ciudad, Region } from '../load.ts'
import { append } from './lists.ts'
import { LIGHT } from './names.ts'
import type { Rule } from './result.ts'
import { bySize, spellingsOf, type Weigh } from './towns.ts'
import { compact, words } from './words.ts'

const SHORTEST_NAME = 4
const LARGE = 100_000 // inhabitants; Colombia's own Bogotá is not a city abroad
const WELL_KNOWN = 20_000 // inhabitants from which a city is meant by its name in other states too
const DISTINCTIVE = 0.52 // the weight of a word that tells a name in the whole country

/** The cities that bear a name outside a region, and the one that is certainly meant, if there is one. */
export interface Bearers {
  readonly certain?: { readonly entry: Ciudad; readonly rule: Rule }
  /** The largest well-known city of that very name; what is only a part of a smaller one's name may mean this. */
  readonly wellKnown?: Ciudad
  readonly all: readonly Ciudad[]
}

interface Bearer {
  readonly city: Ciudad
  readonly name: boolean
}

/** Cities of the whole country by exact name or alias: for a city that was given under the wrong state. */
export class Elsewhere {
  readonly #named = new Map<string, Bearer[]>()
  readonly #foreign: ReadonlySet<string>
  readonly #tells: (word: string) => boolean

  constructor(cities: readonly Ciudad[], lexicon: Lexicon, weigh: Weigh) {
    const noise = lexicon.noise.get('place')
    this.#foreign = noise?.get('foreign') ?? new Set()
    const isVague = (word: string) => LIGHT.has(word) || noise?.get('filler')?.has(word) || lexicon.numbers.has(word)
    this.#tells = (word) => !isVague(word) && (weigh(word) ?? 1) >= DISTINCTIVE
    for (const { entry, kind, text } of spellingsOf(cities)) {
      append(this.#named, compact(text), { city: entry, name: kind === 'name' })
    }
  }

  /** The cities of that very name outside a region, those it properly belongs to first, then the larger. */
  find(value: string, region: Region): Bearers {
    const key = compact(value)
    const bearers = (key.length < SHORTEST_NAME ? [] : (this.#named.get(key) ?? []))
      .filter(({ city }) => city.region !== region)
      .sort((a, b) => Number(b.name) - Number(a.name) || bySize(a.city, b.city))
    const [first] = bearers
    if (!first || !words(value).some(({ text }) => this.#tells(text))) return { all: [] }
    const all = bearers.map(({ city }) => city)
    const wellKnown = first.name && (first.city.poblacion ?? 0) >= WELL_KNOWN ? { wellKnown: first.city } : {}
    const abroad = this.#foreign.has(key) && (first.city.poblacion ?? 0) < LARGE
    if (abroad || !isUnique(bearers) || !(first.name || isItsCapital(first.city, region))) return { all, ...wellKnown }
    return { all, ...wellKnown, certain: { entry: first.city, rule: first.name ? 'name' : 'alias' } }
  }
}

/** Across states a tie is refused: one region alone, or one name against mere aliases of smaller places. */
function isUnique(bearers: readonly Bearer[]): boolean {
  const [first] = bearers
  return bearers.every(({ city, name }) => {
    return city.region === first?.city.region || (first?.name && !name && bySize(first.city, city) < 0)
  })
}

/**
 * Whether a city is a region of its own that is called after the given one: the Ciudad Autónoma de Buenos Aires is
 * written under Buenos Aires by all its aliases. No other alias carries a city into another state.
 */
function isItsCapital(city: Ciudad, region: Region): boolean {
  return city.nombre === city.region.nombre && compact(city.nombre).endsWith(compact(region.nombre))
}
