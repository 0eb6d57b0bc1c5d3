import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface Receipt {
  to: string
  nombre: string
  agencia: string
  /** How to reach the dealership: telephone, address. */
  contacto: string[]
  auto: string
  comentario: string | null
  /** When their data is erased by itself. */
  dias: number
  /** Of the law that gives the right, where we know it. */
  ley: string | undefined
  support: Support
}

/** Tells whoever asked what was asked of whom, and what becomes of their data. It sells nothing. */
export function receiptLetter(receipt: Receipt): Letter {
  const { to, nombre, agencia, contacto, auto, comentario, dias, ley } = receipt
  const service = supportBlocks(receipt.support)
  const reachable = service.length > 0 // who has no address to give asks nobody to write to it
  const sheet = write({
    subject: `Su consulta por ${auto}`,
    title: `${agencia} recibió su consulta`,
    preview: `Por ${auto}. Le responderá directamente.`,
    blocks: [
      { words: `Hola, ${nombre}:` },
      { words: `Su consulta por ${auto} llegó a ${agencia}, que le responderá directamente.` },
      ...(comentario ? [{ quote: comentario, by: 'Usted escribió:' }] : []),
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
