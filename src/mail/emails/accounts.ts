import type { Recipient } from '../content.ts'
import type { Email } from '../email.ts'
import { renderEmail } from '../layout.tsx'

export interface PasswordReset extends Recipient {
  nombre?: string | null | undefined
  url: string
  horas: number
}

/** The link to choose a new password. */
export function passwordEmail({ to, nombre, url, horas, support }: PasswordReset): Email {
  const time = horas === 1 ? 'una hora' : `${horas} horas`
  return renderEmail({
    kind: 'clave',
    to,
    oneTimeUrls: [url],
    subject: 'Elija una nueva clave para su cuenta de Rodado',
    title: 'Elija una nueva clave',
    preview: `El enlace vale una sola vez, durante ${time}.`,
    blocks: [
      { words: nombre ? `Hola, ${nombre}:` : 'Hola:' },
      { words: 'Nos pidieron cambiar la clave de su cuenta. Si fue usted, elija la nueva aquí:' },
      { button: 'Elegir una nueva clave', url },
      { note: `El enlace vale una sola vez, durante ${time}. Al usarlo se cierran las sesiones abiertas.` },
    ],
    footer: ['Si no fue usted, ignore este correo: su clave sigue siendo la misma.'],
    support,
  })
}

export interface PasswordChanged extends Recipient {
  nombre?: string | null | undefined
  /** Where to request another one, if it was someone else. */
  claveUrl: string
}

/** Tells the owner that the password changed. */
export function passwordChangedEmail({ to, nombre, claveUrl, support }: PasswordChanged): Email {
  return renderEmail({
    kind: 'clave-cambiada',
    to,
    subject: 'La clave de su cuenta de Rodado cambió',
    title: 'La clave de su cuenta cambió',
    preview: 'Si fue usted, no tiene que hacer nada.',
    blocks: [
      { words: nombre ? `Hola, ${nombre}:` : 'Hola:' },
      { words: 'La clave de su cuenta se cambió recién y se cerraron las sesiones abiertas.' },
      { words: 'Si fue usted, no tiene que hacer nada. Si no, elija otra clave cuanto antes:' },
      { button: 'Pedir otra clave', url: claveUrl },
    ],
    footer: ['Le avisamos de cada cambio de clave por seguridad.'],
    support,
  })
}

export interface Collaboration extends Recipient {
  agencia: string
  /** Who invites: a name or an address. */
  porQuien: string
  url: string
  horas: number
}

/** Invites a person to work in an agency. */
export function collaboratorEmail({ to, agencia, porQuien, url, horas, support }: Collaboration): Email {
  const time = horas % 24 === 0 && horas > 24 ? `${horas / 24} días` : `${horas} horas`
  return renderEmail({
    kind: 'colaborar',
    to,
    oneTimeUrls: [url],
    subject: `${porQuien} le invita a colaborar en ${agencia}`,
    title: `Colabore en ${agencia}`,
    preview: `${porQuien} le dio acceso a la agencia en Rodado.`,
    blocks: [
      { words: 'Hola:' },
      { words: `${porQuien} administra ${agencia} en Rodado y le invita a colaborar en la agencia.` },
      { button: 'Aceptar y entrar', url },
      { note: `El enlace es personal y vale una sola vez, durante ${time}.` },
    ],
    footer: ['Si no conoce a quien le invita, ignore este correo: no se le agregará a ninguna agencia.'],
    support,
  })
}

export interface TeamInvitation extends Recipient {
  app: string
  /** Who invites: a name or an address. */
  porQuien: string
  url: string
  dias: number
}

/** Invites a person to an app's team. */
export function teamEmail({ to, app, porQuien, url, dias, support }: TeamInvitation): Email {
  return renderEmail({
    kind: 'equipo',
    to,
    oneTimeUrls: [url],
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
    footer: ['Si no conoce a quien le invita, ignore este correo: no se le agregará a ningún equipo.'],
    support,
  })
}

export interface StaffInvitation extends Recipient {
  /** Who invites: a name or an address. */
  porQuien: string
  url: string
  dias: number
}

/** Invites a person to the marketplace's staff. */
export function staffEmail({ to, porQuien, url, dias, support }: StaffInvitation): Email {
  return renderEmail({
    kind: 'personal',
    to,
    oneTimeUrls: [url],
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
    footer: ['Si no conoce a quien le invita, ignore este correo: no se le dará acceso a nada.'],
    support,
  })
}

export interface SecondFactorChange extends Recipient {
  nombre: string
  hecho: keyof typeof FACTS
  /** Who did it, if it was not the owner. */
  porQuien?: string
  claveUrl: string
}

const FACTS = {
  configurado: 'Se configuró un teléfono para el segundo paso de su cuenta. Desde ahora los códigos son los suyos.',
  telefono: 'Se quitó el teléfono del segundo paso de su cuenta, para configurar otro. Las sesiones se cerraron.',
  intentos:
    'Alguien entró con su clave y escribió varios códigos equivocados en el segundo paso. Por un rato no se aceptan más.',
  reiniciado: 'El segundo paso de su cuenta se reinició. La próxima vez que entre, configúrelo otra vez.',
  recuperacion: 'Alguien entró a su cuenta con su clave y uno de sus códigos de recuperación.',
  codigos: 'Se hicieron códigos de recuperación nuevos para su cuenta. Los anteriores ya no sirven.',
} as const

/** Tells the owner about a change of the second factor. */
export function secondFactorEmail({ to, nombre, hecho, porQuien, claveUrl, support }: SecondFactorChange): Email {
  return renderEmail({
    kind: 'segundo-paso',
    to,
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
    footer: ['Le avisamos de cada cambio por seguridad.'],
    support,
  })
}
