import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface TeamInvitation {
  to: string
  app: string
  /** Who asks: a name or an address. */
  porQuien: string
  url: string
  /** How long the link is good. */
  dias: number
  support: Support
}

/** Somebody is asked to work on a partner's app. */
export function teamLetter({ to, app, porQuien, url, dias, support }: TeamInvitation): Letter {
  const sheet = write({
    subject: `${porQuien} le invita al equipo de ${app}`,
    title: `Súmese al equipo de ${app}`,
    preview: `${porQuien} le dio acceso a la app en el portal de Rodado.`,
    blocks: [
      { words: 'Hola:' },
      {
        words: `${porQuien} le invita a trabajar con ${app} en el portal de Rodado: sus webhooks, sus entregas y sus eventos.`,
      },
      { button: 'Aceptar y entrar', url },
      { note: `El enlace es personal y vale una sola vez, durante ${dias} días.` },
    ],
    footer: [
      { note: 'Si no conoce a quien le invita, ignore este correo: no se le agregará a ningún equipo.' },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'equipo', to, ...sheet, oneTimeUrls: [url] }
}
