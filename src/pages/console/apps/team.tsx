import { fullName } from '../../../accounts/account.ts'
import type { Member, MemberRol, PendingMember } from '../../../accounts/members.ts'
import type { App } from '../../../apps/app.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import { Moment } from '../../moment.tsx'
import type { Visit } from '../visit.tsx'
import type { Refused } from './one-page.tsx'
import { appHref } from './parts.tsx'

export const ROLES: Record<MemberRol, string> = { titular: 'Titular', desarrollador: 'Desarrollador' }

interface Props {
  app: App
  members: Member[]
  /** Who was asked, and has not come. */
  pending: PendingMember[]
  when: Visit
  refused: Refused | undefined
}

/** The people who see the app in the portal, and those who were asked to. */
export const Team = ({ app, members, pending, when, refused }: Props) => (
  <section id="equipo">
    <h2>Equipo</h2>
    {members.length === 0 ? (
      <p class="empty">Nadie ve esta app en el portal. Invite a un titular: él decide sobre las claves y el equipo.</p>
    ) : (
      <ul class="rows">
        {members.map((member) => (
          <li key={member.id}>
            <span>
              <strong>{fullName(member)}</strong>
              <span class="hint">{member.email}</span>
            </span>
            <span class="badge">{ROLES[member.rol]}</span>
            <a class="danger" href={`${appHref(app)}/equipo/${member.id}/quitar`}>
              Quitar<span class="visually-hidden"> a {fullName(member)}</span>
            </a>
          </li>
        ))}
      </ul>
    )}
    {pending.length > 0 && <Pending {...{ app, pending, when }} />}
    <details open={refused !== undefined}>
      <summary>Invitar a alguien</summary>
      <form method="post" action={`${appHref(app)}/equipo`} class="sheet limited" novalidate>
        <FaultList errors={refused?.errors} />
        <Field
          name="Email"
          label="Correo"
          value={refused?.given.Email}
          errors={refused?.errors}
          more={{ type: 'email', inputmode: 'email', autocapitalize: 'none', spellcheck: false, maxlength: 254 }}
        />
        <Select
          name="Rol"
          label="Rol"
          value={refused?.given.Rol}
          errors={refused?.errors}
          choices={Object.entries(ROLES)}
          hint="El titular decide sobre las claves y el equipo; un desarrollador hace todo lo demás."
        />
        <button type="submit">Enviar la invitación</button>
      </form>
    </details>
  </section>
)

const Pending = ({ app, pending, when }: Pick<Props, 'app' | 'pending' | 'when'>) => (
  <>
    <h3>Invitaciones sin aceptar</h3>
    <ul class="rows">
      {pending.map(({ accountId, email, rol, expires }) => (
        <li key={accountId}>
          <span>
            <strong>{email}</strong>
            <span class="hint">
              Vence <Moment at={expires} when={when} />
            </span>
          </span>
          <span class="badge">{ROLES[rol]}</span>
          <form method="post" action={`${appHref(app)}/equipo/${accountId}/retirar`}>
            <button type="submit" class="secondary">
              Retirar<span class="visually-hidden"> la invitación a {email}</span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  </>
)
