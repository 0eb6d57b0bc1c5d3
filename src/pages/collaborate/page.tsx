import type { Account } from '../../accounts/account.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import type { ReadCollaboration } from '../../resources/agencias/join.ts'
import {
  DeadLinkPage,
  type Invited,
  JoinPage,
  KnownPage,
  NewcomerPage,
  type NewcomerValues,
  NotYoursPage,
} from '../invited.tsx'

type Open = Extract<ReadCollaboration, { kind: 'open' }>

interface Props {
  token: string
  read: Open
  support: Support
}

const invitedBy = ({ token, read: { rol, agencia }, support }: Props): Invited => ({
  title: rol === 'administrador' ? `Administrar ${agencia.nombre}` : `Colaborar en ${agencia.nombre}`,
  meaning:
    rol === 'administrador'
      ? `Al aceptar, ${agencia.nombre} queda a su cargo: usted decide qué apps la ven y quién colabora. Quien la administra hoy (${agencia.adminMail}) deja de verla.`
      : `Como vendedor verá la agencia, sus apps y las consultas a su cargo. La administra ${agencia.adminMail}.`,
  path: `/colaborar/${token}`,
  support,
})

export const newcomerPage = ({
  values,
  errors,
  ...props
}: Props & { values: NewcomerValues; errors?: Errors | undefined }) => (
  <NewcomerPage {...invitedBy(props)} email={props.read.account.email} values={values} errors={errors} />
)

export const knownPage = (props: Props) => <KnownPage {...invitedBy(props)} asked={props.read.account} />

export const joinPage = ({ account, errors, ...props }: Props & { account: Account; errors?: Errors | undefined }) => (
  <JoinPage {...invitedBy(props)} account={account} errors={errors} />
)

export const notYoursPage = ({ read, support, account }: Omit<Props, 'token'> & { account: Account }) => (
  <NotYoursPage support={support} account={account} asked={read.account} />
)

export const deadCollaborationPage = ({ support }: { support: Support }) => (
  <DeadLinkPage
    support={support}
    lasting="Estos enlaces valen una sola vez, durante 7 días, y uno nuevo reemplaza al anterior."
    ways={[
      'Si ya aceptó la invitación, entre con su correo y su clave.',
      'Si no, pida a quien administra la agencia que le invite otra vez.',
    ]}
  />
)
