import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { isPasswordOf, MAX_PASSWORD } from '../../../accounts/password.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { inviteOperator, removeOperator } from '../../../resources/agencias/operators.ts'
import { pendingOperadores } from '../../../resources/agencias/read.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { formOf, formRoute, line, secret } from '../../form.ts'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountPages, ADMINISTRATOR, type AgencyContext, asAdministrator, atAgency } from '../context.tsx'
import { administratorPage } from './administrator-page.tsx'
import { peoplePage } from './list-page.tsx'

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
    if (kind === 'asked') return redirectWithNotice(reply, 'invitado', LIST)
    return show(reply, who, { email, errors: { Email: [REFUSALS[kind]] } })
  })

  serveConfirmation(app, '/colaboradores/:id/quitar', {
    audience: ADMINISTRATOR,
    section: LIST,
    // A vendedor, or a person who was invited and has not accepted.
    load: async ({ id }: { id: string }, { agencia }) => {
      const operador = agencia.operadores.find((each) => String(each.accountId) === id && each.rol === 'vendedor')
      if (operador) return { accountId: operador.accountId, name: fullName(operador), joined: true }
      const invited = (await pendingOperadores(store, agencia.id)).find((each) => String(each.accountId) === id)
      if (!invited) throw notFound()
      return { accountId: invited.accountId, name: invited.email, joined: false }
    },
    question: ({ name, joined }, { agencia }) =>
      joined
        ? {
            title: `¿Quitar a ${name}?`,
            button: 'Sí, quitar',
            consequences: (
              <p>{`Deja de ver ${agencia.nombre} y se cierran sus sesiones. Puede volver a invitarle cuando quiera.`}</p>
            ),
          }
        : {
            title: `¿Retirar la invitación a ${name}?`,
            button: 'Sí, retirar',
            consequences: <p>El enlace que recibió deja de servir.</p>,
          },
    act: ({ accountId }, { agencia, account }) => removeOperator(deps, agencia, accountId, account),
    notice: ({ joined }) => (joined ? 'quitado' : 'retirada'),
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
    // A stolen session must not be enough to give the agency away.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    if (await isPasswordOf(store, account, secret(form))) attempt.giveBack()
    else errors.Clave = ['No es su clave. Escríbala otra vez.']
    const invited = errors.Clave
      ? undefined
      : await inviteOperator(deps, { agencia, email, rol: 'administrador', by: account })
    if (invited?.kind === 'asked') return redirectWithNotice(reply, 'reemplazo', LIST)
    if (invited)
      errors.Email = [invited.kind === 'already' ? 'Usted ya administra la agencia.' : REFUSALS[invited.kind]]
    return page(reply, administratorPage({ ctx, email, errors }), 400)
  })
}
