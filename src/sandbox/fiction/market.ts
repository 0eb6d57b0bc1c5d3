import type { Catalogue, Ciudad } from '../../catalogue/load.ts'
import { fold } from '../../catalogue/text.ts'
import type { Country } from '../../config.ts'
import { addDays } from '../../http/dates.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import type { AgenciaData } from '../../resources/agencias/agencia.ts'
import type { Paquete } from '../../resources/agencias/paquetes.ts'
import { cuitOf } from '../../resources/agencias/tax-id.ts'
import countries from './data/countries.json' with { type: 'json' }
import names from './data/names.json' with { type: 'json' }

/** The currency of a country, its rough exchange rate to the dollar, the telephone prefix, the words for a number plate and for the inspection of cars. */
export type CountryFacts = (typeof countries)['AR']

export const countryFacts = (country: string): CountryFacts => countries[country as Country]

/** A person of the demo, in a domain that no email is sent to. */
export interface DemoPerson {
  email: string
  nombre: string
  apellido: string
}

export type DemoAgencia = ReturnType<typeof agency>

const PLANS = [
  { nombre: 'Plan 100', alta: 20, media: 30, baja: 50, days: 365 },
  { nombre: 'Plan 50', alta: 5, media: 15, baja: 30, days: 180 },
  { nombre: 'Plan 20', alta: 0, media: 5, baja: 15, days: 90 },
] as const

const AGENCIES = 8

/** Agencies in the largest cities, each in another region; the same every time. */
export function demoMarket(catalogue: Catalogue, today: string): DemoAgencia[] {
  return largestByRegion(catalogue.ciudades)
    .slice(0, AGENCIES)
    .map((ciudad, at) => agency(catalogue.country, ciudad, at, today))
}

/** A further agency of the same kind, by number. */
export function fictionalAgencia(catalogue: Catalogue, nth: number, today: string): DemoAgencia {
  const cities = largestByRegion(catalogue.ciudades)
  return agency(catalogue.country, cities[nth % cities.length] as Ciudad, nth % AGENCIES, today)
}

function largestByRegion(ciudades: readonly Ciudad[]): Ciudad[] {
  const bySize = [...ciudades].sort((a, b) => (b.poblacion ?? 0) - (a.poblacion ?? 0) || a.id - b.id)
  const regions = new Set<number>()
  return bySize.filter(({ region }) => !regions.has(region.id) && regions.add(region.id))
}

function agency(country: string, ciudad: Ciudad, at: number, today: string) {
  const place = shortName(ciudad)
  const nombre = `${pick(names.agencies, at)} ${place}`
  const domain = `${plain(pick(names.agencies, at))}-${plain(place, 12)}.${TEST_DOMAIN}`
  const person = (index: number, mailbox = plain(pick(names.sellersFirst, index))): DemoPerson => ({
    email: `${mailbox}@${domain}`,
    nombre: pick(names.sellersFirst, index),
    apellido: pick(names.sellersLast, index + at),
  })
  const vendedores = Array.from({ length: (at + 2) % 3 }, (_, which) => person(at + which + 1))
  const data: AgenciaData = {
    nombre,
    razonSocial: `${nombre} S.A.`,
    idFiscal: country === 'AR' ? cuitOf('30', 70_000_000 + at * 1_234_567) : null,
    telefono: `4${500 + at}-12${10 + at}`,
    whatsapp: null,
    sitioWeb: `https://www.${domain}/`,
    regionId: ciudad.region.id,
    region: ciudad.region.nombre,
    ciudadId: ciudad.id,
    ciudad: ciudad.nombre,
    direccion: `${pick(names.streets, at)} ${120 + at * 345}`,
    codigoPostal: null,
  }
  const paquete = contracted(at, today)
  return {
    administrador: person(at, 'ventas'),
    vendedores,
    data,
    /** Days ago it was registered. */
    since: 120 - at * 14,
    paquete,
    lapsed: paquete !== undefined && paquete.hasta < today,
    perDay: PER_DAY[at] ?? 1,
  }
}

const LONG_NAME = 20

/** `Ciudad Autónoma de Buenos Aires` is `Buenos Aires` in the name of an agency. */
const shortName = ({ nombre }: Ciudad): string =>
  nombre.length > LONG_NAME ? nombre.replace(/^.* de (?=\p{Lu})/u, '') : nombre

/** Inquiries per day. The first agency is the oldest and gets the most: partners look at it first. */
const PER_DAY = [10, 6, 4.5, 3.5, 3, 2, 1, 0.3] as const

/** Most have a package, one has an expired one, and the last has none. */
function contracted(at: number, today: string): Paquete | undefined {
  if (at === AGENCIES - 1) return undefined
  const { days, ...plan } = pick(PLANS, at)
  const hasta = at === AGENCIES - 2 ? addDays(today, -3) : addDays(today, days)
  return { ...plan, desde: addDays(hasta, -days), hasta, consultasDeCatalogo: at % 2 === 0 }
}

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T

/** A slug for an address, cut between words. */
function plain(text: string, most = 40): string {
  const [first = '', ...words] = fold(text).match(/[a-z0-9]+/g) ?? []
  let slug = first
  for (const word of words) {
    if (slug.length + 1 + word.length > most) break
    slug += `-${word}`
  }
  return slug
}
