import { type Block, type Support, supportBlocks } from '../content.ts'
import type { Email } from '../email.ts'
import { renderEmail } from '../layout.tsx'

export interface Inquiry {
  to: string
  agencia: string
  /** The car as people call it. */
  auto: string
  /** What else is known of it: price, mileage, the dealership's own numbers. */
  datos: string[]
  /** Who asks. */
  nombre: string
  email: string
  telefono: string | null
  comentario: string | null
  /** What else they said: part exchange, financing, where they live. */
  detalles: string[]
  /** Whether they asked about the same car within a day before. */
  repite: boolean
  /** The inquiry in the account. */
  url: string
  support: Support
}

/** Somebody asks about a car: whoever is responsible at the dealership answers by answering this letter. */
export function inquiryEmail(inquiry: Inquiry): Email {
  const { to, agencia, auto, datos, nombre, email, comentario, detalles, repite, url, support } = inquiry
  const sheet = renderEmail({
    subject: `Consulta por ${auto}: ${nombre}`,
    title: `${nombre} consulta por ${auto}`,
    preview: comentario ?? `Una consulta para ${agencia}.`,
    blocks: [
      ...(repite ? [{ words: 'Ya había consultado por este auto en las últimas 24 horas.' }] : []),
      ...(comentario ? [{ quote: comentario, by: `Mensaje de ${nombre}:` }] : []),
      ...(detalles.length > 0 ? [{ list: detalles }] : []),
      { heading: 'Cómo responder' },
      ...answering(inquiry),
      { heading: 'El auto' },
      { list: [auto, ...datos] },
      { button: 'Ver la consulta en mi cuenta', url },
    ],
    footer: [
      { note: `Recibe este correo porque está a cargo de consultas de ${agencia} en Rodado.` },
      { note: `Los datos de ${nombre} son para responder esta consulta y no para otra cosa.` },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'consulta', to, ...sheet, ...(email && { replyTo: email }) }
}

function answering({ nombre, email, telefono }: Inquiry): Block[] {
  return [
    ...(email
      ? [
          { words: `Responda a este correo: le llega a ${nombre}.` },
          { link: `Escribir a ${nombre}`, url: `mailto:${encodeURIComponent(email).replace('%40', '@')}` },
        ]
      : [{ words: `${nombre} no dejó un correo: llame o escriba a su teléfono.` }]),
    ...(telefono ? [{ link: `Llamar al ${telefono}`, url: `tel:${telefono.replace(/[^\d+]/g, '')}` }] : []),
    ...(telefono?.startsWith('+')
      ? [{ link: 'Escribir por WhatsApp', url: `https://wa.me/${telefono.replace(/\D/g, '')}` }]
      : []),
  ]
}

export interface Receipt {
  to: string
  agencia: string
  /** How to reach the dealership: telephone, address. */
  contacto: string[]
  auto: string
  /** The day it was made, as people read it. */
  dia: string
  /** When their data is erased by itself. */
  dias: number
  /** Of the law that gives the right, where we know it. */
  ley: string | undefined
  support: Support
}

/**
 * Tells a person which car they asked about and what becomes of their data. It holds nothing they typed: anybody can
 * type anybody's address, and would have us send their message there.
 */
export function receiptEmail(receipt: Receipt): Email {
  const { to, agencia, contacto, auto, dia, dias, ley } = receipt
  const service = supportBlocks(receipt.support)
  const reachable = service.length > 0 // who has no address to give asks nobody to write to it
  const sheet = renderEmail({
    subject: `Su consulta por ${auto}`,
    title: `${agencia} recibió su consulta`,
    preview: `Por ${auto}. Le responderá directamente.`,
    blocks: [
      { words: 'Hola:' },
      { words: `${agencia} recibió su consulta del ${dia} por ${auto} y le responderá directamente.` },
      ...(contacto.length > 0 ? [{ words: `Si prefiere, puede comunicarse con ${agencia}:` }, { list: contacto }] : []),
      { heading: 'Sus datos' },
      {
        words: `Los tienen ${agencia}, para responderle, y Rodado, que se los hizo llegar. No se usan para publicidad y en Rodado se borran solos a los ${dias} días.`,
      },
      {
        words: `Puede pedir cuando quiera que se corrijan o se borren antes, ${reachable ? 'en atención al cliente de Rodado o ' : ''}en ${agencia}.${ley ? ` ${ley}` : ''}`,
      },
    ],
    footer: [
      {
        note: `Recibe este correo porque alguien hizo una consulta con esta dirección. Si no fue usted, ${reachable ? 'avísenos y borramos los datos' : `avise a ${agencia}`}.`,
      },
      ...service,
    ],
  })
  return { kind: 'consulta-recibo', to, ...sheet }
}
