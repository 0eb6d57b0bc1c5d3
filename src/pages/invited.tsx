import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { type Account, MAIL_CHARACTERS } from '../accounts/account.ts'
import { MAX_PASSWORD } from '../accounts/password.ts'
import type { Errors } from '../http/problems.ts'
import type { Support } from '../mail/content.ts'
import { SignInForm } from './entrar/routes.tsx'
import { FaultList, FullName, NewPassword } from './fields.tsx'
import { formRoute } from './form.ts'
import { Layout } from './layout.tsx'
import { page } from './page.ts'

const NAME_CHARACTERS = 50

/** The form of a new person: address, first name, surname and password. */
export const NEWCOMER_FORM = formRoute(MAIL_CHARACTERS + 2 * NAME_CHARACTERS + MAX_PASSWORD)

/** An invitation by one-time link: to an agency, an app's team or the staff. */
export interface Invited {
  title: string
  /** What follows from accepting. */
  meaning: ComponentChildren
  /** The path of the link, and of its form. */
  path: string
  support: Support
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
  /** Below the form. */
  after?: ComponentChildren
}

const Head = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <header class="lead">
    <h1>{title}</h1>
    {children}
  </header>
)

/** Somebody new: a name and a password, and they are in. */
export function NewcomerPage(props: NewcomerProps) {
  const { title, meaning, path, support, email, values, errors, button = 'Aceptar y entrar', after } = props
  return (
    <Layout title={errors ? `Error: ${title}` : title} visitor="unknown" support={support}>
      <div class="narrow">
        <Head title={title}>
          <p>{meaning}</p>
        </Head>
        <form method="post" action={path} class="sheet" novalidate>
          <FaultList errors={errors} labels={{ Nombre: 'Nombre', Apellido: 'Apellido' }} />
          {typeof email === 'string' ? (
            <div class="field">
              <label for="correo">Correo</label>
              <input id="correo" type="email" value={email} readonly autocomplete="username" />
            </div>
          ) : (
            email
          )}
          <FullName nombre={values.Nombre} apellido={values.Apellido} errors={errors} />
          <NewPassword label="Elija una clave" errors={errors} />
          <button type="submit">{button}</button>
        </form>
        {after}
      </div>
    </Layout>
  )
}

/** Somebody with an account signs in first. */
export const KnownPage = ({ title, path, support, invitee }: Omit<Invited, 'meaning'> & { invitee: Account }) => (
  <Layout title={title} visitor="nobody" support={support}>
    <div class="narrow">
      <Head title={title}>
        <p>Usted ya tiene una cuenta en Rodado: entre con su clave para aceptar.</p>
      </Head>
      <SignInForm email={invitee.email} volver={path} modo={invitee.modo} fixed />
    </div>
  </Layout>
)

/** Signed in: one button. */
export const JoinPage = ({
  title,
  meaning,
  path,
  support,
  account,
  errors,
}: Invited & { account: Account; errors?: Errors | undefined }) => (
  <Layout title={title} visitor={account} support={support}>
    <div class="narrow">
      <Head title={title}>
        <p>{meaning}</p>
      </Head>
      <FaultList errors={errors} />
      <form method="post" action={path} class="row">
        <button type="submit">Aceptar</button>
        <a class="button secondary" href="/cuenta">
          Ahora no
        </a>
      </form>
    </div>
  </Layout>
)

/** Another account is signed in than the one that was invited. */
export const NotYoursPage = ({
  support,
  account,
  invitee,
  why = `Llegó a ${invitee?.email}, y usted entró como ${account.email}.`,
}: {
  support: Support
  account: Account
  invitee?: Account | undefined
  why?: string
}) => (
  <Layout title="La invitación es para otra cuenta" visitor={account} support={support}>
    <div class="narrow">
      <Head title="La invitación es para otra cuenta">
        <p>{why} Salga, y abra otra vez el enlace del correo.</p>
      </Head>
      <form method="post" action="/salir">
        <button type="submit">Salir</button>
      </form>
    </div>
  </Layout>
)

/** How long a link to an agency or to an app's team is good. */
export const WEEK_LONG = 'Estos enlaces valen una sola vez, durante 7 días, y uno nuevo reemplaza al anterior.'

/** A link that was used, has expired or never was: how long such links are good, and the ways on. */
export const DeadLinkPage = ({
  support,
  lasting,
  ways,
}: {
  support: Support
  lasting: string
  ways: ComponentChildren[]
}) => (
  <Layout title="El enlace ya no sirve" visitor="unknown" support={support}>
    <div class="narrow">
      <Head title="El enlace ya no sirve">
        <p>{lasting}</p>
      </Head>
      <ul>
        {ways.map((way, at) => (
          <li key={at}>{way}</li>
        ))}
      </ul>
      <p>
        <a class="button" href="/entrar">
          Entrar
        </a>
      </p>
    </div>
  </Layout>
)

/** An open invitation, the account that it is for, and the one that is signed in. */
interface OpenInvitation {
  invited: Invited
  invitee: Account
  signedIn: Account | undefined
}

const NOTHING_YET: NewcomerValues = { Nombre: '', Apellido: '' }

/** The page of an open invitation: a form for new people, one button for the signed-in invitee. */
export function showInvitation(reply: FastifyReply, { invited, invitee, signedIn }: OpenInvitation): FastifyReply {
  if (!invitee.hasPassword) return page(reply, <NewcomerPage {...invited} email={invitee.email} values={NOTHING_YET} />)
  if (!signedIn) return page(reply, <KnownPage {...invited} invitee={invitee} />)
  if (signedIn.id !== invitee.id)
    return page(reply, <NotYoursPage support={invited.support} account={signedIn} invitee={invitee} />, 403)
  return page(reply, <JoinPage {...invited} account={signedIn} />)
}

/** The form again, with its errors and what was typed. */
export const showFaults = (
  reply: FastifyReply,
  { invited, invitee }: Pick<OpenInvitation, 'invited' | 'invitee'>,
  values: NewcomerValues,
  errors: Errors,
): FastifyReply => page(reply, <NewcomerPage {...invited} email={invitee.email} values={values} errors={errors} />, 400)
