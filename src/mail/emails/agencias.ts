import type { Change, Recipient } from '../content.ts'
import type { Email } from '../email.ts'
import { renderEmail } from '../layout.tsx'

export interface Invitation extends Recipient {
  invitacionId: number
  /** The app that invites. */
  invita: string
  /** The agency's name, as the app gave it. */
  nombre?: string | null | undefined
  /** The person's first name, as the app gave it. */
  adminNombre?: string | null | undefined
  /** Quoted as plain text. */
  mensaje?: string | null | undefined
  registroUrl: string
  bajaUrl: string
  /** The day it expires, formatted. */
  vence: string
}

/** An app invites a person to register their dealership. */
export function invitationEmail(invitation: Invitation): Email {
  const { to, invitacionId, invita, nombre, adminNombre, mensaje, registroUrl, bajaUrl, vence, support } = invitation
  const agencia = nombre || 'su agencia'
  return renderEmail({
    kind: 'invitacion',
    to,
    invitacionId,
    unsubscribeUrl: bajaUrl,
    oneTimeUrls: [registroUrl],
    subject: `${invita} le invita a registrar ${agencia} en Rodado`,
    title: `${invita} le invita a registrar ${agencia}`,
    preview: `Con el registro, ${invita} podrá trabajar con los datos y las consultas de su agencia. Vence el ${vence}.`,
    blocks: [
      { words: adminNombre ? `Hola, ${adminNombre}:` : 'Hola:' },
      {
        words: `${invita} se conecta con Rodado, el mercado de vehículos, y quiere trabajar con ${agencia}. Para eso hace falta que la registre, lo que toma unos minutos.`,
      },
      ...(mensaje?.trim() ? [{ quote: mensaje, by: `Mensaje de ${invita}:` }] : []),
      { button: 'Registrar la agencia', url: registroUrl },
      { heading: 'Qué significa' },
      {
        list: [
          'La agencia tendrá su propia cuenta, que administra usted.',
          `${invita} podrá ver y editar los datos de la agencia. Le avisaremos de cada cambio.`,
          'Desde su cuenta puede quitarle el acceso cuando quiera.',
        ],
      },
      { note: `La invitación es personal y vence el ${vence}. Mientras no se registre, no se crea ninguna cuenta.` },
    ],
    footer: [`Recibe este correo porque ${invita} indicó esta dirección. Si no lo esperaba, puede ignorarlo.`],
    support,
  })
}

export interface Changed extends Recipient {
  agencia: string
  /** The app that made the change. */
  app: string
  cambios: Change[]
  cuentaUrl: string
}

/** Tells the administrator what an app changed in the agency's data. */
export function changedEmail({ to, agencia, app, cambios, cuentaUrl, support }: Changed): Email {
  return renderEmail({
    kind: 'agencia-modificada',
    to,
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
    footer: ['Le avisamos de cada cambio que una app hace en los datos de su agencia.'],
    support,
  })
}

export interface NewAdministrator extends Recipient {
  agencia: string
  /** Who decided: a name, an address, or the marketplace. */
  porQuien: string
  /** The account page, or the one-time link with which a new person chooses a password. */
  url: string
  oneTime: boolean
}

/** Tells a person that they now administer an agency. */
export function administratorEmail({ to, agencia, porQuien, url, oneTime, support }: NewAdministrator): Email {
  return renderEmail({
    kind: 'administrador',
    to,
    ...(oneTime && { oneTimeUrls: [url] }),
    subject: `Usted administra ${agencia} en Rodado`,
    title: `Usted administra ${agencia}`,
    preview: `${porQuien} puso la agencia a su cargo.`,
    blocks: [
      { words: 'Hola:' },
      {
        words: `${porQuien} puso ${agencia} a su cargo en Rodado. Desde su cuenta verá la agencia y las apps asociadas.`,
      },
      { button: oneTime ? 'Elegir una clave y entrar' : 'Ver mi cuenta', url },
    ],
    footer: ['Si cree que se trata de un error, avise a atención al cliente.'],
    support,
  })
}

export interface ReplacedAdministrator extends Recipient {
  agencia: string
  /** The new administrator's address. */
  nuevo: string
}

/** Tells the former administrator. */
export function replacedEmail({ to, agencia, nuevo, support }: ReplacedAdministrator): Email {
  return renderEmail({
    kind: 'administrador-reemplazado',
    to,
    subject: `Otra persona administra ${agencia} en Rodado`,
    title: `Otra persona administra ${agencia}`,
    preview: `Desde ahora la administra ${nuevo}.`,
    blocks: [
      { words: 'Hola:' },
      { words: `Desde ahora ${agencia} está a cargo de ${nuevo}. Usted ya no la administra.` },
      {
        words: 'Durante 90 días las apps asociadas seguirán encontrando la agencia también por la dirección anterior.',
      },
    ],
    footer: ['Si no fue usted y no lo esperaba, avise cuanto antes a atención al cliente.'],
    support,
  })
}
