import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface StaffInvitationLetter {
  to: string
  /** Who asks: a name or an address. */
  porQuien: string
  url: string
  /** How long the link is good. */
  dias: number
  support: Support
}

/** Somebody is asked to be of the marketplace's staff. */
export function staffLetter({ to, porQuien, url, dias, support }: StaffInvitationLetter): Letter {
  const sheet = write({
    subject: `${porQuien} le invita al personal de Rodado`,
    title: 'Súmese al personal',
    preview: `${porQuien} le dio acceso a la consola del mercado.`,
    blocks: [
      { words: 'Hola:' },
      { words: `${porQuien} le invita a trabajar en la consola del mercado.` },
      { words: 'Tenga a mano su teléfono: la cuenta se protege con una app de códigos.' },
      { button: 'Aceptar y entrar', url },
      { note: `El enlace es personal y vale una sola vez, durante ${dias} días.` },
    ],
    footer: [
      { note: 'Si no conoce a quien le invita, ignore este correo: no se le dará acceso a nada.' },
      ...supportBlocks(support),
    ],
  })
  return { kind: 'personal', to, ...sheet, oneTimeUrls: [url] }
}

export interface SecondFactorLetter {
  to: string
  nombre: string
  /** What happened to it. */
  hecho: keyof typeof FACTS
  /** Who did it, where it was another. */
  porQuien?: string
  claveUrl: string
  support: Support
}

/** What the owner hears of. */
const FACTS = {
  configurado: 'Se configuró un teléfono para el segundo paso de su cuenta. Desde ahora los códigos son los suyos.',
  telefono: 'Se quitó el teléfono del segundo paso de su cuenta, para configurar otro. Las sesiones se cerraron.',
  intentos:
    'Alguien entró con su clave y escribió varios códigos equivocados en el segundo paso. Por un rato no se aceptan más.',
  reiniciado: 'El segundo paso de su cuenta se reinició. La próxima vez que entre, configúrelo otra vez.',
  recuperacion: 'Alguien entró a su cuenta con su clave y uno de sus códigos de recuperación.',
  codigos: 'Se hicieron códigos de recuperación nuevos para su cuenta. Los anteriores ya no sirven.',
} as const

/** Tells the owner of what changed about the second factor, who may be the only one not to know. */
export function secondFactorLetter({ to, nombre, hecho, porQuien, claveUrl, support }: SecondFactorLetter): Letter {
  const sheet = write({
    subject: 'Hubo un cambio en el acceso a su cuenta de Rodado',
    title: 'Hubo un cambio en el acceso a su cuenta',
    preview: 'Si fue usted, no tiene que hacer nada.',
    blocks: [
      { words: nombre ? `Hola, ${nombre}:` : 'Hola:' },
      { words: FACTS[hecho] },
      ...(porQuien ? [{ words: `Lo hizo ${porQuien}.` }] : []),
      { words: 'Si no lo esperaba, cambie su clave cuanto antes y avise al resto del personal:' },
      { button: 'Pedir otra clave', url: claveUrl },
    ],
    footer: [{ note: 'Le avisamos de cada cambio por seguridad.' }, ...supportBlocks(support)],
  })
  return { kind: 'segundo-paso', to, ...sheet }
}
