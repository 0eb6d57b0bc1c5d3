import type { App } from '../../apps/app.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Result } from '../../catalogue/match/result.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { EXPOSICIONES } from '../../resources/agencias/paquetes.ts'
import type { Exposicion } from '../../resources/publicaciones/publicacion.ts'
import type { NewPublicacion } from '../../resources/publicaciones/write.ts'
import type { Chance } from './chance.ts'
import cars from './data/cars.json' with { type: 'json' }
import texts from './data/texts.json' with { type: 'json' }
import type { CountryFacts, DemoAgencia } from './market.ts'

/** Cars of these markets; `usd` is the price when new. */
export const CARS: readonly Car[] = cars
type Car = (typeof cars)[number] & { until?: number | undefined }

const COLOURS = ['Blanco', 'Gris', 'Negro', 'Plata', 'Rojo', 'Azul']

const KM_A_YEAR = 14_000
const KEPT_A_YEAR = 0.9 // share of its value
const DOLLARS_OVER = 30_000 // expensive cars are priced in dollars
const MAX_PUBLICACIONES = 36
const MAX_HIDDEN = 6

interface Stocking {
  app: App
  agencia: Agencia
  demo: DemoAgencia
  /** The index of the agency, which numbers its listings. */
  at: number
  facts: CountryFacts
  year: number
  /** The addresses of a car's photos; none without it. */
  photosOf?: (car: { carroceria: string; color: string }) => string[]
}

/** The listings of an agency: as many as its package shows; none are shown if it has expired. */
export function stockOf(matcher: Matcher, stocking: Stocking, chance: Chance) {
  const { app, agencia, demo, at, facts, year, photosOf = () => [] } = stocking
  return exposures(demo)
    .slice(0, demo.lapsed ? MAX_HIDDEN : MAX_PUBLICACIONES)
    .map((exposicion, nth): NewPublicacion => {
      const car = chance.pick(CARS)
      const carYear = yearOf(car, year - chance.weightedIndex(AGES), year)
      const isNew = carYear === year && chance.next() < 0.5
      const color = chance.pick(COLOURS)
      return {
        app,
        agenciaId: agencia.id,
        externalId: `${String.fromCharCode(65 + at)}${1001 + nth}`,
        refStock: chance.next() < 0.6 ? `S-${chance.between(100, 999)}` : null,
        operador: chance.pick(agencia.operadores).email,
        ...vehicle(matcher, car),
        versionYear: carYear,
        kilometraje: isNew ? 0 : Math.round(((year - carYear + 0.6) * KM_A_YEAR * (0.5 + chance.next())) / 500) * 500,
        ...colour(matcher, color),
        ...price(facts, car.usd * KEPT_A_YEAR ** (year - carYear) * (0.94 + chance.next() * 0.12)),
        descripcion: isNew ? '0 km, entrega inmediata. Consulte financiación.' : chance.pick(texts.remarks),
        regionId: agencia.regionId,
        region: agencia.region,
        ciudadId: agencia.ciudadId,
        ciudad: agencia.ciudad,
        fotos: photosOf({ carroceria: car.carroceria, color }),
        ...(demo.lapsed ? { estado: 'Suspendida', suspensiones: ['paquete'] } : { exposicionPedida: null, exposicion }),
      }
    })
}

/** A year in which the version was made. */
const yearOf = ({ since, until }: Car, wanted: number, last: number): number =>
  Math.max(since, Math.min(wanted, until ?? last))

const AGES = [8, 10, 14, 16, 14, 12, 10, 0, 8, 0, 5, 0, 3]

/** Two thirds of the package are in use. */
function exposures({ paquete }: DemoAgencia): Exposicion[] {
  const contracted = (exposicion: Exposicion) => paquete?.[exposicion.toLowerCase() as Lowercase<Exposicion>] ?? 0
  return EXPOSICIONES.flatMap((each) => Array<Exposicion>(Math.ceil((contracted(each) * 2) / 3)).fill(each))
}

function vehicle(matcher: Matcher, { marca, modelo, version, carroceria, propulsion, transmision }: Car) {
  const make = matcher.make(marca)
  if (make.kind !== 'match') throw new Error(`The catalogue has no ${marca}.`)
  const model = entryOf(matcher.modelOf(make.entry, modelo))
  const body = entryOf(matcher.bodystyle(carroceria))
  return {
    marcaId: make.entry.id,
    marca: make.entry.nombre,
    modeloId: model?.id ?? null,
    modelo: model?.nombre ?? modelo,
    versionId: null,
    version,
    carroceriaId: body?.id ?? null,
    carroceria: body?.nombre ?? carroceria,
    propulsion,
    transmision,
  }
}

function colour(matcher: Matcher, name: string) {
  const found = entryOf(matcher.colour(name))
  return { colorId: found?.id ?? null, color: found?.nombre ?? name }
}

const entryOf = <E>(result: Result<E>): E | undefined => (result.kind === 'match' ? result.entry : undefined)

function price({ moneda, perDollar }: CountryFacts, dollars: number) {
  if (moneda === 'USD' || dollars > DOLLARS_OVER) return { precioMoneda: 'USD', precioImporte: rounded(dollars, 100) }
  return { precioMoneda: moneda, precioImporte: rounded(dollars * perDollar, perDollar * 100) }
}

const rounded = (amount: number, step: number): number => Math.round(amount / step) * step
