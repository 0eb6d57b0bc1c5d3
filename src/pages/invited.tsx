import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Account, isNewcomer, MAIL_CHARACTERS, NAME_CHARACTERS } from '../accounts/account.ts'
import { MAX_PASSWORD } from '../accounts/password.ts'
import { withQuery } from '../http/links.ts'
import type { Errors } from '../http/problems.ts'
import { rich, t } from '../i18n/messages.tsx'
import { SignInForm } from './entrar/routes.tsx'
import { FaultList, Form, NewPassword } from './fields.tsx'
import { formRoute } from './form.ts'
import { Fields, labelsOf, nameFields } from './form-fields.tsx'
import { NarrowPage } from './layout.tsx'
import { BrandName, page } from './page.ts'
import { ButtonLink, SecondaryLink } from './parts.tsx'

/** The form of a new person: address, first name, surname and password. */
export const NEWCOMER_FORM = formRoute(MAIL_CHARACTERS + 2 * NAME_CHARACTERS + MAX_PASSWORD)

/** Why a person was not invited, wherever it was. */
export const INVITE_REFUSALS = { 'too-many': 'comun.invite.tooMany', blocked: 'comun.invite.blocked' } as const

/** An invitation by one-time link: to an agency, an app's team or the staff. */
export interface Invited {
  title: string
  /** What follows from accepting. */
  meaning: string
  /** The path of the link, and of its form. */
  path: string
}

/** What a new person fills in, beside a password. */
interface NewcomerValues {
  Nombre: string
  Apellido: string
}

interface NewcomerProps extends Invited {
  /** The address of the invitation, or a field for it. */
  email: string | ComponentChildren
  values: NewcomerValues
  errors?: Errors | undefined
  button?: string
  after?: ComponentChildren
}

/** Somebody new: a name and a password, and they are in. */
export function NewcomerPage(props: NewcomerProps) {
  const { title, meaning, path, email, values, errors, button = t('registro.invited.button'), after } = props
  return (
    <NarrowPage title={title} lead={meaning}>
      <Form
        action={path}
        class="sheet"
        button={button}
        given={{ ...values }}
        errors={errors}
        labels={labelsOf(nameFields())}
      >
        {typeof email === 'string' ? (
          <div class="field">
            <label for="correo">{t('registro.form.email')}</label>
            <input id="correo" type="email" value={email} readonly autocomplete="username" />
          </div>
        ) : (
          email
        )}
        <Fields fields={nameFields()} />
        <NewPassword label={t('registro.form.choosePassword')} />
      </Form>
      {after}
    </NarrowPage>
  )
}

/** Somebody with an account signs in first. */
export const KnownPage = ({ title, path, invitee }: Omit<Invited, 'meaning'> & { invitee: Account }) => (
  <NarrowPage title={title} visitor="signed-out" lead={rich('registro.invited.known', { marca: <BrandName /> })}>
    {invitee.viaOidc ? (
      <p>
        <ButtonLink href={withQuery('/entrar/oidc', { volver: path })}>{t('entrar.withOidc')}</ButtonLink>
      </p>
    ) : (
      <SignInForm email={invitee.email} volver={path} modo={invitee.modo} fixed />
    )}
  </NarrowPage>
)

/** Signed in: one button. */
export const JoinPage = ({
  title,
  meaning,
  path,
  account,
  errors,
}: Invited & { account: Account; errors?: Errors }) => (
  <NarrowPage title={title} visitor={account} lead={meaning}>
    <FaultList errors={errors} />
    <form method="post" action={path} class="row">
      <button type="submit">{t('registro.accept')}</button>
      <SecondaryLink href="/cuenta">{t('registro.notNow')}</SecondaryLink>
    </form>
  </NarrowPage>
)

/** Another account is signed in than the one that was invited, by its address; undefined: one of test mode. */
export const OtherAccountPage = ({ account, invited }: { account: Account; invited: string | undefined }) => (
  <NarrowPage
    title={t('registro.other.title')}
    visitor={account}
    lead={t(invited ? 'registro.other.lead' : 'registro.other.leadTest', { invited, email: account.email })}
  >
    <form method="post" action="/salir" class="row">
      <button type="submit">{t('registro.other.leave')}</button>
      <SecondaryLink href="/cuenta">{t('comun.refusal.account')}</SecondaryLink>
    </form>
  </NarrowPage>
)

interface ExpiredLinkProps {
  /** How long such links are valid; those to an agency or to an app's team for one week. */
  valid?: string
  /** What to do next. */
  steps: ComponentChildren[]
}

/** A link that was used, has expired or never existed. */
export const ExpiredLinkPage = ({ valid = t('registro.dead.week'), steps }: ExpiredLinkProps) => (
  <NarrowPage title={t('registro.dead.title')} lead={valid}>
    <ul>
      {steps.map((step, at) => (
        <li key={at}>{step}</li>
      ))}
    </ul>
    <p>
      <ButtonLink href="/entrar">{t('entrar.signIn')}</ButtonLink>
    </p>
  </NarrowPage>
)

interface OpenInvitation {
  invited: Invited
  invitee: Account
}

/** The page of an open invitation: a form for new people, one button for the signed-in invitee. */
export function showInvitation(
  reply: FastifyReply,
  { invited, invitee }: OpenInvitation,
  signedIn: Account | undefined,
): FastifyReply {
  const values = { Nombre: '', Apellido: '' }
  if (isNewcomer(invitee, signedIn))
    return page(reply, <NewcomerPage {...invited} email={invitee.email} values={values} />)
  if (!signedIn) return page(reply, <KnownPage {...invited} invitee={invitee} />)
  if (signedIn.id !== invitee.id)
    return page(reply, <OtherAccountPage account={signedIn} invited={invitee.email} />, 403)
  return page(reply, <JoinPage {...invited} account={signedIn} />)
}

export const showFaults = (
  reply: FastifyReply,
  { invited, invitee }: OpenInvitation,
  values: NewcomerValues,
  errors: Errors,
): FastifyReply => page(reply, <NewcomerPage {...invited} email={invitee.email} values={values} errors={errors} />, 400)
