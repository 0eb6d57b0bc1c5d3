import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, isMailAddress, MAIL_CHARACTERS } from '../../accounts/account.ts'
import { hashPassword, newcomerFaults } from '../../accounts/password.ts'
import { joinStaff, readStaffInvitation } from '../../accounts/staff.ts'
import type { Errors } from '../../http/problems.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { EMAIL_INPUT } from '../fields.tsx'
import { passwordField, textFields } from '../form.ts'
import { Fields, type FormFields } from '../form-fields.tsx'
import {
  ExpiredLinkPage,
  type Invited,
  JoinPage,
  KnownPage,
  NEWCOMER_FORM,
  NewcomerPage,
  OtherAccountPage,
} from '../invited.tsx'
import { BrandName, HIDDEN, page } from '../page.ts'
import { type ByToken, type PageDeps, seeOther } from '../signed-in.ts'

/** /personal/{token}: somebody joins the marketplace's staff; the first of them by the link that `serve` prints. */
export function personalRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions, attempts } = deps

  async function show(request: FastifyRequest<ByToken>, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params
    const read = await readStaffInvitation(store, token)
    if (read.kind !== 'open') return page(reply, deadInvitationPage(), read.kind === 'unknown' ? 404 : 410)
    const { account: invitee } = read
    const account = await sessions.signedIn(request)
    if (account && canJoin(account, invitee)) {
      const meaning = `${t('registro.staff.withAccount', { email: account.email })} ${t('registro.staff.means')}`
      return page(reply, <JoinPage {...invited(token)} meaning={meaning} account={account} />)
    }
    if (invitee?.hasPassword && !account) return page(reply, <KnownPage {...invited(token)} invitee={invitee} />)
    if (account && (invitee?.hasPassword || !invitee))
      return page(reply, <OtherAccountPage account={account} invited={invitee?.email} />, 403)
    const values = { Email: '', Nombre: invitee?.nombre ?? '', Apellido: invitee?.apellido ?? '' }
    return page(reply, newcomerPage(token, invitee, values))
  }

  app.get<ByToken>('/personal/:token', HIDDEN, show)

  app.post<ByToken>('/personal/:token', NEWCOMER_FORM, async (request, reply) => {
    const { token } = request.params
    const attempt = attempts.take({ ip: request.ip })
    const read = await readStaffInvitation(store, token)
    if (read.kind !== 'open') return show(request, reply)
    attempt.refund()
    const { account: invitee } = read
    const signedIn = await sessions.signedIn(request)
    if (signedIn && canJoin(signedIn, invitee)) {
      const joined = await joinStaff(store, token, { account: signedIn })
      if (joined.kind !== 'joined') return show(request, reply)
      sessions.open(reply, joined.account) // joining ended every session, and with them this one
      return seeOther(reply, '/entrar/codigo')
    }
    if (invitee?.hasPassword || (signedIn && !invitee)) return show(request, reply)

    const form = request.form
    const values = textFields(form, ['Email', 'Nombre', 'Apellido'])
    const showAgain = (errors: Errors) => page(reply, newcomerPage(token, invitee, values, errors), 400)
    const email = invitee?.email ?? values.Email
    const { Nombre: nombre, Apellido: apellido } = values
    const errors = {
      ...(!isMailAddress(email.toLowerCase()) && { Email: [t('registro.staff.noEmail')] }),
      ...newcomerFaults({ Nombre: nombre, Apellido: apellido }, passwordField(form), email),
    }
    if (Object.keys(errors).length > 0) return showAgain(errors)
    const passwordHash = await hashPassword(passwordField(form))
    const joined = await joinStaff(store, token, { email, nombre, apellido, passwordHash })
    if (joined.kind === 'sign-in') return showAgain({ Email: [t('registro.staff.taken')] })
    if (joined.kind !== 'joined') return show(request, reply)
    sessions.open(reply, joined.account)
    return seeOther(reply, '/entrar/codigo')
  })
}

/** The invited account; for the first member of the staff, any account of production. */
const canJoin = (account: Account, invitee: Account | undefined): boolean =>
  account.modo === 'produccion' && (!invitee || invitee.id === account.id)

type NewcomerValues = Record<'Email' | 'Nombre' | 'Apellido', string>

const invited = (token: string): Invited => ({
  title: t('registro.staff.title'),
  meaning: t('registro.staff.means'),
  path: `/personal/${token}`,
})

/**
 * Somebody new: a name and a password; the second factor comes next. The first member of the staff has no invitation, and
 * fills in an address.
 */
function newcomerPage(token: string, invitee: Account | undefined, values: NewcomerValues, errors?: Errors) {
  const form = { ...invited(token), values, errors, button: t('registro.staff.continue') }
  if (invitee) return <NewcomerPage {...form} email={invitee.email} />
  return (
    <NewcomerPage
      {...form}
      title={t('registro.staff.firstTitle')}
      meaning={`${t('registro.staff.first')} ${t('registro.staff.means')}`}
      email={<Fields fields={ownAddress()} />}
      after={
        <p class="hint after">
          {rich('registro.staff.haveAccount', {
            marca: <BrandName />,
            link: (text) => <a href={`/entrar?volver=/personal/${token}`}>{text}</a>,
          })}
        </p>
      }
    />
  )
}

const ownAddress = (): FormFields => ({
  Email: {
    label: t('registro.form.email'),
    more: { ...EMAIL_INPUT, autocomplete: 'username', maxlength: MAIL_CHARACTERS },
  },
})

const deadInvitationPage = () => (
  <ExpiredLinkPage
    valid={t('registro.staff.deadLead')}
    steps={[t('registro.staff.deadJoined'), t('registro.staff.deadAsk'), rich('registro.staff.deadFirst')]}
  />
)
