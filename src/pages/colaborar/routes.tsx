import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { t } from '../../i18n/messages.tsx'
import { join, type ReadCollaboration, readCollaboration } from '../../resources/agencias/join.ts'
import { passwordField, textField } from '../form.ts'
import { ExpiredLinkPage, JoinPage, NEWCOMER_FORM, showFaults, showInvitation } from '../invited.tsx'
import { HIDDEN, page } from '../page.ts'
import { type ByToken, type PageDeps, redirectWithNotice, seeOther } from '../signed-in.ts'

/** /colaborar/{token}: a person accepts an invitation to an agency. */
export function collaborateRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions } = deps

  async function show(reply: FastifyReply, token: string, signedIn: Account | undefined): Promise<FastifyReply> {
    const read = await readCollaboration(store, token)
    if (read.kind === 'open') return showInvitation(reply, invitedTo(token, read), signedIn)
    return page(
      reply,
      <ExpiredLinkPage steps={[t('registro.dead.accepted'), t('registro.dead.askAgency')]} />,
      read.kind === 'unknown' ? 404 : 410,
    )
  }

  app.get<ByToken>('/colaborar/:token', HIDDEN, async (request, reply) =>
    show(reply, request.params.token, await sessions.signedIn(request)),
  )

  app.post<ByToken>('/colaborar/:token', NEWCOMER_FORM, async (request, reply) => {
    const { token } = request.params
    const signedIn = await sessions.signedIn(request)
    const form = request.form
    const values = { Nombre: textField(form, 'Nombre'), Apellido: textField(form, 'Apellido') }
    const result = await join(deps, token, { ...values, Clave: passwordField(form) }, signedIn)
    if (result.kind === 'joined') {
      if (signedIn) sessions.renew(request, reply, result.account)
      else sessions.open(reply, result.account)
      return redirectWithNotice(reply, result.rol === 'administrador' ? 'administra' : 'sumado')
    }
    if (result.kind === 'sign-in') return seeOther(reply, `/colaborar/${token}`)
    const read = await readCollaboration(store, token)
    if (read.kind !== 'open') return show(reply, token, signedIn)
    const invitation = invitedTo(token, read)
    if (result.kind === 'invalid') return showFaults(reply, invitation, values, result.errors)
    if (result.kind === 'administers-another' && signedIn)
      return page(
        reply,
        JoinPage({ ...invitation.invited, account: signedIn, errors: { _: [t('registro.joining.administers')] } }),
        409,
      )
    return show(reply, token, signedIn)
  })
}

type Open = Extract<ReadCollaboration, { kind: 'open' }>

/** What a link to an agency asks for, by the role it gives. */
const invitedTo = (token: string, { rol, agencia: { nombre: agencia, adminMail: email }, account }: Open) => ({
  invitee: account,
  invited: {
    title: t(rol === 'administrador' ? 'registro.joining.manage' : 'registro.joining.collaborate', { agencia }),
    meaning:
      rol === 'administrador'
        ? t('registro.joining.manageMeans', { agencia, email })
        : t('registro.joining.collaborateMeans', { email }),
    path: `/colaborar/${token}`,
  },
})
