import { firstUlid } from '../../src/webhooks/ulid.ts'

/** An agency to which inquiries go. */
export interface Dealer {
  id: number
  mail: string
}

export interface Wanted {
  count: number
  /** The first has a tenth of all, the others share the rest. */
  dealers: Dealer[]
  /** The app whose listings most of them are about, and another. */
  apps: [own: number, other: number]
  from: Date
  until: Date
}

export const COLUMNS = [
  'sid',
  'modo',
  'agencia_id',
  'fuente',
  'publicacion_id',
  'external_key',
  'tipo_anuncio',
  'origen_lead',
  'auto',
  'interesado',
  'email',
  'telefono',
  'operador',
] as const

const OPERATORS = 4
const LISTINGS = 40
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_DIGITS = 16
const TIME_DIGITS = 10

const CARS = ['Fiat Cronos', 'Toyota Hilux', 'Volkswagen Gol', 'Renault Sandero', 'Peugeot 208', 'Ford Ranger']
const NAMES = ['Lucía Ferreyra', 'Marcelo Giménez', 'Sofía Sosa', 'Juan Peralta', 'Ana Núñez', 'Pedro Acosta']
const WORDS = 'Hola, quisiera saber si sigue disponible y si aceptan un usado en parte de pago. Gracias.'

/** Inquiries in the order they come, as lines of COPY; the same ones every time. */
export function* inquiries({ count, dealers, apps, from, until }: Wanted): Generator<string> {
  const chance = generator(count)
  const pick = (most: number) => Math.floor(chance() * most)
  const step = (until.getTime() - from.getTime()) / count
  for (let at = 0; at < count; at++) {
    const dealer = dealers[chance() < 0.1 ? 0 : pick(dealers.length)] as Dealer
    const fuente = [apps[0], apps[0], apps[0], apps[0], apps[0], apps[0], apps[0], 0, 0, apps[1]][pick(10)] as number
    const listing = pick(LISTINGS)
    const sid = ulidAt(from.getTime() + Math.floor((at + chance()) * step), pick)
    yield lineOf({ sid, dealer, fuente, listing, turn: at, operator: pick(OPERATORS) })
  }
}

interface Inquiry {
  sid: string
  dealer: Dealer
  fuente: number
  listing: number
  turn: number
  operator: number
}

function lineOf({ sid, dealer, fuente, listing, turn, operator }: Inquiry): string {
  const [Marca, Modelo] = (CARS[listing % CARS.length] as string).split(' ')
  const [Nombre, Apellido] = (NAMES[turn % NAMES.length] as string).split(' ')
  const isListing = fuente !== 0
  const external = isListing ? `ST-${dealer.id}-${listing}` : ''
  const Email = `persona${turn}@correo.example`
  const auto = {
    ExternalId: external,
    RefStock: null,
    Marca,
    Modelo,
    Version: null,
    VersionYear: isListing ? 2012 + (listing % 12) : null,
    Kilometraje: isListing ? listing * 4_000 : null,
    Color: 'Blanco',
    BodyType: null,
    Estado: isListing ? 'usado' : 'nuevo',
    Precio: { Moneda: 'ARS', Importe: 9_000_000 + listing * 250_000 },
    Anticipo: null,
    Cuota: null,
  }
  const interesado = {
    Interes: 'compra',
    Nombre,
    Apellido,
    Email,
    Telefono: `+54 9 341 ${1_000_000 + (turn % 9_000_000)}`,
    DocIdentidad: null,
    Provincia: 'Santa Fe',
    Ciudad: 'Rosario',
    Comentario: WORDS,
    InfoOperacion: null,
  }
  return [
    sid,
    'produccion',
    dealer.id,
    fuente,
    isListing ? dealer.id * LISTINGS + listing : '\\N',
    external.toLowerCase() || '\\N',
    isListing ? 'publicacion' : 'catalogo',
    'form',
    JSON.stringify(auto),
    JSON.stringify(interesado),
    Email,
    `549341${1_000_000 + (turn % 9_000_000)}`,
    operator === 0 ? dealer.mail : `vendedor${operator}.${dealer.mail}`,
  ].join('\t')
}

function ulidAt(ms: number, pick: (most: number) => number): string {
  let random = ''
  for (let digit = 0; digit < RANDOM_DIGITS; digit++) random += DIGITS[pick(DIGITS.length)]
  return firstUlid(new Date(ms)).slice(0, TIME_DIGITS) + random
}

/** Chance that repeats itself (mulberry32): two runs load the same rows. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
