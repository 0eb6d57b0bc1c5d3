import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Account, MAIL_CHARACTERS, NAME_CHARACTERS } from '../accounts/account.ts'
import { MAX_PASSWORD } from '../accounts/password.ts'
import type { Errors } from '../http/problems.ts'
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
  const { title, meaning, path, email, values, errors, button = 'Aceptar y entrar', after } = props
  return (
    <NarrowPage title={title} lead={meaning} faulty={Boolean(errors)}>
      <Form action={path} class="sheet" button={button} errors={errors} labels={labelsOf(nameFields())}>
        {typeof email === 'string' ? (
          <div class="field">
            <label for="correo">Correo</label>
            <input id="correo" type="email" value={email} readonly autocomplete="username" />
          </div>
        ) : (
          email
        )}
        <Fields fields={nameFields()} given={{ ...values }} errors={errors} />
        <NewPassword label="Elija una clave" errors={errors} />
      </Form>
      {after}
    </NarrowPage>
  )
}

/** Somebody with an account signs in first. */
export const KnownPage = ({ title, path, invitee }: Omit<Invited, 'meaning'> & { invitee: Account }) => (
  <NarrowPage
    title={title}
    visitor="signed-out"
    lead={
      <>
        Usted ya tiene una cuenta en <BrandName />: entre con su clave para aceptar.
      </>
    }
  >
    <SignInForm email={invitee.email} volver={path} modo={invitee.modo} fixed />
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
      <button type="submit">Aceptar</button>
      <SecondaryLink href="/cuenta">Ahora no</SecondaryLink>
    </form>
  </NarrowPage>
)

/** Another account is signed in than the one that was invited, by its address; undefined: one of test mode. */
export const NotYoursPage = ({ account, invited }: { account: Account; invited: string | undefined }) => (
  <NarrowPage
    title="La invitación es para otra cuenta"
    visitor={account}
    lead={`${
      invited
        ? `Llegó a ${invited}, y usted entró como ${account.email}.`
        : `Usted entró como ${account.email}, que es una cuenta de prueba.`
    } Salga, y abra otra vez el enlace del correo.`}
  >
    <form method="post" action="/salir" class="row">
      <button type="submit">Salir</button>
      <SecondaryLink href="/cuenta">Ir a mi cuenta</SecondaryLink>
    </form>
  </NarrowPage>
)

/** How long a link to an agency or to an app's team is good. */
const ONE_WEEK = 'Estos enlaces valen una sola vez, durante 7 días, y uno nuevo reemplaza al anterior.'

/** A link that was used, has expired or never existed: how long such links are valid, and what to do next. */
export const DeadLinkPage = ({ valid = ONE_WEEK, steps }: { valid?: string; steps: ComponentChildren[] }) => (
  <NarrowPage title="El enlace ya no sirve" lead={valid}>
    <ul>
      {steps.map((step, at) => (
        <li key={at}>{step}</li>
      ))}
    </ul>
    <p>
      <ButtonLink href="/entrar">Entrar</ButtonLink>
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
  if (!invitee.hasPassword) return page(reply, <NewcomerPage {...invited} email={invitee.email} values={values} />)
  if (!signedIn) return page(reply, <KnownPage {...invited} invitee={invitee} />)
  if (signedIn.id !== invitee.id) return page(reply, <NotYoursPage account={signedIn} invited={invitee.email} />, 403)
  return page(reply, <JoinPage {...invited} account={signedIn} />)
}

export const showFaults = (
  reply: FastifyReply,
  { invited, invitee }: OpenInvitation,
  values: NewcomerValues,
  errors: Errors,
): FastifyReply => page(reply, <NewcomerPage {...invited} email={invitee.email} values={values} errors={errors} />, 400)
