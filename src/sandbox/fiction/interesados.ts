import { fold } from '../../catalogue/text.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Auto } from '../../resources/consultas/auto.ts'
import type { OrigenLead } from '../../resources/consultas/consulta.ts'
import type { Interes, Interesado } from '../../resources/consultas/person.ts'
import type { Chance } from './chance.ts'
import names from './data/names.json' with { type: 'json' }
import texts from './data/texts.json' with { type: 'json' }
import type { CountryFacts } from './market.ts'

const { any, used, ...others } = texts.messages

/** The messages for an interest, and for a new or used car; `{auto}` in them is the car, `{patente}` and `{revision}` are the country's words. */
const messagesOf = (interes: Interes, isNew: boolean): readonly string[] =>
  (others as Partial<Record<Interes, string[]>>)[interes] ?? [...any, ...(isNew ? others.new : used)]

export const ORIGINS: Record<OrigenLead, number> = { form: 55, whatsapp: 25, telefono: 8, chat: 7, email: 4, otro: 1 }

const INTERESTS = { compra: 62, financiacion: 18, permuta: 12, 'prueba-de-manejo': 5, otro: 3 } as const

/** An invented person near an agency, in a domain that no email is sent to. */
export function personAsking(
  { Marca, Modelo, Estado }: Pick<Auto, 'Marca' | 'Modelo' | 'Estado'>,
  origen: OrigenLead,
  { ciudad, region }: Pick<Agencia, 'ciudad' | 'region'>,
  facts: CountryFacts,
  chance: Chance,
): Interesado {
  const Nombre = chance.pick(names.buyersFirst)
  const Apellido = chance.next() < 0.85 ? chance.pick(names.buyersLast) : ''
  const Interes = chance.weighted(INTERESTS)
  const byMail = origen === 'email'
  const byTelephone = origen === 'whatsapp' || origen === 'telefono'
  const hasMail = chance.next() < 0.7 || byMail
  const message = chance
    .pick(messagesOf(Interes, Estado === 'nuevo'))
    .replace('{auto}', `${Marca} ${Modelo}`)
    .replace('{patente}', facts.plate)
    .replace('{revision}', facts.inspection)
  return {
    Interes,
    Nombre,
    Apellido,
    Email: hasMail ? mailOf(Nombre, Apellido, chance) : '',
    Telefono: chance.next() < 0.8 || !hasMail || byTelephone ? telephone(facts, chance) : null,
    DocIdentidad: null,
    Provincia: chance.next() < 0.5 ? region : null,
    Ciudad: chance.next() < 0.4 ? ciudad : null,
    Comentario: chance.next() < 0.9 ? message : null,
    InfoOperacion: wishes(Interes, facts, chance),
  }
}

const mailOf = (nombre: string, apellido: string, chance: Chance): string =>
  `${[nombre, apellido].filter(Boolean).map(fold).join('.')}${chance.between(1, 99)}@${TEST_DOMAIN}`

/** Telephone numbers reserved for fiction. */
const telephone = (facts: CountryFacts, chance: Chance): string =>
  `${facts.telephone} 555-0${String(chance.between(0, 999)).padStart(3, '0')}`

function wishes(
  interes: Interes,
  { moneda: Moneda, perDollar }: CountryFacts,
  chance: Chance,
): Interesado['InfoOperacion'] {
  if (interes === 'permuta') {
    return { EntregaVehiculo: chance.pick(texts.exchanged), FinanciacionDeseada: null, QuiereCotizacionSeguro: null }
  }
  if (interes !== 'financiacion') return null
  const Adelanto = { Moneda, Importe: Math.round(chance.between(2, 9) * 1_000 * perDollar) }
  return {
    EntregaVehiculo: null,
    FinanciacionDeseada: { Adelanto, Cuota: null },
    QuiereCotizacionSeguro: chance.next() < 0.3 ? true : null,
  }
}
