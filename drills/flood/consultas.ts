import { createHash } from 'node:crypto'
import { consultaBody } from '../consulta-body.ts'

/** Listings, site keys used in turn, and a prefix for names, so that two clients never send for the same person. */
export interface Consultas {
  sitioKeys: string[]
  publicaciones: number[]
  prefix: string
}

const PEOPLE = 5_000

/** Complete requests, each for another person: two inquiries of one person at once would wait for each other. */
export function prepareConsultas({ sitioKeys, publicaciones, prefix }: Consultas): Buffer[] {
  return Array.from({ length: PEOPLE }, (_, at) => {
    const body = consultaOf(publicaciones[at % publicaciones.length] as number, `${prefix}${at}`)
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

/** An inquiry with a telephone number, which sends one email to the agency. */
export const consultaOf = (aviso: number, who: string): string =>
  consultaBody(aviso, {
    Apellido: who,
    Telefono: telephoneOf(who),
    Comentario: '¿Sigue disponible? Lo quiero ver el sábado a la mañana.',
  })

/** A different number for each person: inquiries with the same number would wait for each other. */
const telephoneOf = (who: string): string =>
  `+54 9 ${String(BigInt(`0x${createHash('sha256').update(who).digest('hex').slice(0, 12)}`) % 10_000_000_000n).padStart(10, '0')}`
