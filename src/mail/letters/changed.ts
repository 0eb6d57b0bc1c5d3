import type { Letter } from '../letter.ts'
import type { Change } from '../sheet.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface Changed {
  to: string
  agencia: string
  /** The app that made the change. */
  app: string
  cambios: Change[]
  cuentaUrl: string
  support: Support
}

/** Tells the administrator what an app changed in the agency's data. */
export function changedLetter({ to, agencia, app, cambios, cuentaUrl, support }: Changed): Letter {
  const sheet = write({
    subject: `${app} cambió datos de ${agencia}`,
    title: `${app} cambió datos de ${agencia}`,
    preview: cambios.map(({ campo }) => campo).join(', '),
    blocks: [
      { words: 'Hola:' },
      { words: `La app ${app}, que tiene permiso para editar su agencia, hizo estos cambios:` },
      { changes: cambios },
      { words: 'Si son correctos, no tiene que hacer nada. Si no, desde su cuenta puede quitarle el acceso:' },
      { button: 'Ver mi cuenta', url: cuentaUrl },
    ],
    footer: [
      { note: 'Le avisamos de cada cambio que una app hace en los datos de su agencia.' },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'agencia-modificada', to, ...sheet }
}
