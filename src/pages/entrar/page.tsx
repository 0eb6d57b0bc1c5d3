import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/content.ts'
import { FaultList, Field } from '../fields.tsx'
import { Layout } from '../layout.tsx'
import { Notice } from '../parts.tsx'

export interface SignInProps {
  email?: string
  volver?: string | undefined
  /** Which of two accounts with one mail and one password is meant. */
  modo?: string | undefined
  errors?: Errors
  /** The person has just left. */
  left?: boolean
  /** A form was sent when the session had ended. */
  late?: boolean
  support: Support
}

export function signInPage({ left = false, late = false, support, ...form }: SignInProps) {
  return (
    <Layout title={form.errors ? 'Error: Entrar' : 'Entrar'} visitor="nobody" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>Entrar</h1>
          <p>Con el correo y la clave de su cuenta en Rodado.</p>
        </header>
        {left && (
          <Notice>
            <p>Su sesión se cerró.</p>
          </Notice>
        )}
        {late && (
          <Notice>
            <p>Su sesión terminó, y lo último que envió no se guardó. Entre otra vez: vuelve a la misma página.</p>
          </Notice>
        )}
        <SignInForm {...form} />
        <p class="hint after">
          ¿Todavía no tiene cuenta? Las agencias se registran con la invitación que les envía por correo el sistema con
          el que trabajan. Quienes desarrollan una app, con la de su equipo o la del mercado.
        </p>
      </div>
    </Layout>
  )
}

/** The form itself, which other pages show where they need to know who is there. */
export function SignInForm({
  email = '',
  volver,
  modo,
  errors,
  fixed = false,
}: Omit<SignInProps, 'support'> & { fixed?: boolean }) {
  return (
    <form method="post" action="/entrar" class="sheet" novalidate>
      <FaultList errors={errors} />
      {volver && <input type="hidden" name="volver" value={volver} />}
      {modo && <input type="hidden" name="modo" value={modo} />}
      <Field
        name="Email"
        label="Correo"
        value={email}
        errors={errors}
        more={{
          type: 'email',
          autocomplete: 'username',
          inputmode: 'email',
          autocapitalize: 'none',
          spellcheck: false,
          ...(fixed && { readonly: true }),
        }}
      />
      <Field
        name="Clave"
        label="Clave"
        errors={errors}
        more={{ type: 'password', autocomplete: 'current-password', ...(email && { autofocus: true }) }}
      >
        <p class="beside">
          <a href="/clave">Olvidé mi clave</a>
        </p>
      </Field>
      <button type="submit">Entrar</button>
    </form>
  )
}
