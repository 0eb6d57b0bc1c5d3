import type { Account } from '../../accounts/account.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/content.ts'
import { Field } from '../fields.tsx'
import { DeadLinkPage, type Invited, JoinPage, KnownPage, NewcomerPage, NotYoursPage } from '../invited.tsx'

interface Props {
  token: string
  support: Support
}

export interface NewcomerValues {
  Email: string
  Nombre: string
  Apellido: string
}

const MEANING =
  'El personal ve y hace todo en el mercado: apps, agencias, consultas, avisos y entregas. Cada acto queda en el registro de auditoría.'

const invited = ({ token, support }: Props): Invited => ({
  title: 'Sumarse al personal',
  meaning: MEANING,
  path: `/personal/${token}`,
  support,
})

type NewcomerProps = Props & {
  /** The invited account; the first member of the staff has no invitation and fills in an address. */
  invitee: Account | undefined
  values: NewcomerValues
  errors?: Errors | undefined
}

/** Somebody new: a name and a password; the second factor comes next. */
export const newcomerPage = ({ token, support, invitee, values, errors }: NewcomerProps) =>
  invitee ? (
    <NewcomerPage
      {...invited({ token, support })}
      email={invitee.email}
      values={values}
      errors={errors}
      button="Continuar"
    />
  ) : (
    <NewcomerPage
      {...invited({ token, support })}
      title="Empiece por su cuenta"
      meaning={`Este Rodado todavía no tiene quien lo dirija. La primera cuenta del personal es la suya. ${MEANING}`}
      email={<OwnAddress value={values.Email} errors={errors} />}
      values={values}
      errors={errors}
      button="Continuar"
      after={
        <p class="hint after">
          ¿Ya tiene una cuenta en Rodado? <a href={`/entrar?volver=/personal/${token}`}>Entre con ella</a>.
        </p>
      }
    />
  )

const OwnAddress = ({ value, errors }: { value: string; errors: Errors | undefined }) => (
  <Field
    name="Email"
    label="Correo"
    value={value}
    errors={errors}
    more={{ type: 'email', autocomplete: 'username', inputmode: 'email', autocapitalize: 'none', maxlength: 254 }}
  />
)

export const knownPage = ({ invitee, ...props }: Props & { invitee: Account }) => (
  <KnownPage {...invited(props)} invitee={invitee} />
)

export const joinPage = ({ account, ...props }: Props & { account: Account }) => (
  <JoinPage {...invited(props)} meaning={`Con su cuenta ${account.email}. ${MEANING}`} account={account} />
)

export const notYoursPage = ({
  support,
  account,
  invitee,
}: Omit<Props, 'token'> & { account: Account; invitee?: Account }) => (
  <NotYoursPage
    support={support}
    account={account}
    invitee={invitee}
    {...(!invitee && { why: `Usted entró como ${account.email}, que es una cuenta de prueba.` })}
  />
)

export const deadInvitationPage = ({ support }: Omit<Props, 'token'>) => (
  <DeadLinkPage
    support={support}
    lasting="Estos enlaces valen una sola vez y por poco tiempo."
    ways={[
      'Si ya se sumó al personal, entre con su correo y su clave.',
      'Si no, pida a alguien del personal que le invite otra vez.',
      <>
        Si todavía no hay nadie, reinicie el servidor: muestra un enlace nuevo. También sirve{' '}
        <code>rodado user create</code>.
      </>,
    ]}
  />
)
