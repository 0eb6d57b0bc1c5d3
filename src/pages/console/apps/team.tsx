import { fullName } from '../../../accounts/account.ts'
import type { Member, MemberRol } from '../../../accounts/members.ts'
import type { App } from '../../../apps/app.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import type { Refused } from './one-page.tsx'
import { appHref } from './parts.tsx'

export const ROLES: Record<MemberRol, string> = { titular: 'Titular', desarrollador: 'Desarrollador' }

interface Props {
  app: App
  members: Member[]
  refused: Refused | undefined
}

/** The people who see the app in the portal. */
export const Team = ({ app, members, refused }: Props) => (
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
            <form method="post" action={`${appHref(app)}/equipo/${member.id}/quitar`}>
              <button type="submit" class="secondary">
                Quitar<span class="visually-hidden"> a {fullName(member)}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
    )}
    <details open={refused !== undefined}>
      <summary>Invitar a alguien</summary>
      <form method="post" action={`${appHref(app)}/equipo`} class="sheet limited" novalidate>
        <FaultList errors={refused?.errors} />
        <Field
          name="Email"
          label="Correo"
          value={refused?.given.Email}
          errors={refused?.errors}
          more={{ type: 'email', inputmode: 'email', autocapitalize: 'none', spellcheck: false, maxlength: 50 }}
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
