import { createHash } from 'node:crypto'

/** What is asked about, with whose keys in turn, and under which name: two clients never speak for the same people. */
export interface Inquiries {
  sitioKeys: string[]
  avisos: number[]
  deps: string
}

const PEOPLE = 5_000

/** Whole requests, made beforehand: each of another person, since whoever asks twice at once waits for himself. */
export function prepareInquiries({ sitioKeys, avisos, deps }: Inquiries): Buffer[] {
  return Array.from({ length: PEOPLE }, (_, at) => {
    const body = inquiryOf(avisos[at % avisos.length] as number, `${deps}${at}`)
    const head = [
      'POST /interno/v1/consultas HTTP/1.1',
      'host: 127.0.0.1',
      `authorization: Bearer ${sitioKeys[at % sitioKeys.length]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

/** The inquiry of somebody who leaves a telephone: one letter, to the agency. */
export const inquiryOf = (aviso: number, who: string): string =>
  JSON.stringify({
    Aviso: aviso,
    OrigenLead: 'form',
    Interesado: {
      Interes: 'compra',
      Nombre: 'Lucía',
      Apellido: who,
      Telefono: telephoneOf(who),
      Comentario: '¿Sigue disponible? Lo quiero ver el sábado a la mañana.',
    },
  })

/** Another for everybody: whoever asks twice about the same, and is one by it, waits for himself. */
const telephoneOf = (who: string): string =>
  `+54 9 ${String(BigInt(`0x${createHash('sha256').update(who).digest('hex').slice(0, 12)}`) % 10_000_000_000n).padStart(10, '0')}`
