import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { notFound } from '../../../http/problems.ts'
import { inviteOperator, removeOperator } from '../../../resources/agencias/operators.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { type ById, openAgencias } from './access.ts'
import { agenciaPage } from './one-page.tsx'
import { AGENCIAS, agenciaHref } from './parts.tsx'

const REFUSALS = {
  invalid: 'Escriba un correo, por ejemplo nombre@agencia.com.',
  already: 'Esa persona ya administra la agencia.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
  blocked:
    'Quien usa esa dirección pidió no recibir más invitaciones. Si la espera, que escriba a atención al cliente.',
  flood: 'Hoy ya se enviaron todas las invitaciones que una agencia puede enviar en un día. Siga mañana.',
}

/** /consola/agencias/{id}/personas and …/administrador: the people of an agency, managed by the marketplace. */
export function agenciaPeopleRoutes(app: ConsolePages, deps: PageDeps): void {
  const agencias = openAgencias(deps)

  app.post<ById>('/agencias/:id/administrador', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    const email = line(formOf(request), 'Email')
    const { kind } = await inviteOperator(deps, { agencia, email, rol: 'administrador' })
    if (kind !== 'invited') {
      const replacement = { email, error: REFUSALS[kind] }
      return page(reply, agenciaPage({ ctx, ...(await agencias.view(agencia)), replacement }), 400)
    }
    await ctx.audit('agencia.administrador', agencia.adminMail)
    return redirectWithNotice(reply, 'agencia-reemplazo', `${agenciaHref(agencia)}#personas`)
  })

  serveConfirmation(app, '/agencias/:id/personas/:accountId/quitar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, accountId }: { id: string; accountId: string }) => {
      const agencia = await agencias.find(id)
      const operador = agencia.operadores.find((each) => String(each.accountId) === accountId)
      // The administrator is replaced, not removed.
      if (operador?.rol !== 'vendedor') throw notFound('Esa persona no colabora en la agencia.')
      return { agencia, operador }
    },
    above: ({ agencia }) => ({ href: agenciaHref(agencia), label: agencia.nombre }),
    question: ({ operador }) => ({
      title: `¿Quitar a ${fullName(operador)}?`,
      button: 'Sí, quitar',
      consequences: (
        <ul>
          <li>Deja de ver las consultas y los avisos de la agencia, y sus sesiones se cierran.</li>
          <li>Las consultas que tiene a cargo siguen a su nombre; las ve quien administra.</li>
          <li>Las apps reciben agencia.modificada.</li>
        </ul>
      ),
    }),
    act: async ({ agencia, operador: { accountId } }, ctx) => {
      if (!(await removeOperator(deps, agencia, accountId))) throw notFound()
      await ctx.audit('agencia.quitar-persona', agencia.adminMail, { cuenta: accountId })
    },
    notice: 'agencia-operador-quitado',
    next: ({ agencia }) => `${agenciaHref(agencia)}#personas`,
  })
}
