import type { Layers } from './layers.ts'
import { codenameOf } from './text.ts'
import type { Row } from './tsv.ts'

export const PROPULSIONES = ['nafta', 'diesel', 'gnc', 'hibrido', 'hibrido-enchufable', 'electrico'] as const
export type Propulsion = (typeof PROPULSIONES)[number]

/** CVT, double clutch and robotised boxes count as automatic: that is what people ask for. */
export const TRANSMISIONES = ['manual', 'automatica'] as const
export type Transmision = (typeof TRANSMISIONES)[number]

/** The vehicles of the catalogue's country; models are the same everywhere. */
export function loadVehicles(layers: Layers) {
  const isNew = (row: Row) => row.list('nuevos').includes(layers.country)
  const carrocerias = layers.entries('carrocerias.tsv', carroceria)
  const marcas = layers.entries('marcas.tsv', (id, row) => marca(id, row, isNew(row)))
  const makes = byId(marcas)
  const bodies = byId(carrocerias)
  for (const { nombre, afines } of marcas) {
    for (const id of afines) {
      if (!makes.has(String(id))) layers.faults.push(`marcas.tsv: afines of ${nombre}: ${id} is not the id of any make`)
    }
  }
  const modelos = layers.entries('modelos.tsv', (id, row) => modelo(id, row, makes, bodies, isNew(row)))
  const models = byId(modelos)
  const versiones = layers.entries('versiones.tsv', (id, row) => version(id, row, models, bodies))
  return { carrocerias, marcas, modelos, versiones }
}

type ById<E> = ReadonlyMap<string, E>
const byId = <E extends { id: number }>(entries: readonly E[]): ById<E> =>
  new Map(entries.map((entry) => [String(entry.id), entry]))

export type Carroceria = Readonly<ReturnType<typeof carroceria>>
const carroceria = (id: number, row: Row) => ({
  id,
  nombre: row.cell('nombre'),
  codenames: row.list('codenames'),
  aliases: row.list('aliases'),
  hints: row.list('hints'),
})

export type Marca = Readonly<ReturnType<typeof marca>>
const marca = (id: number, row: Row, nuevo: boolean) => ({
  ...carroceria(id, row),
  /** Sold new in the catalogue's country today. */
  nuevo,
  /** Makes under which dealers also list its models, or the other way round: Dodge and Ram. */
  afines: row.list('afines').map(Number),
})

export type Modelo = Readonly<ReturnType<typeof modelo>>
const modelo = (id: number, row: Row, makes: ById<Marca>, bodies: ById<Carroceria>, nuevo: boolean) => ({
  id,
  marca: row.reference('marca', makes),
  nombre: row.cell('nombre'),
  codename: row.cell('codename') || codenameOf(row.cell('nombre')),
  carrocerias: row.list('carrocerias').map((key) => row.reference('carrocerias', bodies, key)),
  /** Known to be sold new in the catalogue's country today. */
  nuevo,
  aliases: row.list('aliases'),
})

/** One trim with one engine and one box; what is not certain is null. */
export type Version = Readonly<ReturnType<typeof version>>
const version = (id: number, row: Row, models: ById<Modelo>, bodies: ById<Carroceria>) => ({
  id,
  modelo: row.reference('modelo', models),
  nombre: row.cell('nombre'),
  /** The first year it was sold. */
  desde: row.number('desde') ?? null,
  /** The last; null also while it is sold. */
  hasta: row.number('hasta') ?? null,
  carroceria: row.cell('carroceria') ? row.reference('carroceria', bodies) : null,
  /** Metric horsepower (cv). */
  potencia: row.number('potencia') ?? null,
  /** Cubic centimetres. */
  cilindrada: row.number('cilindrada') ?? null,
  propulsion: optionalChoice(row, 'propulsion', PROPULSIONES),
  transmision: optionalChoice(row, 'transmision', TRANSMISIONES),
})

const optionalChoice = <V extends string>(row: Row, column: string, allowed: readonly V[]): V | null =>
  (row.cell(column) && row.choice(column, allowed)) || null
