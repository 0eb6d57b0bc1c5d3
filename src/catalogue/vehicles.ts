import { type Layers, number, sorted } from './layers.ts'
import { codenameOf } from './text.ts'
import type { Row } from './tsv.ts'

export interface Carroceria {
  readonly id: number
  readonly nombre: string
  readonly codenames: readonly string[]
  readonly aliases: readonly string[]
  readonly hints: readonly string[]
}

export interface Marca {
  readonly id: number
  readonly nombre: string
  readonly codenames: readonly string[]
  /** Sold new in the catalogue's country today. */
  readonly nuevo: boolean
  readonly aliases: readonly string[]
  readonly hints: readonly string[]
  /** Makes under which dealers also list its models, or the other way round: Dodge and Ram. */
  readonly afines: readonly number[]
}

export const PROPULSIONES = ['nafta', 'diesel', 'gnc', 'hibrido', 'hibrido-enchufable', 'electrico'] as const
export type Propulsion = (typeof PROPULSIONES)[number]

/** CVT, double clutch and robotised boxes count as automatic: that is what people ask for. */
export const TRANSMISIONES = ['manual', 'automatica'] as const
export type Transmision = (typeof TRANSMISIONES)[number]

export interface Modelo {
  readonly id: number
  readonly marca: Marca
  readonly nombre: string
  readonly codename: string
  readonly carrocerias: readonly Carroceria[]
  /** Known to be sold new in the catalogue's country today. */
  readonly nuevo: boolean
  readonly aliases: readonly string[]
}

/** One trim with one engine and one box; what is not certain is null. */
export interface Version {
  readonly id: number
  readonly modelo: Modelo
  readonly nombre: string
  /** The first year it was sold. */
  readonly desde: number | null
  /** The last; null also while it is sold. */
  readonly hasta: number | null
  readonly carroceria: Carroceria | null
  /** Metric horsepower (cv). */
  readonly potencia: number | null
  /** Cubic centimetres. */
  readonly cilindrada: number | null
  readonly propulsion: Propulsion | null
  readonly transmision: Transmision | null
}

/** The models of every make of the catalogue. */
export function loadModelos(
  layers: Layers,
  marcas: readonly Marca[],
  carrocerias: readonly Carroceria[],
): readonly Modelo[] {
  const makes = byId(marcas)
  const bodies = byId(carrocerias)
  for (const { nombre, afines } of marcas) {
    for (const id of afines) {
      if (!makes.has(String(id))) layers.faults.push(`marcas.tsv: afines of ${nombre}: ${id} is the id of none`)
    }
  }
  const rows = layers.entries('modelos.tsv')
  const makeOf = owners(layers, rows, 'marca', makes)
  return sorted(rows, (id, row) => ({
    id,
    marca: makeOf.get(id) as Marca,
    nombre: row.cell('nombre'),
    codename: row.cell('codename') || codenameOf(row.cell('nombre')),
    carrocerias: row.list('carrocerias').flatMap((text) => found(layers, row, 'carrocerias', text, bodies) ?? []),
    nuevo: row.list('nuevos').includes(layers.country),
    aliases: row.list('aliases'),
  }))
}

/** The versions sold in the catalogue's country. */
export function loadVersiones(
  layers: Layers,
  modelos: readonly Modelo[],
  carrocerias: readonly Carroceria[],
): readonly Version[] {
  const bodies = byId(carrocerias)
  const rows = layers.entries('versiones.tsv')
  const modelOf = owners(layers, rows, 'modelo', byId(modelos))
  return sorted(rows, (id, row) => ({
    id,
    modelo: modelOf.get(id) as Modelo,
    nombre: row.cell('nombre'),
    desde: number(layers, row, 'desde') ?? null,
    hasta: number(layers, row, 'hasta') ?? null,
    carroceria: row.cell('carroceria')
      ? (found(layers, row, 'carroceria', row.cell('carroceria'), bodies) ?? null)
      : null,
    potencia: number(layers, row, 'potencia') ?? null,
    cilindrada: number(layers, row, 'cilindrada') ?? null,
    propulsion: one(layers, row, 'propulsion', PROPULSIONES),
    transmision: one(layers, row, 'transmision', TRANSMISIONES),
  }))
}

const byId = <E extends { id: number }>(entries: readonly E[]) =>
  new Map(entries.map((entry) => [String(entry.id), entry]))

/** What each row belongs to; a row that belongs to nothing is a fault and is taken out. */
function owners<E>(layers: Layers, rows: Map<number, Row>, column: string, entries: ReadonlyMap<string, E>) {
  const ownerOf = new Map<number, E>()
  for (const [id, row] of rows) {
    const owner = found(layers, row, column, row.cell(column), entries)
    if (owner) ownerOf.set(id, owner)
    else rows.delete(id)
  }
  return ownerOf
}

function found<E>(layers: Layers, row: Row, column: string, id: string, entries: ReadonlyMap<string, E>) {
  const entry = entries.get(id)
  if (!entry) layers.fault(row, `${column} ${id || '(empty)'} is the id of none`)
  return entry
}

function one<V extends string>(layers: Layers, row: Row, column: string, allowed: readonly V[]): V | null {
  const text = row.cell(column)
  const value = allowed.find((known) => known === text)
  if (text && !value) layers.fault(row, `${column} ${text} is not one of ${allowed.join(', ')}`)
  return value ?? null
}
