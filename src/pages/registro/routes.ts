import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { MAX_PASSWORD } from '../../accounts/password.ts'
import type { Errors } from '../../http/problems.ts'
import { agenciaOfAccount } from '../../resources/agencias/read.ts'
import {
  acceptInvitacion,
  type ReadInvitacion,
  type Registered,
  readInvitacion,
  register,
} from '../../resources/agencias/register.ts'
import { formRoute } from '../form.ts'
import { OtherAccountPage } from '../invited.tsx'
import { HIDDEN, page } from '../page.ts'
import { type NearPlace, placeForms } from '../places/place.ts'
import { allowScript } from '../security.ts'
import { type ByToken, type PageDeps, redirectWithNotice, seeOther } from '../signed-in.ts'
import {
  acceptPage,
  deadInvitacionPage,
  type FormValues,
  inRegistroOrder,
  invitedSignInPage,
  prefilled,
  registrationPage,
  valuesIn,
} from './pages.tsx'

/** Agency, telephone, place, and who administers it, with a password. */
const REGISTRATION_FORM = formRoute(MAX_PASSWORD + 700)

type Live = Extract<ReadInvitacion, { kind: 'open' | 'registered-already' }>

/** /registro/{token}: only the form's POST uses the invitation up. */
export function registrationRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions, attempts, catalogue, matcher, config } = deps
  const places = placeForms(catalogue, matcher)

  function showForm(
    reply: FastifyReply,
    token: string,
    { invitacion, app: inviter }: Live,
    values: FormValues,
    { account, errors, candidates = [] }: { account?: Account | undefined; errors?: Errors; candidates?: NearPlace[] },
  ): FastifyReply {
    const shown = { token, invitacion, app: inviter, timeZone: config.timeZone, values, account, candidates }
    const ordered = errors && inRegistroOrder(errors)
    allowScript(reply)
    return page(reply, registrationPage({ ...shown, ...places.choices(values), errors: ordered }), errors ? 400 : 200)
  }

  async function show(reply: FastifyReply, token: string, account: Account | undefined): Promise<FastifyReply> {
    const read = await readInvitacion(store, token)
    if (read.kind === 'unknown') return page(reply, deadInvitacionPage(read), 404)
    if (read.kind === 'used' || read.kind === 'expired') return page(reply, deadInvitacionPage(read), 410)
    const invited = { token, invitacion: read.invitacion, app: read.app }
    if (read.kind === 'open') return showForm(reply, token, read, prefilled(read.invitacion), {})
    if (!account) return page(reply, invitedSignInPage(invited))
    if (!isFor(read, account))
      return page(reply, OtherAccountPage({ account, invited: read.invitacion.adminMail }), 403)
    const agencia = await agenciaOfAccount(store, account)
    if (agencia?.rol === 'administrador') return page(reply, acceptPage({ ...invited, account, agencia }))
    return showForm(reply, token, read, prefilled(read.invitacion), { account })
  }

  app.get<ByToken>('/registro/:token', HIDDEN, async (request, reply) =>
    show(reply, request.params.token, await sessions.signedIn(request)),
  )

  app.post<ByToken>('/registro/:token', REGISTRATION_FORM, async (request, reply) => {
    const { token } = request.params
    const read = await readInvitacion(store, token)
    const signedIn = await sessions.signedIn(request)
    const account = read.kind === 'registered-already' && signedIn && isFor(read, signedIn) ? signedIn : undefined
    if (account) {
      const accepted = await acceptInvitacion(deps, token, account)
      if (accepted.kind === 'associated') return redirectWithNotice(reply, 'asociada')
      if (accepted.kind !== 'no-agency') return show(reply, token, account)
    }
    // A form sent twice signs the person in if the password is right, which counts as an attempt.
    if (read.kind === 'used') attempts.take({ ip: request.ip, subject: read.adminMail })

    const form = places.posted(valuesIn(request.form))
    const result: Registered = await register(deps, token, form, account)
    if (result.kind === 'registered') {
      if (account) sessions.renew(request, reply, result.account)
      else sessions.open(reply, result.account)
      return redirectWithNotice(reply, 'registrada')
    }
    if (result.kind === 'sign-in') return seeOther(reply, `/registro/${token}`)
    if (result.kind !== 'invalid') return show(reply, token, signedIn)
    if (read.kind !== 'open' && read.kind !== 'registered-already') return seeOther(reply, `/registro/${token}`)
    const { values, errors, candidates } = places.refused(form, result)
    return showForm(reply, token, read, values, { account, errors, candidates })
  })
}

const isFor = ({ invitacion }: Live, account: Account): boolean =>
  account.modo === invitacion.modo && account.email === invitacion.adminMail
