import type { Interes } from '../../resources/consultas/person.ts'

/** First names. */
export const FIRST = [
  'Lucía',
  'Martín',
  'Sofía',
  'Juan',
  'Valentina',
  'Federico',
  'Camila',
  'Nicolás',
  'Florencia',
  'Diego',
  'Agustina',
  'Matías',
  'Carolina',
  'Sebastián',
  'Micaela',
  'Gonzalo',
  'Paula',
  'Leandro',
  'Silvia',
  'Hugo',
  'Mónica',
  'Raúl',
  'Graciela',
  'Walter',
  'Noelia',
  'Ezequiel',
  'Romina',
  'Gabriel',
  'Daniela',
  'Cristian',
] as const

export const LAST = [
  'Ferreyra',
  'González',
  'Rodríguez',
  'Gómez',
  'Fernández',
  'López',
  'Díaz',
  'Martínez',
  'Pérez',
  'Romero',
  'Sosa',
  'Álvarez',
  'Torres',
  'Ruiz',
  'Ramírez',
  'Benítez',
  'Acosta',
  'Medina',
  'Herrera',
  'Aguirre',
  'Giménez',
  'Molina',
  'Castro',
  'Ortiz',
  'Silva',
  'Núñez',
  'Luna',
  'Cabrera',
  'Ríos',
  'Peralta',
] as const

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
export const messagesOf = (interes: Interes, isNew: boolean): readonly string[] =>
  WANTING[interes] ?? [...OF_ANY, ...(isNew ? OF_NEW : OF_USED)]

/** Cars offered in part exchange. */
export const EXCHANGED = [
  ['Volkswagen', 'Gol', 2013],
  ['Chevrolet', 'Corsa', 2010],
  ['Renault', 'Clio', 2012],
  ['Fiat', 'Palio', 2014],
  ['Ford', 'Fiesta', 2011],
  ['Peugeot', '207', 2012],
] as const
