import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Account, fullName, isMailAddress, MAIL_CHARACTERS, type MemberRol } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import { endLinks, newLink, readLink, useLink } from '../../accounts/links.ts'
import { listMembers, lockTeam, type PendingMember, setMember } from '../../accounts/members.ts'
import { hashPassword, newcomerFaults } from '../../accounts/password.ts'
import { createAccount, ensureAccount, findAccountById, type NewAccount, setFirstIdioma } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import { findAppById } from '../../apps/store.ts'
import type { Errors } from '../../http/problems.ts'
import { labels, rich, t } from '../../i18n/messages.tsx'
import { teamEmail } from '../../mail/compose.ts'
import { enqueueEmailTo } from '../../mail/email.ts'
import { isBlocked, isOverInvitationLimit, isOverMailLimit } from '../../resources/agencias/invitation-store.ts'
import { type Db, type Store, transactionOr } from '../../store/db.ts'
import { EMAIL_INPUT, Form } from '../fields.tsx'
import { passwordField, textFields } from '../form.ts'
import { Fields, type FormFields, labelsOf } from '../form-fields.tsx'
import { Moment, type TimeContext } from '../format.tsx'
import { DeadLinkPage, INVITE_REFUSALS, NEWCOMER_FORM, showFaults, showInvitation } from '../invited.tsx'
import { HIDDEN, page } from '../page.ts'
import { NamedRow, PostButton } from '../parts.tsx'
import { type ByToken, type PageDeps, redirectWithNotice, seeOther } from '../signed-in.ts'

const LINK_DAYS = 7

interface MemberInvitation {
  app: App
  email: string
  rol: MemberRol
  /** Undefined for the marketplace. */
  by?: Account | undefined
}

type InvitedMember = 'invited' | 'invalid' | 'already' | 'too-many' | 'blocked' | 'flood'

export const TEAM_REFUSALS: Readonly<Record<Exclude<InvitedMember, 'invited'>, string>> = labels({
  invalid: 'portal.team.invalid',
  already: 'portal.team.already',
  ...INVITE_REFUSALS,
  flood: 'portal.team.flood',
})

/** Invites a person to an app's team by email. A new link replaces the one before. */
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
    const brand = config.brand.current()
    const about = {
      app: app.nombre,
      porQuien: by ? fullName(by) : brand.nombre,
      url: `${config.publicUrl}/equipo/${token}`,
    }
    await enqueueEmailTo(tx, seal, email, () => teamEmail({ to: email, ...about, dias: LINK_DAYS, brand }))
    return 'invited'
  })
}

export const ROLES: Readonly<Record<MemberRol, string>> = labels({
  titular: 'registro.team.rol.titular',
  desarrollador: 'registro.team.rol.desarrollador',
})

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
        badge={ROLES[rol]}
      >
        {decides && (
          <PostButton action={`${at}/${accountId}/retirar`} class="secondary small">
            {rich('registro.team.withdraw', { email, hidden: (text) => <span class="visually-hidden">{text}</span> })}
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
    choices: Object.entries(ROLES),
    hint: t('registro.team.rolHint'),
  },
})

interface InviteProps {
  at: string
  given: { email: string | undefined; rol: string | undefined }
  errors: Errors | undefined
}

export const InviteMember = ({ at, given, errors }: InviteProps) => (
  <Form action={at} errors={errors} labels={labelsOf(fields())} button={t('registro.team.invite')}>
    <Fields fields={fields()} given={{ Email: given.email, Rol: given.rol }} errors={errors} />
  </Form>
)

/** /equipo/{token}: a person accepts an invitation to an app's team. */
export function joinRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions } = deps

  async function show(reply: FastifyReply, token: string, signedIn: Account | undefined): Promise<FastifyReply> {
    const read = await readInvitation(store, token)
    if (read.kind !== 'open')
      return page(
        reply,
        <DeadLinkPage steps={[t('registro.dead.accepted'), t('registro.dead.askApp')]} />,
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
    const read = await readInvitation(store, token)
    if (read.kind !== 'open') return show(reply, token, signedIn)
    const { account: invitee, app: invitedApp } = read
    let newcomer: Newcomer | undefined
    if (!invitee.hasPassword) {
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

type Open = Extract<ReadInvitation, { kind: 'open' }>

const invitedTo = (token: string, { app, rol, account }: Open) => ({
  invitee: account,
  invited: {
    title: t('registro.team.join', { app: app.nombre }),
    meaning: t(`registro.team.means.${rol}`, { app: app.nombre }),
    path: `/equipo/${token}`,
  },
})

type ReadInvitation =
  | { kind: 'open'; account: Account; app: App; rol: MemberRol }
  | { kind: 'used' | 'expired' | 'unknown' }

type Newcomer = Pick<NewAccount, 'nombre' | 'apellido' | 'passwordHash'>

/** Reads a link without using it up. */
async function readInvitation(db: Db, token: string): Promise<ReadInvitation> {
  const link = await readLink(db, token, 'equipo')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  const account = await findAccountById(db, link.accountId)
  const app = link.appId === null ? undefined : await findAppById(db, link.appId)
  return account && app && link.rol ? { kind: 'open', account, app, rol: link.rol } : { kind: 'unknown' }
}

/** Uses the link once. `sign-in`: a new person has chosen a password meanwhile, and the link stays usable. */
const joinTeam = (store: Store, token: string, { account: invitee, app }: Open, newcomer: Newcomer | undefined) =>
  transactionOr<Account | 'used' | 'sign-in'>(store, async (tx, rollBack) => {
    await lockTeam(tx, app.id)
    const link = await useLink(tx, token, 'equipo')
    if (!link?.rol) return 'used'
    const { email } = invitee
    const account = newcomer ? await createAccount(tx, { modo: 'produccion', email, ...newcomer }) : invitee
    if (!account) return rollBack('sign-in')
    await setFirstIdioma(tx, account.id)
    await setMember(tx, app.id, account.id, link.rol)
    await audit(tx, { accountId: account.id, via: 'portal', act: 'equipo.sumarse', subject: app.appKey })
    return { ...account, develops: true }
  })
