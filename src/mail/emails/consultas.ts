import type { Block, Recipient } from '../content.ts'
import type { Email } from '../email.ts'
import { renderEmail } from '../layout.tsx'

export interface Inquiry extends Recipient {
  agencia: string
  auto: string
  /** Price, mileage, the dealership's own numbers. */
  datos: string[]
  nombre: string
  email: string
  telefono: string | null
  comentario: string | null
  /** Part exchange, financing, where they live. */
  detalles: string[]
  /** True if they asked about the same car within the last day. */
  repite: boolean
  /** The inquiry's page in the account. */
  url: string
}

/** An inquiry about a car. The dealership answers by replying to this email. */
export function inquiryEmail(inquiry: Inquiry): Email {
  const { to, agencia, auto, datos, nombre, email, comentario, detalles, repite, url, support } = inquiry
  return renderEmail({
    kind: 'consulta',
    to,
    ...(email && { replyTo: email }),
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
      `Recibe este correo porque está a cargo de consultas de ${agencia} en Rodado.`,
      `Los datos de ${nombre} son para responder esta consulta y no para otra cosa.`,
    ],
    support,
  })
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

export interface Receipt extends Recipient {
  agencia: string
  /** How to reach the dealership: telephone, address. */
  contacto: string[]
  auto: string
  /** The day of the inquiry, formatted. */
  dia: string
  /** Days until their data is erased. */
  dias: number
  /** The law that grants the right, if we know it. */
  ley: string | undefined
}

/**
 * Confirms an inquiry to its sender and says what happens to their data. It contains nothing they typed, because anybody
 * can enter another person's address.
 */
export function receiptEmail(receipt: Receipt): Email {
  const { to, agencia, contacto, auto, dia, dias, ley, support } = receipt
  const reachable = Boolean(support.url || support.mail)
  return renderEmail({
    kind: 'consulta-recibo',
    to,
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
      `Recibe este correo porque alguien hizo una consulta con esta dirección. Si no fue usted, ${reachable ? 'avísenos y borramos los datos' : `avise a ${agencia}`}.`,
    ],
    support,
  })
}
