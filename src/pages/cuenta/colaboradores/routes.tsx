import type { FastifyReply } from 'fastify'
import { fullName } from '../../../accounts/account.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { isPasswordOf, MAX_PASSWORD } from '../../../accounts/password.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { inviteOperator, removeOperator } from '../../../resources/agencias/operators.ts'
import { pendingOperadores } from '../../../resources/agencias/store.ts'
import { CONFIRMATION, formOf, formRoute, line, secret } from '../../form.ts'
import { page } from '../../page.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import { type AccountPages, type AgencyContext, asAdministrator, atAgency } from '../context.tsx'
import { administratorPage } from './administrator-page.tsx'
import { peoplePage } from './list-page.tsx'

type ById = { Params: { id: string } }
const LIST = '/cuenta/colaboradores'
type Refused = Exclude<Awaited<ReturnType<typeof inviteOperator>>['kind'], 'asked'>

const REFUSALS: Record<Refused, string> = {
  invalid: 'Escriba un correo de hasta 50 caracteres, por ejemplo nombre@agencia.com.',
  already: 'Esa persona ya trabaja en la agencia.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que una agencia puede enviar en un día. Siga mañana.',
}

/** /cuenta/colaboradores and /cuenta/administrador: who works at the agency, decided by its administrator. */
export function accountPeopleRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, attempts } = deps

  app.get('/colaboradores', async (request, reply) => {
    const ctx = atAgency(request.ctx)
    return show(reply, ctx)
  })

  async function show(reply: FastifyReply, ctx: AgencyContext, invited?: { email: string; errors: Errors }) {
    const decides = ctx.agencia.rol === 'administrador'
    const pending = decides ? await pendingOperadores(store, ctx.agencia.id) : []
    return page(reply, peoplePage({ ctx, pending, invited }), invited ? 400 : 200)
  }

  app.post('/colaboradores', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const who = asAdministrator(request.ctx)
    const email = line(formOf(request), 'Email')
    const { kind } = await inviteOperator(deps, { agencia: who.agencia, email, rol: 'vendedor', by: who.account })
    if (kind === 'asked') return done(reply, 'invitado', LIST)
    return show(reply, who, { email, errors: { Email: [REFUSALS[kind]] } })
  })

  /** Somebody whom the administrator may remove: who works there, or was asked and has not come. */
  async function removable(agencia: Agencia, id: string) {
    const there = agencia.operadores.find((each) => String(each.accountId) === id && each.rol === 'vendedor')
    if (there) return { accountId: there.accountId, name: fullName(there), came: true }
    const asked = (await pendingOperadores(store, agencia.id)).find((each) => String(each.accountId) === id)
    if (!asked) throw notFound()
    return { accountId: asked.accountId, name: asked.email, came: false }
  }

  app.get<ById>('/colaboradores/:id/quitar', async (request, reply) => {
    const ctx = asAdministrator(request.ctx)
    const { name, came } = await removable(ctx.agencia, request.params.id)
    const title = came ? `¿Quitar a ${name}?` : `¿Retirar la invitación a ${name}?`
    const text = came
      ? `Deja de ver ${ctx.agencia.nombre} y se cierran sus sesiones. Puede volver a invitarle cuando quiera.`
      : 'El enlace que recibió deja de servir.'
    const button = came ? 'Sí, quitar' : 'Sí, retirar'
    const action = `${LIST}/${request.params.id}/quitar`
    return page(reply, confirmPage({ ctx, section: LIST, title, action, button, children: <p>{text}</p> }))
  })

  app.post<ById>('/colaboradores/:id/quitar', CONFIRMATION, async (request, reply) => {
    const who = asAdministrator(request.ctx)
    const { accountId, came } = await removable(who.agencia, request.params.id)
    await removeOperator(deps, who.agencia, accountId, who.account)
    return done(reply, came ? 'quitado' : 'retirada', LIST)
  })

  app.get('/administrador', async (request, reply) => {
    const ctx = asAdministrator(request.ctx)
    return page(reply, administratorPage({ ctx }))
  })

  app.post('/administrador', formRoute(MAIL_CHARACTERS + MAX_PASSWORD), async (request, reply) => {
    const ctx = asAdministrator(request.ctx)
    const { account, agencia } = ctx
    const form = formOf(request)
    const email = line(form, 'Email')
    const errors: Errors = {}
    // An agency is not given away by whoever found a session open.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    if (await isPasswordOf(store, account, secret(form))) attempt.giveBack()
    else errors.Clave = ['No es su clave. Escríbala otra vez.']
    const asked = errors.Clave
      ? undefined
      : await inviteOperator(deps, { agencia, email, rol: 'administrador', by: account })
    if (asked?.kind === 'asked') return done(reply, 'reemplazo', LIST)
    if (asked) errors.Email = [asked.kind === 'already' ? 'Usted ya administra la agencia.' : REFUSALS[asked.kind]]
    return page(reply, administratorPage({ ctx, email, errors }), 400)
  })
}
