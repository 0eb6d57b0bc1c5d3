import type { Letter } from '../letter.ts'
import type { Block } from '../sheet.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

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
export function inquiryLetter(inquiry: Inquiry): Letter {
  const { to, agencia, auto, datos, nombre, email, comentario, detalles, repite, url, support } = inquiry
  const sheet = write({
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
