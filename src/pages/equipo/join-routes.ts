import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { formOf, line, secret } from '../form.ts'
import { NEWCOMER_FORM, showFaults, showInvitation } from '../invited.tsx'
import { HIDDEN, page } from '../page.ts'
import { type ByToken, type PageDeps, redirectWithNotice, seeOther } from '../signed-in.ts'
import { joinTeam, readInvitation } from './join.ts'
import { deadInvitationPage, invitedTo } from './join-page.tsx'

/** /equipo/{token}: somebody who was asked to work on an app accepts. */
export function joinRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions, config } = deps
  const support = supportOf(config)

  async function show(reply: FastifyReply, token: string, signedIn: Account | undefined): Promise<FastifyReply> {
    const read = await readInvitation(store, token)
    if (read.kind !== 'open') return page(reply, deadInvitationPage({ support }), read.kind === 'unknown' ? 404 : 410)
    return showInvitation(reply, { invited: invitedTo(token, read, support), invitee: read.account, signedIn })
  }

  app.get<ByToken>('/equipo/:token', HIDDEN, async (request, reply) =>
    show(reply, request.params.token, await sessions.signedIn(request)),
  )

  app.post<ByToken>('/equipo/:token', NEWCOMER_FORM, async (request, reply) => {
    const { token } = request.params
    const signedIn = await sessions.signedIn(request)
    const form = formOf(request)
    const values = { Nombre: line(form, 'Nombre'), Apellido: line(form, 'Apellido') }
    const result = await joinTeam(store, token, { ...values, Clave: secret(form) }, signedIn)
    if (result.kind === 'joined') {
      if (signedIn?.id !== result.account.id) sessions.open(reply, result.account)
      return redirectWithNotice(reply, 'equipo-sumado', `/portal/${result.app.appKey}`)
    }
    if (result.kind === 'sign-in') return seeOther(reply, `/equipo/${token}`)
    const read = await readInvitation(store, token)
    if (result.kind === 'invalid' && read.kind === 'open')
      return showFaults(
        reply,
        { invited: invitedTo(token, read, support), invitee: read.account },
        values,
        result.errors,
      )
    return show(reply, token, signedIn)
  })
}
