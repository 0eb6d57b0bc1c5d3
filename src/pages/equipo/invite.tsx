import { type Account, fullName, isMailAddress, MAIL_CHARACTERS, type MemberRol } from '../../accounts/account.ts'
import { endLinks, newLink } from '../../accounts/links.ts'
import { listMembers, lockTeam, type PendingMember } from '../../accounts/members.ts'
import { ensureAccount } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import type { Errors } from '../../http/problems.ts'
import { enqueueEmail } from '../../mail/email.ts'
import { teamEmail } from '../../mail/emails.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { isBlocked, isOverInvitationLimit, isOverMailLimit } from '../../resources/agencias/invitation-limits.ts'
import { EMAIL_INPUT, Form } from '../fields.tsx'
import { Fields, type FormFields } from '../form-fields.tsx'
import { Moment, type When } from '../format.tsx'
import { PostButton } from '../parts.tsx'
import type { PageDeps } from '../signed-in.ts'

const LINK_DAYS = 7

interface MemberInvitation {
  app: App
  email: string
  rol: MemberRol
  /** Undefined for the marketplace. */
  by?: Account | undefined
}

type InvitedMember = 'invited' | 'invalid' | 'already' | 'too-many' | 'blocked' | 'flood'

/** Why a person was not invited. */
export const INVITE_REFUSALS: Record<Exclude<InvitedMember, 'invited'>, string> = {
  invalid: 'Escriba un correo, por ejemplo nombre@empresa.com.',
  already: 'Esa persona ya está en el equipo.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que un equipo puede enviar en un día. Siga mañana.',
}

/** Invites a person to an app's team by e-mail. A new link replaces the one before. */
export async function inviteMember(
  { store, seal, config }: Pick<PageDeps, 'store' | 'seal' | 'config'>,
  { app, email: written, rol, by }: MemberInvitation,
): Promise<InvitedMember> {
  const email = written.trim().toLowerCase()
  if (!isMailAddress(email)) return 'invalid'
  return store.transaction(async (tx) => {
    await lockTeam(tx, app.id)
    if ((await listMembers(tx, app.id)).some((member) => member.email === email)) return 'already'
    if (await isOverMailLimit(tx, 'equipo', email)) return 'too-many'
    // The marketplace may invite any address.
    if (by && (await isBlocked(tx, email))) return 'blocked'
    if (by && (await isOverInvitationLimit(tx, { appId: app.id }))) return 'flood'
    const { id: accountId } = await ensureAccount(tx, 'produccion', email)
    await endLinks(tx, { accountId, purpose: 'equipo', appId: app.id })
    const token = await newLink(tx, { purpose: 'equipo', accountId, appId: app.id, rol, hours: LINK_DAYS * 24 })
    const about = {
      app: app.nombre,
      porQuien: by ? fullName(by) : 'Rodado',
      url: `${config.publicUrl}/equipo/${token}`,
    }
    await enqueueEmail(tx, seal, teamEmail({ to: email, ...about, dias: LINK_DAYS, support: supportOf(config) }))
    return 'invited'
  })
}

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

const FIELDS: FormFields = {
  Email: { label: 'Correo', more: { ...EMAIL_INPUT, maxlength: MAIL_CHARACTERS } },
  Rol: {
    label: 'Rol',
    choices: Object.entries(ROLES),
    hint: 'Un titular decide sobre las claves y el equipo; un desarrollador hace todo lo demás.',
  },
}

interface InviteProps {
  at: string
  given: { email: string | undefined; rol: string | undefined }
  errors: Errors | undefined
}

/** The form that invites a person to an app's team. */
export const InviteMember = ({ at, given, errors }: InviteProps) => (
  <Form action={at} errors={errors} labels={{ Email: 'Correo', Rol: 'Rol' }} button="Enviar la invitación">
    <Fields fields={FIELDS} given={{ Email: given.email, Rol: given.rol }} errors={errors} />
  </Form>
)
