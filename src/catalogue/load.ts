import { getOrInsert } from '../memoize.ts'
import { Layers } from './layers.ts'
import { loadLexicon } from './lexicon.ts'
import { fold } from './text.ts'
import type { Row } from './tsv.ts'
import { loadVehicles } from './vehicles.ts'

/** The catalogues of one country; every list is sorted by name in Spanish order. */
export type Catalogue = Readonly<ReturnType<typeof loadCatalogue>>

/** Reads our data, overridden by the operator's; throws one error that names every fault. */
export function loadCatalogue(country: string, catalogueDir?: string) {
  const layers = new Layers(country, catalogueDir)
  const regiones = loadRegiones(layers)
  const catalogue = {
    country,
    regiones,
    ciudades: loadCiudades(layers, regiones),
    colores: layers.entries('colores.tsv', color),
    ...loadVehicles(layers),
    lexicon: loadLexicon(layers),
  }
  if (regiones.length === 0)
    layers.faults.push(
      `COUNTRY ${country}: there is no ${country}/regiones.tsv. No catalogue of ${country} is shipped: put ${country}/regiones.tsv and ${country}/ciudades.tsv in a folder, and set CATALOGUE_DIR to it.`,
    )
  if (layers.faults.length) throw new Error(`The catalogue cannot be loaded:\n  ${layers.faults.join('\n  ')}`)
  return catalogue
}

export type Region = Readonly<ReturnType<typeof loadRegiones>[number]>

function loadRegiones(layers: Layers) {
  const more = new Map(layers.knowledge('region-aliases.tsv').map((row) => [row.cell('iso'), row.list('aliases')]))
  return layers.entries('regiones.tsv', (id, row) => {
    const iso = row.cell('iso')
    if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(iso)) row.fault(`iso ${iso} is not an ISO 3166-2 code such as AR-B`)
    return { id, iso, nombre: row.cell('nombre'), aliases: [...row.list('aliases'), ...(more.get(iso) ?? [])] }
  })
}

export type Ciudad = Readonly<ReturnType<typeof loadCiudades>[number]>

function loadCiudades(layers: Layers, regiones: readonly Region[]) {
  const byIso = new Map(regiones.map((region) => [region.iso, region]))
  const more = new Map<string, string[]>()
  for (const row of layers.knowledge('city-aliases.tsv')) {
    const key = cityKey(row.cell('iso'), row.cell('nombre'))
    getOrInsert(more, key, () => []).push(...row.list('aliases'))
  }
  return layers.entries('ciudades.tsv', (id, row) => {
    const iso = row.cell('region')
    const region = byIso.get(iso)
    if (!region) row.fault(`region ${iso} is not one of ${[...byIso.keys()].join(', ')}`)
    const nombre = row.cell('nombre')
    const departamentos = row.list('departamento')
    return {
      id,
      nombre,
      region: region as Region,
      departamento: departamentos[0] ?? '',
      /** All of them, for a place that lies across a border. */
      departamentos,
      poblacion: row.number('poblacion'),
      lat: row.number('lat'),
      lon: row.number('lon'),
      aliases: [...row.list('aliases'), ...(more.get(cityKey(iso, nombre)) ?? [])],
    }
  })
}

const cityKey = (iso: string, nombre: string): string => `${iso}\t${fold(nombre)}`

export type Color = Readonly<ReturnType<typeof color>>

function color(id: number, row: Row) {
  const html = row.cell('html') || null
  if (html && !/^#[0-9A-F]{6}$/.test(html)) row.fault(`html ${html} is not of the form #RRGGBB`)
  return { id, nombre: row.cell('nombre'), html, aliases: row.list('aliases'), hints: row.list('hints') }
}
