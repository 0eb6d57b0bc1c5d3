import type { FastifyInstance } from 'fastify'
import { withMethods } from '../../http/allowed-methods.ts'
import { serveList } from '../list.tsx'
import { withContext } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'
import { agenciasRoutes } from './agencias/routes.ts'
import { appsRoutes } from './apps/routes.ts'
import { AUDITORIA_LIST } from './auditoria/list.tsx'
import { consultasRoutes } from './consultas/routes.ts'
import { consoleContext } from './context.tsx'
import { lettersRoutes } from './correos/routes.ts'
import { entregasRoutes } from './entregas/routes.tsx'
import { consoleOverviewRoutes } from './overview/routes.tsx'
import { ownAccessRoutes } from './personal/access-routes.ts'
import { staffRoutes } from './personal/routes.tsx'
import { publicacionesConsoleRoutes } from './publicaciones/routes.ts'
import { sitiosRoutes } from './sitios/routes.tsx'
import { suppressionsRoutes } from './supresiones/routes.tsx'

/** /consola: the pages of the marketplace's staff. */
export async function consolePages(scope: FastifyInstance, { deps }: { deps: PageDeps }): Promise<void> {
  const app = withContext(scope, (request, reply) => consoleContext(deps, request, reply))
  withMethods(scope, () => {
    consoleOverviewRoutes(app, deps)
    agenciasRoutes(app, deps)
    appsRoutes(app, deps)
    consultasRoutes(app, deps)
    publicacionesConsoleRoutes(app, deps)
    entregasRoutes(app, deps)
    lettersRoutes(app, deps)
    suppressionsRoutes(app, deps)
    sitiosRoutes(app, deps)
    staffRoutes(app, deps)
    ownAccessRoutes(app, deps)
    serveList(app, '/auditoria', deps, AUDITORIA_LIST)
  })
}
