import type { App } from '../../apps/app.ts'
import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Exposicion } from '../../resources/publicaciones/publicacion.ts'
import type { NewPublicacion } from '../../resources/publicaciones/write.ts'
import { CARS, type Car, COLOURS, type Land, REMARKS } from './cars.ts'
import type { Chance } from './chance.ts'
import type { DemoAgencia } from './market.ts'

const KM_A_YEAR = 14_000
const KEPT_A_YEAR = 0.9 // share of its value
const DOLLARS_OVER = 30_000 // expensive cars are priced in dollars
const MOST_LISTINGS = 36

interface Stocking {
  app: App
  agencia: Agencia
  made: DemoAgencia
  /** The index of the agency, which numbers its listings. */
  at: number
  land: Land
  year: number
}

/** The listings of an agency: as many as its package shows; none are shown if it has expired. */
export function stockOf(matcher: Matcher, { app, agencia, made, at, land, year }: Stocking, chance: Chance) {
  return exposures(made)
    .slice(0, MOST_LISTINGS)
    .map((exposicion, nth): NewPublicacion => {
      const car = chance.pick(CARS)
      const carYear = yearOf(car, year - chance.weighted(AGES), year)
      const isNew = carYear === year && chance.next() < 0.5
      return {
        app,
        agenciaId: agencia.id,
        externalId: `${String.fromCharCode(65 + at)}${1001 + nth}`,
        refStock: chance.next() < 0.6 ? `S-${chance.between(100, 999)}` : null,
        operador: chance.pick(agencia.operadores).email,
        ...vehicle(matcher, car),
        versionYear: carYear,
        kilometraje: isNew ? 0 : Math.round(((year - carYear + 0.6) * KM_A_YEAR * (0.5 + chance.next())) / 500) * 500,
        ...colour(matcher, chance.pick(COLOURS)),
        ...price(land, car[6] * KEPT_A_YEAR ** (year - carYear) * (0.94 + chance.next() * 0.12)),
        descripcion: isNew ? '0 km, entrega inmediata. Consulte financiación.' : chance.pick(REMARKS),
        ...{ regionId: agencia.regionId, region: agencia.region, ciudadId: agencia.ciudadId, ciudad: agencia.ciudad },
        fotos: [],
        ...(made.lapsed ? { estado: 'Suspendida', suspensiones: ['paquete'] } : { exposicionPedida: null, exposicion }),
      }
    })
}

/** A year in which the version was made. */
const yearOf = ([, , , , , , , since, until]: Car, wanted: number, last: number): number =>
  Math.max(since, Math.min(wanted, until ?? last))

/** Ages in years, with their weights. */
const AGES = [
  [0, 8],
  [1, 10],
  [2, 14],
  [3, 16],
  [4, 14],
  [5, 12],
  [6, 10],
  [8, 8],
  [10, 5],
  [12, 3],
] as const

/** Two thirds of the package are in use. */
function exposures({ paquete }: DemoAgencia): Exposicion[] {
  const some = (exposicion: Exposicion, contracted = 0) =>
    Array<Exposicion>(Math.ceil((contracted * 2) / 3)).fill(exposicion)
  return [...some('Alta', paquete?.alta), ...some('Media', paquete?.media), ...some('Baja', paquete?.baja)]
}

function vehicle(matcher: Matcher, [marca, modelo, version, carroceria, propulsion, transmision]: Car) {
  const make = matcher.make(marca)
  if (make.kind !== 'match') throw new Error(`The catalogue has no ${marca}.`)
  const [model, body] = [matcher.modelOf(make.entry, modelo), matcher.bodystyle(carroceria)]
  const known = model.kind === 'match' ? model.entry : undefined
  const shape = body.kind === 'match' ? body.entry : undefined
  return {
    ...{
      marcaId: make.entry.id,
      marca: make.entry.nombre,
      modeloId: known?.id ?? null,
      modelo: known?.nombre ?? modelo,
    },
    ...{ versionId: null, version, carroceriaId: shape?.id ?? null, carroceria: shape?.nombre ?? carroceria },
    ...{ propulsion, transmision },
  }
}

function colour(matcher: Matcher, name: string) {
  const found = matcher.colour(name)
  return found.kind === 'match'
    ? { colorId: found.entry.id, color: found.entry.nombre }
    : { colorId: null, color: name }
}

function price([moneda, perDollar]: Land, dollars: number) {
  if (moneda === 'USD' || dollars > DOLLARS_OVER) return { precioMoneda: 'USD', precioImporte: rounded(dollars, 100) }
  return { precioMoneda: moneda, precioImporte: rounded(dollars * perDollar, perDollar * 100) }
}

const rounded = (amount: number, step: number): number => Math.round(amount / step) * step
