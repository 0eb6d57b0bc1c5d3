import type { MemberRol, PendingMember } from '../accounts/members.ts'
import type { Errors } from '../http/problems.ts'
import { Field, Form, Select } from './fields.tsx'
import { Moment, type When } from './format.tsx'
import { PostButton } from './parts.tsx'

export const ROLES: Record<MemberRol, string> = { titular: 'Titular', desarrollador: 'Desarrollador' }

interface PendingProps {
  /** Where the team of the app is. */
  at: string
  pending: PendingMember[]
  when: When
  /** Whether the viewer may withdraw them. */
  decides: boolean
}

/** Pending invitations to an app's team. */
export const PendingMembers = ({ at, pending, when, decides }: PendingProps) => (
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
        {decides && (
          <PostButton action={`${at}/${accountId}/retirar`} class="secondary small">
            Retirar<span class="visually-hidden"> la invitación a {email}</span>
          </PostButton>
        )}
      </li>
    ))}
  </ul>
)

interface InviteProps {
  at: string
  given: { email: string | undefined; rol: string | undefined }
  errors: Errors | undefined
}

/** The way to ask somebody to an app's team. */
export const InviteMember = ({ at, given, errors }: InviteProps) => (
  <Form action={at} errors={errors} labels={{ Email: 'Correo', Rol: 'Rol' }} button="Enviar la invitación">
    <Field
      name="Email"
      label="Correo"
      value={given.email}
      errors={errors}
      more={{ type: 'email', inputmode: 'email', autocapitalize: 'none', spellcheck: false, maxlength: 254 }}
    />
    <Select
      name="Rol"
      label="Rol"
      value={given.rol}
      errors={errors}
      choices={Object.entries(ROLES)}
      hint="Un titular decide sobre las claves y el equipo; un desarrollador hace todo lo demás."
    />
  </Form>
)
