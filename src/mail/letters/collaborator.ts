import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface Collaboration {
  to: string
  agencia: string
  /** Who asks: a name or an address. */
  porQuien: string
  url: string
  /** How long the link is good. */
  horas: number
  support: Support
}

/** An agency's administrator asks someone to work in it. */
export function collaboratorLetter({ to, agencia, porQuien, url, horas, support }: Collaboration): Letter {
  const time = horas % 24 === 0 && horas > 24 ? `${horas / 24} días` : `${horas} horas`
  const sheet = write({
    subject: `${porQuien} le invita a colaborar en ${agencia}`,
    title: `Colabore en ${agencia}`,
    preview: `${porQuien} le dio acceso a la agencia en Rodado.`,
    blocks: [
      { words: 'Hola:' },
      { words: `${porQuien} administra ${agencia} en Rodado y le invita a colaborar en la agencia.` },
      { button: 'Aceptar y entrar', url },
      { note: `El enlace es personal y vale una sola vez, durante ${time}.` },
    ],
    footer: [
      { note: 'Si no conoce a quien le invita, ignore este correo: no se le agregará a ninguna agencia.' },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'colaborar', to, ...sheet, oneTimeUrls: [url] }
}
