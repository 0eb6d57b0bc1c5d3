import type { FastifyInstance } from 'fastify'
import { serveList } from '../list.tsx'
import { withRoles } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'
import { agenciasPages } from './agencias/routes.tsx'
import { appsRoutes } from './apps/routes.tsx'
import { AUDITORIA_LIST } from './auditoria.tsx'
import { consultasPages } from './consultas.tsx'
import { type ConsoleContext, consoleContext } from './context.tsx'
import { correosRoutes } from './correos.tsx'
import { entregasPages } from './entregas.tsx'
import { incidentsRoutes } from './incidentes.tsx'
import { brandRoutes } from './marca.tsx'
import { consoleOverviewRoutes } from './overview.tsx'
import { staffRoutes } from './personal/routes.tsx'
import { publicacionesConsoleRoutes } from './publicaciones/routes.tsx'
import { sitiosRoutes } from './sitios.tsx'
import { erasureRoutes } from './supresiones.tsx'

/** /consola: the pages of the marketplace's staff. */
export async function consolePages(scope: FastifyInstance, { deps }: { deps: PageDeps }): Promise<void> {
  const { personal: app } = withRoles(scope, (request, reply) => consoleContext(deps, request, reply), {
    personal: (ctx: ConsoleContext) => ctx,
  })
  consoleOverviewRoutes(app, deps)
  agenciasPages(app, deps)
  appsRoutes(app, deps)
  consultasPages(app, deps)
  publicacionesConsoleRoutes(app, deps)
  entregasPages(app, deps)
  correosRoutes(app, deps)
  erasureRoutes(app, deps)
  sitiosRoutes(app, deps)
  brandRoutes(app, deps)
  incidentsRoutes(app, deps)
  staffRoutes(app, deps)
  serveList(app, '/auditoria', deps, AUDITORIA_LIST)
}
