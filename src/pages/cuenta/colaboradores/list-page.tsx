import { fullName } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import type { Errors } from '../../../http/problems.ts'
import { FaultList, Field } from '../../fields.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { ROLES } from '../nav.tsx'
import { MAIL_INPUT } from './mail-input.ts'

/** A pending invitation. */
export interface Pending {
  accountId: number
  email: string
  rol: Rol
}

interface Props {
  ctx: AgencyContext
  pending: Pending[]
  /** What was wrong with an invitation, and whom it was for. */
  invited?: { email: string; errors: Errors } | undefined
}

/** The people of the agency, and, for its administrator, pending invitations. */
export function peoplePage({ ctx, pending, invited }: Props) {
  const { agencia } = ctx
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/colaboradores"
      title="Colaboradores"
      faulty={Boolean(invited)}
      lead={
        <p>
          {decides
            ? 'Quien administra ve todo y decide; un vendedor ve la agencia y las consultas a su cargo.'
            : `La administra ${agencia.adminMail}: es quien decide sobre apps y colaboradores.`}
        </p>
      }
    >
      <ul class="rows">
        {agencia.operadores.map((operador) => (
          <li key={operador.accountId}>
            <span>
              <strong>{fullName(operador)}</strong>
              <span class="hint">{[operador.email, operador.telefono].filter(Boolean).join(' · ')}</span>
            </span>
            <span class="badge">{ROLES[operador.rol]}</span>
            {decides && operador.rol !== 'administrador' && (
              <a class="danger" href={`/cuenta/colaboradores/${operador.accountId}/quitar`}>
                Quitar<span class="visually-hidden"> a {fullName(operador)}</span>
              </a>
            )}
          </li>
        ))}
        {decides && pending.map((each) => <PendingRow key={each.accountId} {...each} ctx={ctx} />)}
      </ul>
      {decides && <Invite invited={invited} />}
      {decides && (
        <p class="hint after">
          <a href="/cuenta/administrador">Poner a otra persona como administrador</a>
        </p>
      )}
    </AgencyPage>
  )
}

function PendingRow({ accountId, email, rol, ctx }: Pending & { ctx: AgencyContext }) {
  const works = ctx.agencia.operadores.some((operador) => operador.accountId === accountId)
  return (
    <li>
      <span>
        <strong>{email}</strong>
        <span class="hint">
          {rol === 'administrador' ? 'Invitado a administrar la agencia' : 'Invitado'}; todavía no aceptó
        </span>
      </span>
      {!works && (
        <a class="danger" href={`/cuenta/colaboradores/${accountId}/quitar`}>
          Retirar<span class="visually-hidden"> la invitación a {email}</span>
        </a>
      )}
    </li>
  )
}

const Invite = ({ invited }: Pick<Props, 'invited'>) => (
  <details open={Boolean(invited)}>
    <summary>Invitar a un colaborador</summary>
    <form method="post" action="/cuenta/colaboradores" novalidate>
      <FaultList errors={invited?.errors} />
      <Field
        name="Email"
        label="Correo de la persona"
        hint="Le llega un enlace para sumarse como vendedor: ve la agencia y las consultas a su cargo."
        value={invited?.email}
        errors={invited?.errors}
        more={MAIL_INPUT}
      />
      <button type="submit">Enviar la invitación</button>
    </form>
  </details>
)
