import { fold } from '../../catalogue/text.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Auto } from '../../resources/consultas/auto.ts'
import type { OrigenLead } from '../../resources/consultas/consulta.ts'
import type { Interes, Interesado } from '../../resources/consultas/person.ts'
import type { Land } from './cars.ts'
import type { Chance } from './chance.ts'

/** First names. */
const FIRST: readonly string[] = `
  Lucía Martín Sofía Juan Valentina Federico Camila Nicolás Florencia Diego Agustina Matías Carolina Sebastián
  Micaela Gonzalo Paula Leandro Silvia Hugo Mónica Raúl Graciela Walter Noelia Ezequiel Romina Gabriel Daniela
  Cristian`
  .trim()
  .split(/\s+/)

const LAST: readonly string[] = `
  Ferreyra González Rodríguez Gómez Fernández López Díaz Martínez Pérez Romero Sosa Álvarez Torres Ruiz
  Ramírez Benítez Acosta Medina Herrera Aguirre Giménez Molina Castro Ortiz Silva Núñez Luna Cabrera Ríos
  Peralta`
  .trim()
  .split(/\s+/)

/** Messages about a car; `{auto}` is the car. */
const OF_ANY = [
  'Hola, ¿sigue disponible?',
  'Buenas! sigue disponible el {auto}? gracias',
  'Hola buen día, quería saber si lo puedo ir a ver el sábado a la mañana.',
  'Hola, me interesa. ¿Cuál es el mejor precio de contado?',
  'hola precio final con transferencia incluida?',
  'Me podrían mandar más fotos del interior por WhatsApp?',
  'Hola, lo necesito para trabajar en aplicaciones. ¿Cuánto consume en ciudad?',
  'Estoy interesado en el {auto}. Quedo a la espera, saludos.',
  'buenas me interesa, pueden llamarme después de las 18?',
  'Hola, ¿el precio es negociable si pago en dólares billete?',
  '¿Hacen envíos al interior?',
  'Es para mi hija, su primer auto. ¿Lo recomiendan? ¿Qué tal el consumo?',
  'Buenas, hasta qué hora atienden? salgo del trabajo a las 19',
  'Hola! tengo dos autos vistos y me decido esta semana, ¿me mejoran el precio?',
  '¿Qué garantía dan? Vengo de una mala experiencia y prefiero preguntar antes.',
] as const

const OF_USED = [
  '¿Tiene algún detalle de chapa o pintura? Estoy a 300 km y no quiero viajar en vano.',
  'Buenas, es único dueño? tiene los services hechos en la concesionaria?',
  'Consulta: ¿la VTV está al día?',
  'Se puede revisar con mi mecánico antes de señar?',
  'Lo vi ayer por la puerta, me gustó. ¿Me lo pueden reservar hasta el viernes?',
  'Hola, ¿tiene deudas de patente o multas?',
  'Los kilómetros son reales? le hicieron la distribución?',
] as const

const OF_NEW = [
  'Buenas, ¿entrega inmediata o hay que esperar?',
  'Hola, ¿en qué colores lo tienen? ¿El precio incluye patentamiento y flete?',
  'Qué diferencia hay con la versión de abajo? no me queda claro en la página',
  '¿Cada cuánto son los services y cuánto salen?',
] as const

/** Messages for other interests than buying. */
const WANTING: Partial<Record<Interes, readonly string[]>> = {
  permuta: [
    'Aceptan permuta? Está al día y con papeles',
    'Buen día. ¿Toman mi usado en parte de pago? La diferencia en efectivo.',
    'Hola, ¿cuánto me reconocen por el mío? Puedo llevarlo para que lo vean.',
    'quiero entregar el mio y financiar el resto, se puede?',
  ],
  financiacion: [
    'Buenas tardes, ¿financian? Tengo una parte en efectivo.',
    '¿Qué papeles necesito para financiarlo? Soy monotributista.',
    'Precio y anticipo mínimo por favor',
    'Hola! en cuántas cuotas se puede? son fijas?',
    '¿Trabajan con crédito prendario? Estoy en relación de dependencia.',
  ],
  'prueba-de-manejo': [
    'Quisiera coordinar una prueba de manejo esta semana, si es posible jueves o viernes.',
    'Hola, ¿se puede probar? Puedo ir mañana después del mediodía.',
    'Me gustaría manejarlo antes de decidir. ¿Hay que sacar turno?',
  ],
}

/** The messages for an interest, and for a new or used car. */
const messagesOf = (interes: Interes, isNew: boolean): readonly string[] =>
  WANTING[interes] ?? [...OF_ANY, ...(isNew ? OF_NEW : OF_USED)]

/** Cars offered in part exchange. */
const EXCHANGED = [
  ['Volkswagen', 'Gol', 2013],
  ['Chevrolet', 'Corsa', 2010],
  ['Renault', 'Clio', 2012],
  ['Fiat', 'Palio', 2014],
  ['Ford', 'Fiesta', 2011],
  ['Peugeot', '207', 2012],
] as const

/** Where inquiries come from, and how often. */
export const ORIGINS: readonly (readonly [OrigenLead, number])[] = [
  ['form', 55],
  ['whatsapp', 25],
  ['telefono', 8],
  ['chat', 7],
  ['email', 4],
  ['otro', 1],
]

const INTERESTS: readonly (readonly [Interes, number])[] = [
  ['compra', 62],
  ['financiacion', 18],
  ['permuta', 12],
  ['prueba-de-manejo', 5],
  ['otro', 3],
]

/** An invented person near an agency; `.example` is a reserved domain, so no email can arrive. */
export function personAsking(
  { Marca, Modelo, Estado }: Auto,
  origen: OrigenLead,
  { ciudad, region }: Pick<Agencia, 'ciudad' | 'region'>,
  land: Land,
  chance: Chance,
): Interesado {
  const [Nombre, Apellido] = [chance.pick(FIRST), chance.next() < 0.85 ? chance.pick(LAST) : '']
  const Interes = chance.weighted(INTERESTS)
  const [byMail, byTelephone] = [origen === 'email', origen === 'whatsapp' || origen === 'telefono']
  const hasMail = chance.next() < 0.7 || byMail
  const message = chance.pick(messagesOf(Interes, Estado === 'nuevo')).replace('{auto}', `${Marca} ${Modelo}`)
  return {
    Interes,
    Nombre,
    Apellido,
    Email: hasMail ? mailOf(Nombre, Apellido, chance) : '',
    Telefono: chance.next() < 0.8 || !hasMail || byTelephone ? telephone(land, chance) : null,
    DocIdentidad: null,
    Provincia: chance.next() < 0.5 ? region : null,
    Ciudad: chance.next() < 0.4 ? ciudad : null,
    Comentario: chance.next() < 0.9 ? message : null,
    InfoOperacion: wishes(Interes, land, chance),
  }
}

const mailOf = (nombre: string, apellido: string, chance: Chance): string => {
  return `${[nombre, apellido].filter(Boolean).map(fold).join('.')}${chance.between(1, 99)}@correo.example`
}

/** Telephone numbers reserved for fiction. */
const telephone = ([, , beginning]: Land, chance: Chance): string =>
  `${beginning} 555-0${String(chance.between(0, 999)).padStart(3, '0')}`

function wishes(interes: Interes, [Moneda, perDollar]: Land, chance: Chance): Interesado['InfoOperacion'] {
  if (interes === 'permuta') {
    const [Marca, Modelo, VersionYear] = chance.pick(EXCHANGED)
    return { EntregaVehiculo: { Marca, Modelo, VersionYear }, FinanciacionDeseada: null, QuiereCotizacionSeguro: null }
  }
  if (interes !== 'financiacion') return null
  const Adelanto = { Moneda, Importe: Math.round(chance.between(2, 9) * 1_000 * perDollar) }
  return {
    EntregaVehiculo: null,
    FinanciacionDeseada: { Adelanto, Cuota: null },
    QuiereCotizacionSeguro: chance.next() < 0.3 ? true : null,
  }
}
