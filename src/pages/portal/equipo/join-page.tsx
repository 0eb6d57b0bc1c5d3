import type { Account } from '../../../accounts/account.ts'
import type { Errors } from '../../../http/problems.ts'
import type { Support } from '../../../mail/support.ts'
import {
  DeadLinkPage,
  type Invited,
  JoinPage,
  KnownPage,
  NewcomerPage,
  type NewcomerValues,
  NotYoursPage,
} from '../../invited.tsx'
import type { ReadInvitation } from './join.ts'

type Open = Extract<ReadInvitation, { kind: 'open' }>

interface Props {
  token: string
  read: Open
  support: Support
}

const invitedBy = ({ token, read: { app, rol }, support }: Props): Invited => ({
  title: `Sumarse al equipo de ${app.nombre}`,
  meaning:
    rol === 'titular'
      ? `Como titular decide sobre las claves y el equipo de ${app.nombre}, y ve sus webhooks, entregas y eventos.`
      : `Como desarrollador ve los webhooks, las entregas y los eventos de ${app.nombre}, y prueba la API.`,
  path: `/equipo/${token}`,
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

export const joinPage = ({ account, ...props }: Props & { account: Account }) => (
  <JoinPage {...invitedBy(props)} account={account} />
)

export const notYoursPage = ({ read, support, account }: Omit<Props, 'token'> & { account: Account }) => (
  <NotYoursPage support={support} account={account} asked={read.account} />
)

export const deadInvitationPage = ({ support }: { support: Support }) => (
  <DeadLinkPage
    support={support}
    lasting="Estos enlaces valen una sola vez, durante 7 días, y uno nuevo reemplaza al anterior."
    ways={[
      'Si ya aceptó la invitación, entre con su correo y su clave.',
      'Si no, pida a quien es titular de la app que le invite otra vez.',
    ]}
  />
)
