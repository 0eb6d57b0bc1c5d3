import { fullName } from '../../../accounts/account.ts'
import type { Member, PendingMember } from '../../../accounts/members.ts'
import type { App } from '../../../apps/app.ts'
import { InviteMember, PendingMembers, ROLES } from '../../team.tsx'
import type { ConsoleContext } from '../context.tsx'
import { appHref } from './list.tsx'
import type { Refused } from './one-page.tsx'

interface Props {
  app: App
  members: Member[]
  /** Pending invitations. */
  pending: PendingMember[]
  when: ConsoleContext
  refused: Refused | undefined
}

/** The team of the app, and pending invitations. */
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
    {pending.length > 0 && (
      <>
        <h3>Invitaciones sin aceptar</h3>
        <PendingMembers at={`${appHref(app)}/equipo`} pending={pending} when={when} decides />
      </>
    )}
    <details open={refused !== undefined}>
      <summary>Invitar a alguien</summary>
      <InviteMember
        at={`${appHref(app)}/equipo`}
        given={{ email: refused?.given.Email, rol: refused?.given.Rol }}
        errors={refused?.errors}
      />
    </details>
  </section>
)
