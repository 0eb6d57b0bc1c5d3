import type { Letter } from '../letter.ts'
import { type Support, supportBlocks } from '../support.ts'
import { write } from '../write.tsx'

export interface Invitation {
  to: string
  invitacionId: number
  /** The app that invites. */
  invita: string
  /** The agency's name, as the app gave it. */
  nombre?: string | null | undefined
  /** The person's first name, as the app gave it. */
  adminNombre?: string | null | undefined
  /** The app's own words, quoted as plain text. */
  mensaje?: string | null | undefined
  registroUrl: string
  bajaUrl: string
  /** The day it ends, as people write it. */
  vence: string
  support: Support
}

/** An app asks someone to register their dealership. */
export function invitationLetter(invitation: Invitation): Letter {
  const { to, invitacionId, invita, nombre, adminNombre, mensaje, registroUrl, bajaUrl, vence, support } = invitation
  const agencia = nombre || 'su agencia'
  const sheet = write({
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
    footer: [
      { note: `Recibe este correo porque ${invita} indicó esta dirección. Si no lo esperaba, puede ignorarlo.` },
      ...supportBlocks(support),
      { link: 'No recibir más invitaciones', url: bajaUrl },
    ],
  })
  return { kind: 'invitacion', to, ...sheet, invitacionId, unsubscribeUrl: bajaUrl, oneTimeUrls: [registroUrl] }
}
