import type { Account } from '../../../accounts/account.ts'
import type { Errors } from '../../../http/problems.ts'
import type { Support } from '../../../mail/support.ts'
import { FaultList, Field } from '../../fields.tsx'
import { Layout } from '../../layout.tsx'
import { SignInForm } from '../../sign-in/page.tsx'
import { PASSWORD_RULE } from '../../sign-in/password-page.tsx'
import type { ReadInvitation } from './join.ts'

type Open = Extract<ReadInvitation, { kind: 'open' }>

interface Props {
  token: string
  read: Open
  support: Support
}

const titleOf = ({ app }: Open) => `Sumarse al equipo de ${app.nombre}`

const meaningOf = ({ app, rol }: Open) =>
  rol === 'titular'
    ? `Como titular decide sobre las claves y el equipo de ${app.nombre}, y ve sus webhooks, entregas y eventos.`
    : `Como desarrollador ve los webhooks, las entregas y los eventos de ${app.nombre}, y prueba la API.`

/** Somebody new: a name and a password, and they are in. */
export function newcomerPage({
  token,
  read,
  support,
  values,
  errors,
}: Props & { values: { Nombre: string; Apellido: string }; errors?: Errors | undefined }) {
  const title = titleOf(read)
  return (
    <Layout title={errors ? `Error: ${title}` : title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>{title}</h1>
          <p>{meaningOf(read)}</p>
        </header>
        <form method="post" action={`/equipo/${token}`} class="sheet" novalidate>
          <FaultList errors={errors} labels={{ Nombre: 'Nombre', Apellido: 'Apellido' }} />
          <div class="field">
            <label for="correo">Correo</label>
            <input id="correo" type="email" value={read.account.email} readonly autocomplete="username" />
          </div>
          <Field
            name="Nombre"
            label="Nombre"
            value={values.Nombre}
            errors={errors}
            more={{ autocomplete: 'given-name', maxlength: 50 }}
          />
          <Field
            name="Apellido"
            label="Apellido"
            value={values.Apellido}
            errors={errors}
            more={{ autocomplete: 'family-name', maxlength: 50 }}
          />
          <Field
            name="Clave"
            label="Elija una clave"
            hint={PASSWORD_RULE}
            errors={errors}
            more={{ type: 'password', autocomplete: 'new-password' }}
          />
          <button type="submit">Aceptar y entrar</button>
        </form>
      </div>
    </Layout>
  )
}

/** Somebody with an account signs in first. */
export const knownPage = ({ token, read, support }: Props) => (
  <Layout title={titleOf(read)} visitor="nobody" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>{titleOf(read)}</h1>
        <p>Usted ya tiene una cuenta en Rodado: entre con su clave para aceptar.</p>
      </header>
      <SignInForm email={read.account.email} volver={`/equipo/${token}`} modo={read.account.modo} fixed />
    </div>
  </Layout>
)

/** Signed in: one button. */
export const joinPage = ({ token, read, support, account }: Props & { account: Account }) => (
  <Layout title={titleOf(read)} visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>{titleOf(read)}</h1>
        <p>{meaningOf(read)}</p>
      </header>
      <form method="post" action={`/equipo/${token}`} class="row">
        <button type="submit">Aceptar</button>
        <a class="button secondary" href="/">
          Ahora no
        </a>
      </form>
    </div>
  </Layout>
)

/** Somebody else is signed in than the one who was asked. */
export const notYoursPage = ({ read, support, account }: Omit<Props, 'token'> & { account: Account }) => (
  <Layout title="La invitación es para otra cuenta" visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>La invitación es para otra cuenta</h1>
        <p>
          Llegó a <strong>{read.account.email}</strong>, y usted entró como <strong>{account.email}</strong>. Salga, y
          abra otra vez el enlace del correo.
        </p>
      </header>
      <form method="post" action="/salir">
        <button type="submit">Salir</button>
      </form>
    </div>
  </Layout>
)

/** A link that was used, has expired or never was. */
export const deadInvitationPage = ({ support }: { support: Support }) => (
  <Layout title="El enlace ya no sirve" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>El enlace ya no sirve</h1>
        <p>Estos enlaces valen una sola vez, durante 7 días, y uno nuevo reemplaza al anterior.</p>
      </header>
      <ul>
        <li>Si ya aceptó la invitación, entre con su correo y su clave.</li>
        <li>Si no, pida a quien es titular de la app que le invite otra vez.</li>
      </ul>
      <p>
        <a class="button" href="/entrar">
          Entrar
        </a>
      </p>
    </div>
  </Layout>
)
