import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { type ById, openAgencias } from './access.ts'
import { agenciaAppsRoutes } from './apps-routes.tsx'
import { invitacionesRoutes } from './invitaciones-routes.ts'
import { AGENCIAS_LIST } from './list.tsx'
import { agenciaPage } from './one-page.tsx'
import { packageRoutes } from './package-routes.ts'
import { agenciaPeopleRoutes } from './people-routes.tsx'

/** /consola/agencias: the dealerships, whatever app brought them. */
export function agenciasRoutes(app: ConsolePages, deps: PageDeps): void {
  const agencias = openAgencias(deps)

  serveList(app, '/agencias', deps, AGENCIAS_LIST)

  app.get<ById>('/agencias/:id', async (request, reply) => {
    const { ctx } = request
    const agencia = await agencias.find(request.params.id)
    await ctx.audit('agencia.leer', agencia.adminMail)
    return page(reply, agenciaPage({ ctx, ...(await agencias.view(agencia)) }))
  })

  packageRoutes(app, deps)
  agenciaAppsRoutes(app, deps)
  agenciaPeopleRoutes(app, deps)
  invitacionesRoutes(app, deps)
}
