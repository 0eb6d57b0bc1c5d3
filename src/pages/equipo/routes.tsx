import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  appName,
  type InvitedMember,
  inviteMember,
  joinTeam,
  type Newcomer,
  readTeamInvitation,
  type TeamInvitation,
} from '../../access/invitations.ts'
import { type Account, isNewcomer, MAIL_CHARACTERS, MEMBER_ROLES, type MemberRol } from '../../accounts/account.ts'
import type { PendingMember } from '../../accounts/members.ts'
import { hashPassword, newcomerFaults } from '../../accounts/password.ts'
import type { App } from '../../apps/app.ts'
import { labels, rich, t } from '../../i18n/messages.tsx'
import { EMAIL_INPUT, Form, type FormState } from '../fields.tsx'
import { passwordField, textField, textFields } from '../form.ts'
import { Fields, type FormFields, labelsOf, type Refused } from '../form-fields.tsx'
import { Moment, type TimeContext } from '../format.tsx'
import { ExpiredLinkPage, INVITE_REFUSALS, NEWCOMER_FORM, showFaults, showInvitation } from '../invited.tsx'
import { HIDDEN, page } from '../page.ts'
import { NamedRow, PostButton } from '../parts.tsx'
import { type ByToken, type PageDeps, redirectWithNotice, type SignedInContext, seeOther } from '../signed-in.ts'

const REFUSALS: Readonly<Record<Exclude<InvitedMember, 'invited'>, string>> = labels({
  invalid: 'portal.team.invalid',
  already: 'portal.team.already',
  ...INVITE_REFUSALS,
  flood: 'portal.team.flood',
})

export const rolLabel = (rol: MemberRol): string => t(`registro.team.rol.${rol}`)

export const rolIn = (form: URLSearchParams): MemberRol | undefined =>
  MEMBER_ROLES.find((rol) => rol === textField(form, 'Rol'))

interface PendingProps {
  /** Where the team of the app is. */
  at: string
  pending: PendingMember[]
  when: TimeContext
  /** Whether the viewer may withdraw them. */
  decides: boolean
}

export const PendingMembers = ({ at, pending, when, decides }: PendingProps) => (
  <ul class="rows">
    {pending.map(({ accountId, email, rol, expires }) => (
      <NamedRow
        key={accountId}
        name={email}
        hint={rich('registro.team.expires', { moment: <Moment at={expires} when={when} /> })}
        badge={rolLabel(rol)}
      >
        {decides && (
          <PostButton action={`${at}/${accountId}/retirar`} class="secondary small">
            {rich('registro.team.withdraw', { email })}
          </PostButton>
        )}
      </NamedRow>
    ))}
  </ul>
)

const fields = (): FormFields => ({
  Email: { label: t('registro.form.email'), more: { ...EMAIL_INPUT, maxlength: MAIL_CHARACTERS } },
  Rol: {
    label: t('registro.team.rol'),
    choices: MEMBER_ROLES.map((rol) => [rol, rolLabel(rol)] as const),
    hint: t('registro.team.rolHint'),
  },
})

export const InviteMember = ({ at, ...refused }: FormState & { at: string }) => (
  <Form action={at} labels={labelsOf(fields())} button={t('registro.team.invite')} {...refused}>
    <Fields fields={fields()} />
  </Form>
)

interface NewMember {
  app: App
  /** Undefined: the marketplace. */
  by?: Account
  /** For the audit log. */
  act: string
}

/** Invites the person of the form. Returns the form to show again if nobody was invited. */
export async function inviteToTeam(
  { change }: Pick<SignedInContext, 'change'>,
  deps: PageDeps,
  form: URLSearchParams,
  { app, by, act }: NewMember,
): Promise<Refused | undefined> {
  const given = textFields(form, ['Email', 'Rol'])
  const rol = rolIn(form)
  if (!rol) return { given, errors: { Rol: [t('portal.team.chooseRol')] } }
  const outcome = await change<InvitedMember>(
    (kind) => (kind === 'invited' ? { act, subject: app.appKey, detail: { rol } } : undefined),
    (tx) => inviteMember({ ...deps, store: tx }, { app, email: given.Email, rol, by }),
  )
  return outcome === 'invited' ? undefined : { given, errors: { Email: [REFUSALS[outcome]] } }
}

/** /equipo/{token}: a person accepts an invitation to an app's team. */
export function joinRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions } = deps

  async function show(reply: FastifyReply, token: string, signedIn: Account | undefined): Promise<FastifyReply> {
    const read = await readTeamInvitation(store, token)
    if (read.kind !== 'open')
      return page(
        reply,
        <ExpiredLinkPage steps={[t('registro.dead.accepted'), t('registro.dead.askApp')]} />,
        read.kind === 'unknown' ? 404 : 410,
      )
    return showInvitation(reply, invitedTo(token, read), signedIn)
  }

  app.get<ByToken>('/equipo/:token', HIDDEN, async (request, reply) =>
    show(reply, request.params.token, await sessions.signedIn(request)),
  )

  app.post<ByToken>('/equipo/:token', NEWCOMER_FORM, async (request, reply) => {
    const { token } = request.params
    const signedIn = await sessions.signedIn(request)
    const read = await readTeamInvitation(store, token)
    if (read.kind !== 'open') return show(reply, token, signedIn)
    const { account: invitee, app: invitedApp } = read
    let newcomer: Newcomer | undefined
    if (isNewcomer(invitee, signedIn)) {
      const form = request.form
      const values = textFields(form, ['Nombre', 'Apellido'])
      const password = passwordField(form)
      const errors = newcomerFaults(values, password, invitee.email)
      if (Object.keys(errors).length > 0) return showFaults(reply, invitedTo(token, read), values, errors)
      newcomer = { nombre: values.Nombre, apellido: values.Apellido, passwordHash: await hashPassword(password) }
    } else if (signedIn?.id !== invitee.id) return seeOther(reply, `/equipo/${token}`)

    const account = await joinTeam(store, token, read, newcomer)
    if (account === 'used') return show(reply, token, signedIn)
    if (account === 'sign-in') return seeOther(reply, `/equipo/${token}`)
    if (signedIn?.id !== account.id) sessions.open(reply, account)
    return redirectWithNotice(reply, 'equipo-sumado', `/portal/${invitedApp.appKey}`)
  })
}

type Open = Extract<TeamInvitation, { kind: 'open' }>

const invitedTo = (token: string, { app, rol, account }: Open) => ({
  invitee: account,
  invited: {
    title: t('registro.team.join', { app: appName(app) }),
    meaning: t(`registro.team.means.${rol}`, { app: app.nombre }),
    path: `/equipo/${token}`,
  },
})
