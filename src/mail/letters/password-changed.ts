import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface PasswordChanged {
  to: string
  nombre?: string | null | undefined
  /** Where another one can be asked for, should it have been someone else. */
  claveUrl: string
  support: Support
}

/** Tells the owner that the password changed, who may be the only one not to know. */
export function passwordChangedLetter({ to, nombre, claveUrl, support }: PasswordChanged): Letter {
  const sheet = write({
    subject: 'La clave de su cuenta de Rodado cambió',
    title: 'La clave de su cuenta cambió',
    preview: 'Si fue usted, no tiene que hacer nada.',
    blocks: [
      { words: nombre ? `Hola, ${nombre}:` : 'Hola:' },
      { words: 'La clave de su cuenta se cambió recién y se cerraron las sesiones abiertas.' },
      { words: 'Si fue usted, no tiene que hacer nada. Si no, elija otra clave cuanto antes:' },
      { button: 'Pedir otra clave', url: claveUrl },
    ],
    footer: [{ note: 'Le avisamos de cada cambio de clave por seguridad.' }, ...supportBlocks(support)],
  })
  return { kind: 'clave-cambiada', to, ...sheet }
}
