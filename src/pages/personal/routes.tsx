import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Account, isMailAddress, NAME_CHARACTERS } from '../../accounts/account.ts'
import { hashPassword, passwordFault } from '../../accounts/password.ts'
import { joinStaff, readStaffInvitation } from '../../accounts/staff.ts'
import type { Errors } from '../../http/problems.ts'
import { passwordField, textFields } from '../form.ts'
import { Fields, type FormFields } from '../form-fields.tsx'
import {
  DeadLinkPage,
  type Invited,
  JoinPage,
  KnownPage,
  NEWCOMER_FORM,
  NewcomerPage,
  NotYoursPage,
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
      const meaning = `Con su cuenta ${account.email}. ${MEANING}`
      return page(reply, <JoinPage {...invited(token)} meaning={meaning} account={account} />)
    }
    if (invitee?.hasPassword && !account) return page(reply, <KnownPage {...invited(token)} invitee={invitee} />)
    if (account && (invitee?.hasPassword || !invitee))
      return page(reply, <NotYoursPage account={account} invited={invitee?.email} />, 403)
    const values = { Email: '', Nombre: invitee?.nombre ?? '', Apellido: invitee?.apellido ?? '' }
    return page(reply, newcomerPage({ token, invitee, values }))
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
    const showAgain = (errors: Errors) => page(reply, newcomerPage({ token, invitee, values, errors }), 400)
    const email = invitee?.email ?? values.Email
    const errors = faults({ ...values, Email: email }, passwordField(form))
    if (Object.keys(errors).length > 0) return showAgain(errors)
    const passwordHash = await hashPassword(passwordField(form))
    const { Nombre: nombre, Apellido: apellido } = values
    const joined = await joinStaff(store, token, { email, nombre, apellido, passwordHash })
    if (joined.kind === 'sign-in')
      return showAgain({ Email: ['Ya hay una cuenta con ese correo. Entre con ella, con el enlace de abajo.'] })
    if (joined.kind !== 'joined') return show(request, reply)
    sessions.open(reply, joined.account)
    return seeOther(reply, '/entrar/codigo')
  })
}

/** The invited account; for the first member of the staff, any account of production. */
const canJoin = (account: Account, invitee: Account | undefined): boolean =>
  account.modo === 'produccion' && (!invitee || invitee.id === account.id)

function faults({ Email, Nombre, Apellido }: NewcomerValues, password: string): Errors {
  const errors: Errors = {}
  if (!isMailAddress(Email.toLowerCase())) errors.Email = ['Escriba su correo, por ejemplo nombre@mercado.com.']
  for (const [name, value] of Object.entries({ Nombre, Apellido }))
    if (!value || value.length > NAME_CHARACTERS)
      errors[name] = [`Escriba su ${name.toLowerCase()}, de hasta ${NAME_CHARACTERS} caracteres.`]
  const fault = passwordFault(password, Email)
  if (fault) errors.Clave = [fault]
  return errors
}

type NewcomerValues = Record<'Email' | 'Nombre' | 'Apellido', string>

const MEANING =
  'El personal ve y hace todo en el mercado: apps, agencias, consultas, avisos y entregas. Cada acto queda en el registro de auditoría.'

const invited = (token: string): Invited => ({
  title: 'Sumarse al personal',
  meaning: MEANING,
  path: `/personal/${token}`,
})

interface NewcomerProps {
  token: string
  /** The invited account; the first member of the staff has no invitation and fills in an address. */
  invitee: Account | undefined
  values: NewcomerValues
  errors?: Errors | undefined
}

/** Somebody new: a name and a password; the second factor comes next. */
function newcomerPage({ token, invitee, values, errors }: NewcomerProps) {
  const form = { ...invited(token), values, errors, button: 'Continuar' }
  if (invitee) return <NewcomerPage {...form} email={invitee.email} />
  return (
    <NewcomerPage
      {...form}
      title="Empiece por su cuenta"
      meaning={`Este servidor todavía no tiene quien lo dirija. La primera cuenta del personal es la suya. ${MEANING}`}
      email={<Fields fields={OWN_ADDRESS} given={values} errors={errors} />}
      after={
        <p class="hint after">
          ¿Ya tiene una cuenta en <BrandName />? <a href={`/entrar?volver=/personal/${token}`}>Entre con ella</a>.
        </p>
      }
    />
  )
}

const OWN_ADDRESS: FormFields = {
  Email: {
    label: 'Correo',
    more: { type: 'email', autocomplete: 'username', inputmode: 'email', autocapitalize: 'none', maxlength: 254 },
  },
}

const deadInvitationPage = () => (
  <DeadLinkPage
    valid="Estos enlaces valen una sola vez y por poco tiempo."
    steps={[
      'Si ya se sumó al personal, entre con su correo y su clave.',
      'Si no, pida a alguien del personal que le invite otra vez.',
      <>
        Si todavía no hay nadie, reinicie el servidor: muestra un enlace nuevo. También sirve{' '}
        <code>rodado user create</code>.
      </>,
    ]}
  />
)
