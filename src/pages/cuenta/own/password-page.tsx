import type { Errors } from '../../../http/problems.ts'
import { PASSWORD_RULE } from '../../entrar/password-page.tsx'
import { FaultList, Field } from '../../fields.tsx'
import { type AccountContext, OwnPage } from '../context.tsx'

interface Props {
  ctx: AccountContext
  errors?: Errors
}

export const changePasswordPage = ({ ctx, errors }: Props) => (
  <OwnPage
    ctx={ctx}
    section="/cuenta/acceso"
    above={{ href: '/cuenta/acceso', label: 'Mi acceso' }}
    title="Cambiar la clave"
    faulty={Boolean(errors)}
    lead={<p>Se cierran las sesiones abiertas en otros dispositivos.</p>}
  >
    <form method="post" action="/cuenta/clave" class="sheet measure" novalidate>
      <FaultList errors={errors} />
      <input type="hidden" name="Email" value={ctx.account.email} autocomplete="username" />
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
  </OwnPage>
)
