import type { Account } from '../../accounts/account.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { FaultList, Field } from '../fields.tsx'
import { Layout } from '../layout.tsx'

interface Props {
  account: Account
  agencia: Agencia
  support: Support
  email?: string
  errors?: Errors
}

/** Puts the agency in other hands. */
export function administratorPage({ account, agencia, support, email, errors }: Props) {
  const title = 'Poner a otra persona como administrador'
  return (
    <Layout title={errors ? `Error: ${title}` : title} visitor={account} support={support}>
      <div class="narrow">
        <header class="lead">
          <p class="overline">
            <a href="/cuenta">Mi cuenta</a>
          </p>
          <h1>{title}</h1>
          <p>Le enviamos un enlace. Nada cambia hasta que lo acepte.</p>
        </header>
        <ul>
          <li>Desde entonces administra {agencia.nombre}, y su correo es el de la agencia para las apps.</li>
          <li>Usted deja de ver la agencia. Si va a seguir en ella, esa persona puede invitarle como vendedor.</li>
          <li>Las apps se enteran del cambio; su correo de hoy les sirve 90 días más.</li>
        </ul>
        <form method="post" action="/cuenta/administrador" class="sheet" novalidate>
          <FaultList errors={errors} />
          <Field
            name="Email"
            label="Correo de la persona"
            value={email}
            errors={errors}
            more={{
              type: 'email',
              autocomplete: 'off',
              inputmode: 'email',
              autocapitalize: 'none',
              spellcheck: false,
              maxlength: 50,
            }}
          />
          <Field
            name="Clave"
            label="Su clave"
            hint="Para saber que es usted."
            errors={errors}
            more={{ type: 'password', autocomplete: 'current-password' }}
          />
          <button type="submit">Enviar el enlace</button>
        </form>
      </div>
    </Layout>
  )
}
