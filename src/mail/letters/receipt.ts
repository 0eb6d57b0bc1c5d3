import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

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
export function receiptLetter(receipt: Receipt): Letter {
  const { to, agencia, contacto, auto, dia, dias, ley } = receipt
  const service = supportBlocks(receipt.support)
  const reachable = service.length > 0 // who has no address to give asks nobody to write to it
  const sheet = write({
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
