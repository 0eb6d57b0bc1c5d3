import type { Support } from '../../mail/content.ts'
import { DeadLinkPage, type Invited, WEEK_LONG } from '../invited.tsx'
import type { ReadInvitation } from './join.ts'

type Open = Extract<ReadInvitation, { kind: 'open' }>

/** What a link to an app's team asks for, by the role it gives. */
export const invitedTo = (token: string, { app, rol }: Open, support: Support): Invited => ({
  title: `Sumarse al equipo de ${app.nombre}`,
  meaning:
    rol === 'titular'
      ? `Como titular decide sobre las claves y el equipo de ${app.nombre}, y ve sus webhooks, entregas y eventos.`
      : `Como desarrollador ve los webhooks, las entregas y los eventos de ${app.nombre}, y prueba la API.`,
  path: `/equipo/${token}`,
  support,
})

export const deadInvitationPage = ({ support }: { support: Support }) => (
  <DeadLinkPage
    support={support}
    lasting={WEEK_LONG}
    ways={[
      'Si ya aceptó la invitación, entre con su correo y su clave.',
      'Si no, pida a quien es titular de la app que le invite otra vez.',
    ]}
  />
)
