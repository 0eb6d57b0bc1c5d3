import type { Account } from '../../accounts/account.ts'
import type { Errors } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import { FaultList, Field } from '../fields.tsx'
import { Layout } from '../layout.tsx'
import { PASSWORD_RULE } from '../sign-in/password-page.tsx'

interface Props {
  account: Account
  errors?: Errors
  support: Support
}

export function changePasswordPage({ account, errors, support }: Props) {
  return (
    <Layout title={errors ? 'Error: Cambiar la clave' : 'Cambiar la clave'} visitor={account} support={support}>
      <div class="narrow">
        <header class="lead">
          <p class="overline">
            <a href="/cuenta">Mi cuenta</a>
          </p>
          <h1>Cambiar la clave</h1>
          <p>Se cierran las sesiones abiertas en otros dispositivos.</p>
        </header>
        <form method="post" action="/cuenta/clave" class="sheet" novalidate>
          <FaultList errors={errors} />
          <input type="hidden" name="Email" value={account.email} autocomplete="username" />
          <Field
            name="ClaveActual"
            label="Clave actual"
            errors={errors}
            more={{ type: 'password', autocomplete: 'current-password' }}
          />
          <Field
            name="Clave"
            label="Clave nueva"
            hint={PASSWORD_RULE}
            errors={errors}
            more={{ type: 'password', autocomplete: 'new-password' }}
          />
          <button type="submit">Guardar</button>
        </form>
      </div>
    </Layout>
  )
}
