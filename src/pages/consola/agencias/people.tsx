import { fullName } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { FaultList, Field } from '../../fields.tsx'
import { agenciaHref } from './parts.tsx'

const ROLES: Record<Rol, string> = { administrador: 'Administrador', vendedor: 'Vendedor' }

/** A pending invitation. */
export interface PendingOperador {
  accountId: number
  email: string
  rol: Rol
}

interface Props {
  agencia: Agencia
  pending: PendingOperador[]
  replacement: { email: string; error: string } | undefined
}

/** Who works at the agency, and the way to put it in other hands. */
export const AgencyPeople = ({ agencia, pending, replacement }: Props) => (
  <section id="personas">
    <h2>Personas</h2>
    <ul class="rows">
      {agencia.operadores.map((operador) => (
        <li key={operador.accountId}>
          <span>
            <strong>{fullName(operador)}</strong>
            <span class="hint">{operador.email}</span>
          </span>
          <span class="badge">{ROLES[operador.rol]}</span>
          {operador.rol !== 'administrador' && (
            <a class="danger" href={`${agenciaHref(agencia)}/personas/${operador.accountId}/quitar`}>
              Quitar<span class="visually-hidden"> a {fullName(operador)}</span>
            </a>
          )}
        </li>
      ))}
      {pending.map(({ accountId, email, rol }) => (
        <li key={`${accountId}-${rol}`}>
          <span>
            <strong>{email}</strong>
            <span class="hint">
              {rol === 'administrador' ? 'Invitado a administrar la agencia' : 'Invitado'}; todavía no aceptó
            </span>
          </span>
        </li>
      ))}
    </ul>
    <details open={replacement !== undefined}>
      <summary>Poner a otra persona como administrador</summary>
      <form method="post" action={`${agenciaHref(agencia)}/administrador`} class="sheet limited" novalidate>
        <FaultList errors={replacement && { Email: [replacement.error] }} />
        <ul>
          <li>Le enviamos un enlace. Nada cambia hasta que lo acepte.</li>
          <li>Desde entonces su correo es el de la agencia; el de hoy les sirve a las apps 90 días más.</li>
          <li>Quien administra hoy deja de ver la agencia, y recibe un aviso.</li>
        </ul>
        <Field
          name="Email"
          label="Correo de la persona"
          value={replacement?.email}
          errors={replacement && { Email: [replacement.error] }}
          more={{
            type: 'email',
            autocomplete: 'off',
            inputmode: 'email',
            autocapitalize: 'none',
            spellcheck: false,
            maxlength: 50,
          }}
        />
        <button type="submit">Enviar el enlace</button>
      </form>
    </details>
  </section>
)
