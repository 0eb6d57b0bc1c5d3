import type { Catalogue } from '../src/catalogue/load.ts'
import type { EvalRow } from './rows.ts'

/** An answer as the sets write it: `name`, or `name@ISO` for a city. */
export type Answer = string | null

/** A matcher under test, built once per country. */
export interface Contender {
  readonly name: string
  answer(row: EvalRow): Answer
}

export type MakeContender = (catalogue: Catalogue) => Contender

/** What a library searches: every name and alias, with its answer. */
export interface Entry {
  readonly text: string
  readonly answer: string
  readonly size: number
}

interface Corpora {
  readonly regions: readonly Entry[]
  readonly cities: ReadonlyMap<string, readonly Entry[]>
  readonly make: readonly Entry[]
  /** By make, and by make and model. */
  readonly models: ReadonlyMap<string, readonly Entry[]>
  readonly versions: ReadonlyMap<string, readonly Entry[]>
  readonly bodystyle: readonly Entry[]
  readonly colour: readonly Entry[]
}

/** The same names and aliases for every contender, so that only the matching differs. */
function corporaOf(catalogue: Catalogue): Corpora {
  const cities = new Map<string, Entry[]>()
  for (const city of catalogue.ciudades) {
    const answer = `${city.nombre}@${city.region.iso}`
    const entries = [city.nombre, ...city.aliases].map((text) => ({ text, answer, size: city.poblacion ?? 0 }))
    const list = cities.get(city.region.iso)
    if (list) list.push(...entries)
    else cities.set(city.region.iso, entries)
  }
  const models = new Map<string, Entry[]>()
  for (const { marca, nombre, aliases } of catalogue.modelos) {
    const entries = [nombre, ...aliases].map((text) => ({ text, answer: `${nombre}@${marca.nombre}`, size: 0 }))
    models.set(marca.nombre, [...(models.get(marca.nombre) ?? []), ...entries])
  }
  const versions = new Map<string, Entry[]>()
  for (const { modelo, nombre } of catalogue.versiones) {
    const key = `${modelo.nombre}@${modelo.marca.nombre}`
    const entry = { text: nombre, answer: `${nombre}@${modelo.nombre}`, size: 0 }
    versions.set(key, [...(versions.get(key) ?? []), entry])
  }
  const named = (list: readonly { nombre: string; aliases: readonly string[]; codenames?: readonly string[] }[]) =>
    list.flatMap(({ nombre, aliases, codenames = [] }) =>
      [nombre, ...codenames, ...aliases].map((text) => ({ text, answer: nombre, size: 0 })),
    )
  return {
    regions: catalogue.regiones.flatMap(({ iso, nombre, aliases }) =>
      [nombre, iso, ...aliases].map((text) => ({ text, answer: iso, size: 0 })),
    ),
    cities,
    make: named(catalogue.marcas),
    models,
    versions,
    bodystyle: named(catalogue.carrocerias),
    colour: named(catalogue.colores),
  }
}

/** A search over a list of entries: the best one and its score from 0 to 1. */
export type Search = (query: string) => { entry: Entry; score: number } | undefined

/** Turns a library's search into a contender: the state first, then the cities of that state. */
export function libraryContender(
  name: string,
  catalogue: Catalogue,
  build: (entries: readonly Entry[]) => Search,
  threshold: number,
): Contender {
  const corpora = corporaOf(catalogue)
  const built = new Map<readonly Entry[], Search>()
  const search = (entries: readonly Entry[], query: string): Answer => {
    let ready = built.get(entries)
    if (!ready) {
      ready = build(entries)
      built.set(entries, ready)
    }
    const found = query.trim() ? ready(query) : undefined
    return found && found.score >= threshold ? found.entry.answer : null
  }
  return {
    name,
    answer(row) {
      if (row.kind === 'model' || row.kind === 'version') {
        const { make = '', model = row.value, transmission = '', displacement = '', fuel = '' } = row.given
        const modelo = search(corpora.models.get(search(corpora.make, make) ?? '') ?? [], model)
        if (modelo === null || row.kind === 'model') return modelo
        return search(corpora.versions.get(modelo) ?? [], `${row.value} ${displacement} ${fuel} ${transmission}`)
      }
      if (row.kind !== 'city' && row.kind !== 'region') return search(corpora[row.kind], row.value)
      const iso = search(corpora.regions, row.state)
      if (iso === null || row.kind === 'region') return iso
      return search(corpora.cities.get(iso) ?? [], row.value)
    },
  }
}
