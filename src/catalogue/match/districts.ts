import type { Ciudad } from '../load.ts'
import { LIGHT } from './names.ts'
import type { Pointer } from './place.ts'
import { compact, words } from './words.ts'

/** The districts (partidos, departamentos) of one region: how they are written, and which cities lie in which. */
export class Districts {
  readonly #byName = new Map<string, Pointer>()
  readonly #ofCity = new Map<Ciudad, readonly string[]>()

  constructor(cities: readonly Ciudad[]) {
    for (const city of cities) {
      this.#ofCity.set(city, city.departamentos.map(compact))
      for (const departamento of city.departamentos) this.#add(departamento, city)
    }
  }

  named(key: string): Pointer | undefined {
    return this.#byName.get(key)
  }

  of(city: Ciudad): readonly string[] {
    return this.#ofCity.get(city) ?? []
  }

  /** In full, with its first word as an initial, and as its head town is also called. */
  #add(departamento: string, city: Ciudad): void {
    const district = compact(departamento)
    const isHeadTown = compact(city.nombre) === district
    if (this.#byName.has(district) && !isHeadTown) return
    const [first = '', ...rest] = words(departamento).map((word) => word.text)
    const heavy = rest.filter((word) => !LIGHT.has(word))
    const initialled = rest.length ? [rest, heavy].map((tail) => first.charAt(0) + tail.join('')) : []
    const town = isHeadTown ? city.aliases.map(compact) : []
    for (const name of [...initialled, ...town]) if (!this.#byName.has(name)) this.#byName.set(name, { district })
    this.#byName.set(district, { district })
  }
}
