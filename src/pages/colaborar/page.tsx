import type { Support } from '../../mail/content.ts'
import type { ReadCollaboration } from '../../resources/agencias/join.ts'
import { DeadLinkPage, type Invited, WEEK_LONG } from '../invited.tsx'

type Open = Extract<ReadCollaboration, { kind: 'open' }>

/** What a link to an agency asks for, by the role it gives. */
export const invitedTo = (token: string, { rol, agencia }: Open, support: Support): Invited => ({
  title: rol === 'administrador' ? `Administrar ${agencia.nombre}` : `Colaborar en ${agencia.nombre}`,
  meaning:
    rol === 'administrador'
      ? `Al aceptar, ${agencia.nombre} queda a su cargo: usted decide qué apps la ven y quién colabora. Quien la administra hoy (${agencia.adminMail}) deja de verla.`
      : `Como vendedor verá la agencia, sus apps y las consultas a su cargo. La administra ${agencia.adminMail}.`,
  path: `/colaborar/${token}`,
  support,
})

export const deadCollaborationPage = ({ support }: { support: Support }) => (
  <DeadLinkPage
    support={support}
    lasting={WEEK_LONG}
    ways={[
      'Si ya aceptó la invitación, entre con su correo y su clave.',
      'Si no, pida a quien administra la agencia que le invite otra vez.',
    ]}
  />
)
