import { Layers, number, sorted } from './layers.ts'
import { type Lexicon, loadLexicon } from './lexicon.ts'
import { fold } from './text.ts'
import type { Row } from './tsv.ts'
import type { Carroceria, Marca } from './vehicles.ts'
import { loadModelos, loadVersiones, type Modelo, type Version } from './vehicles.ts'

export interface Region {
  readonly id: number
  readonly iso: string
  readonly nombre: string
  readonly aliases: readonly string[]
}

export interface Ciudad {
  readonly id: number
  readonly nombre: string
  readonly region: Region
  readonly departamento: string
  /** All of them, for a place that lies across a border; the first is `departamento`. */
  readonly departamentos: readonly string[]
  readonly poblacion?: number | undefined
  readonly lat?: number | undefined
  readonly lon?: number | undefined
  readonly aliases: readonly string[]
}

export interface Color {
  readonly id: number
  readonly nombre: string
  readonly html: string | null
  readonly aliases: readonly string[]
  readonly hints: readonly string[]
}

/** Everything the market knows in one country; every list sorted by name in Spanish order. */
export interface Catalogue {
  readonly country: string
  readonly regiones: readonly Region[]
  readonly ciudades: readonly Ciudad[]
  readonly colores: readonly Color[]
  readonly carrocerias: readonly Carroceria[]
  readonly marcas: readonly Marca[]
  readonly modelos: readonly Modelo[]
  /** Those of the country alone. */
  readonly versiones: readonly Version[]
  readonly lexicon: Lexicon
}

/** Reads our data and an operator's over it; throws one error that names every fault at once. */
export function loadCatalogue(country: string, catalogueDir?: string): Catalogue {
  const layers = new Layers(country, catalogueDir)
  const regiones = loadRegiones(layers)
  const carrocerias = sorted(layers.entries('carrocerias.tsv'), carroceria)
  const marcas = sorted(layers.entries('marcas.tsv'), (id, row) => marca(country, id, row))
  const modelos = loadModelos(layers, marcas, carrocerias)
  const catalogue: Catalogue = {
    country,
    regiones,
    ciudades: loadCiudades(layers, regiones),
    colores: sorted(layers.entries('colores.tsv'), (id, row) => color(layers, id, row)),
    carrocerias,
    marcas,
    modelos,
    versiones: loadVersiones(layers, modelos, carrocerias),
    lexicon: loadLexicon(layers),
  }
  if (regiones.length === 0) layers.faults.push(`COUNTRY ${country}: there is no ${country}/regiones.tsv`)
  if (layers.faults.length) throw new Error(`The catalogue cannot be loaded:\n  ${layers.faults.join('\n  ')}`)
  return catalogue
}

function loadRegiones(layers: Layers): Region[] {
  const more = new Map(layers.knowledge('region-aliases.tsv').map((row) => [row.cell('iso'), row.list('aliases')]))
  return sorted(layers.entries('regiones.tsv'), (id, row) => {
    const iso = row.cell('iso')
    if (!/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(iso)) layers.fault(row, `iso ${iso} is not an ISO 3166-2 code such as AR-B`)
    return { id, iso, nombre: row.cell('nombre'), aliases: [...row.list('aliases'), ...(more.get(iso) ?? [])] }
  })
}

function loadCiudades(layers: Layers, regiones: readonly Region[]): Ciudad[] {
  const byIso = new Map(regiones.map((region) => [region.iso, region]))
  const more = new Map<string, string[]>()
  for (const row of layers.knowledge('city-aliases.tsv')) {
    const key = cityKey(row.cell('iso'), row.cell('nombre'))
    more.set(key, [...(more.get(key) ?? []), ...row.list('aliases')])
  }
  return sorted(layers.entries('ciudades.tsv'), (id, row) => {
    const iso = row.cell('region')
    const region = byIso.get(iso)
    if (!region) layers.fault(row, `region ${iso} is not one of ${[...byIso.keys()].join(', ')}`)
    const nombre = row.cell('nombre')
    const departamentos = row.list('departamento')
    const aliases = row.list('aliases')
    const known = more.get(cityKey(iso, nombre))
    return {
      id,
      nombre,
      region: region ?? NOWHERE,
      departamento: departamentos[0] ?? '',
      departamentos,
      poblacion: number(layers, row, 'poblacion'),
      lat: number(layers, row, 'lat'),
      lon: number(layers, row, 'lon'),
      aliases: known ? [...aliases, ...known] : aliases,
    }
  })
}

/** Stands in only until the faults are thrown. */
const NOWHERE: Region = { id: 0, iso: '', nombre: '', aliases: [] }

const cityKey = (iso: string, nombre: string): string => `${iso}\t${fold(nombre)}`

function color(layers: Layers, id: number, row: Row): Color {
  const html = row.cell('html')
  if (html && !/^#[0-9A-F]{6}$/.test(html)) layers.fault(row, `html ${html} is not of the form #RRGGBB`)
  return { id, nombre: row.cell('nombre'), html: html || null, aliases: row.list('aliases'), hints: row.list('hints') }
}

function carroceria(id: number, row: Row): Carroceria {
  const [codenames, aliases, hints] = [row.list('codenames'), row.list('aliases'), row.list('hints')]
  return { id, nombre: row.cell('nombre'), codenames, aliases, hints }
}

function marca(country: string, id: number, row: Row): Marca {
  const nuevo = row.list('nuevos').includes(country)
  const [codenames, aliases, hints] = [row.list('codenames'), row.list('aliases'), row.list('hints')]
  const afines = row.list('afines').map(Number)
  return { id, nombre: row.cell('nombre'), codenames, nuevo, aliases, hints, afines }
}
