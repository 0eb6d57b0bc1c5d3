import type { Account } from '../../accounts/account.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import { FaultList, Field } from '../fields.tsx'
import { Layout } from '../layout.tsx'
import { SignInForm } from '../sign-in/page.tsx'
import { PASSWORD_RULE } from '../sign-in/password-page.tsx'

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

type NewcomerProps = Props & {
  /** Who was asked; the first of the staff was asked by nobody and says who they are. */
  asked: Account | undefined
  values: NewcomerValues
  errors?: Errors | undefined
}

/** Somebody new: a name and a password; the second factor comes next. */
export function newcomerPage({ token, support, asked, values, errors }: NewcomerProps) {
  const title = asked ? 'Sumarse al personal' : 'Empiece por su cuenta'
  return (
    <Layout title={errors ? `Error: ${title}` : title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>{title}</h1>
          {!asked && <p>Este Rodado todavía no tiene quien lo dirija. La primera cuenta del personal es la suya.</p>}
          <p>{MEANING}</p>
        </header>
        <form method="post" action={`/personal/${token}`} class="sheet" novalidate>
          <FaultList errors={errors} />
          {asked ? (
            <div class="field">
              <label for="correo">Correo</label>
              <input id="correo" type="email" value={asked.email} readonly autocomplete="username" />
            </div>
          ) : (
            <Field
              name="Email"
              label="Correo"
              value={values.Email}
              errors={errors}
              more={{
                type: 'email',
                autocomplete: 'username',
                inputmode: 'email',
                autocapitalize: 'none',
                maxlength: 254,
              }}
            />
          )}
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
          <button type="submit">Continuar</button>
        </form>
        {!asked && (
          <p class="hint after">
            ¿Ya tiene una cuenta en Rodado? <a href={`/entrar?volver=/personal/${token}`}>Entre con ella</a>.
          </p>
        )}
      </div>
    </Layout>
  )
}

/** Somebody with an account signs in first. */
export const knownPage = ({ token, support, asked }: Props & { asked: Account }) => (
  <Layout title="Sumarse al personal" visitor="nobody" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Sumarse al personal</h1>
        <p>Usted ya tiene una cuenta en Rodado: entre con su clave para aceptar.</p>
      </header>
      <SignInForm email={asked.email} volver={`/personal/${token}`} modo="produccion" fixed />
    </div>
  </Layout>
)

/** Signed in: one button. */
export const joinPage = ({ token, support, account }: Props & { account: Account }) => (
  <Layout title="Sumarse al personal" visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Sumarse al personal</h1>
        <p>
          Con su cuenta <strong>{account.email}</strong>. {MEANING}
        </p>
      </header>
      <form method="post" action={`/personal/${token}`} class="row">
        <button type="submit">Aceptar</button>
        <a class="button secondary" href="/cuenta">
          Ahora no
        </a>
      </form>
    </div>
  </Layout>
)

/** Somebody else is signed in than the one who was asked. */
export const notYoursPage = ({
  support,
  account,
  asked,
}: Omit<Props, 'token'> & { account: Account; asked?: Account }) => (
  <Layout title="La invitación es para otra cuenta" visitor={account} support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>La invitación es para otra cuenta</h1>
        <p>
          {asked ? (
            <>
              Llegó a <strong>{asked.email}</strong>, y usted entró como <strong>{account.email}</strong>.
            </>
          ) : (
            <>
              Usted entró como <strong>{account.email}</strong>, que es una cuenta de prueba.
            </>
          )}{' '}
          Salga, y abra otra vez el enlace.
        </p>
      </header>
      <form method="post" action="/salir">
        <button type="submit">Salir</button>
      </form>
    </div>
  </Layout>
)

export const deadInvitationPage = ({ support }: Omit<Props, 'token'>) => (
  <Layout title="El enlace ya no sirve" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>El enlace ya no sirve</h1>
        <p>Estos enlaces valen una sola vez y por poco tiempo.</p>
      </header>
      <ul>
        <li>Si ya se sumó al personal, entre con su correo y su clave.</li>
        <li>Si no, pida a alguien del personal que le invite otra vez.</li>
        <li>
          Si todavía no hay nadie, reinicie el servidor: muestra un enlace nuevo. También sirve{' '}
          <code>rodado user create</code>.
        </li>
      </ul>
      <p>
        <a class="button" href="/entrar">
          Entrar
        </a>
      </p>
    </div>
  </Layout>
)
