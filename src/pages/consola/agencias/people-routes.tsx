import { fullName } from '../../../accounts/account.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { notFound } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { inviteOperator, removeOperator } from '../../../resources/agencias/operators.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import type { ConsolePages } from '../context.tsx'
import { type ById, openAgencias } from './access.ts'
import { agenciaPage } from './one-page.tsx'
import { AGENCIAS, agenciaHref } from './parts.tsx'

type ByPerson = { Params: { id: string; accountId: string } }

const REFUSALS = {
  invalid: 'Escriba un correo, por ejemplo nombre@agencia.com.',
  already: 'Esa persona ya administra la agencia.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que una agencia puede enviar en un día. Siga mañana.',
}

/** /consola/agencias/{id}/personas and …/administrador: who works there, decided by the marketplace. */
export function agenciaPeopleRoutes(app: ConsolePages, deps: PageDeps): void {
  const agencias = openAgencias(deps)

  app.post<ById>('/agencias/:id/administrador', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const email = line(formOf(request), 'Email')
    const { kind } = await inviteOperator(deps, { agencia, email, rol: 'administrador' })
    if (kind !== 'asked') {
      const replacement = { email, error: REFUSALS[kind] }
      return page(reply, agenciaPage({ ctx, ...(await agencias.view(agencia)), replacement }), 400)
    }
    await ctx.audit('agencia.administrador', agencia.adminMail)
    return done(reply, 'agencia-reemplazo', `${agenciaHref(agencia)}#personas`)
  })

  app.get<ByPerson>('/agencias/:id/personas/:accountId/quitar', async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const operador = vendedorOf(agencia, request.params.accountId)
    return page(
      reply,
      confirmPage({
        ctx,
        current: AGENCIAS,
        above: { href: agenciaHref(agencia), label: agencia.nombre },
        title: `¿Quitar a ${fullName(operador)}?`,
        action: `${agenciaHref(agencia)}/personas/${operador.accountId}/quitar`,
        button: 'Sí, quitar',
        children: (
          <ul>
            <li>Deja de ver las consultas y los avisos de la agencia, y sus sesiones se cierran.</li>
            <li>Las consultas que tiene a cargo siguen a su nombre; las ve quien administra.</li>
            <li>Las apps reciben agencia.modificada.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ByPerson>('/agencias/:id/personas/:accountId/quitar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const { accountId } = vendedorOf(agencia, request.params.accountId)
    if (!(await removeOperator(deps, agencia, accountId))) throw notFound()
    await ctx.audit('agencia.quitar-persona', agencia.adminMail, { cuenta: accountId })
    return done(reply, 'agencia-operador-quitado', `${agenciaHref(agencia)}#personas`)
  })
}

/** Somebody who helps there; whoever administers is replaced, not removed. */
function vendedorOf({ operadores }: Agencia, accountId: string) {
  const found = operadores.find((each) => String(each.accountId) === accountId && each.rol === 'vendedor')
  if (!found) throw notFound('Esa persona no colabora en la agencia.')
  return found
}
