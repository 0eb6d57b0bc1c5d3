import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface PasswordReset {
  to: string
  /** The person's first name. */
  nombre?: string | null | undefined
  url: string
  /** How long the link is good. */
  horas: number
  support: Support
}

/** The link with which someone who forgot the password chooses another. */
export function passwordLetter({ to, nombre, url, horas, support }: PasswordReset): Letter {
  const time = horas === 1 ? 'una hora' : `${horas} horas`
  const sheet = write({
    subject: 'Elija una nueva clave para su cuenta de Rodado',
    title: 'Elija una nueva clave',
    preview: `El enlace vale una sola vez, durante ${time}.`,
    blocks: [
      { words: nombre ? `Hola, ${nombre}:` : 'Hola:' },
      { words: 'Nos pidieron cambiar la clave de su cuenta. Si fue usted, elija la nueva aquí:' },
      { button: 'Elegir una nueva clave', url },
      { note: `El enlace vale una sola vez, durante ${time}. Al usarlo se cierran las sesiones abiertas.` },
    ],
    footer: [
      { note: 'Si no fue usted, ignore este correo: su clave sigue siendo la misma.' },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'clave', to, ...sheet, oneTimeUrls: [url] }
}
