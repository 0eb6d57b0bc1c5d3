import type { Errors } from '../../../http/problems.ts'
import { FaultList, Field } from '../../fields.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { MAIL_INPUT } from './mail-input.ts'

interface Props {
  ctx: AgencyContext
  email?: string
  errors?: Errors
}

/** Puts the agency in other hands. */
export const administratorPage = ({ ctx, email, errors }: Props) => (
  <AgencyPage
    ctx={ctx}
    section="/cuenta/colaboradores"
    above={{ href: '/cuenta/colaboradores', label: 'Colaboradores' }}
    title="Poner a otra persona como administrador"
    faulty={Boolean(errors)}
    lead={<p>Le enviamos un enlace. Nada cambia hasta que lo acepte.</p>}
  >
    <div class="measure">
      <ul>
        <li>Desde entonces administra {ctx.agencia.nombre}, y su correo es el de la agencia para las apps.</li>
        <li>Usted deja de ver la agencia. Si va a seguir en ella, esa persona puede invitarle como vendedor.</li>
        <li>Las apps se enteran del cambio; su correo de hoy les sirve 90 días más.</li>
      </ul>
      <form method="post" action="/cuenta/administrador" class="sheet" novalidate>
        <FaultList errors={errors} />
        <Field name="Email" label="Correo de la persona" value={email} errors={errors} more={MAIL_INPUT} />
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
  </AgencyPage>
)
