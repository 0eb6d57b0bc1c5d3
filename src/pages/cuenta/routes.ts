import type { FastifyInstance } from 'fastify'
import { withContext } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'
import { accesoRoutes } from './acceso/routes.tsx'
import { accountAppsRoutes } from './apps/routes.tsx'
import { accountPeopleRoutes } from './colaboradores/routes.tsx'
import { accountConsultasRoutes } from './consultas/routes.tsx'
import { accountContext } from './context.tsx'
import { dataRoutes } from './datos/routes.tsx'
import { accountRoutes } from './overview/routes.tsx'
import { accountPublicacionesRoutes } from './publicaciones/routes.tsx'
import { sharingRoutes } from './reparto/routes.tsx'
import { sucursalesPages } from './sucursales/routes.tsx'

/** /cuenta: the pages of a dealership's people. */
export async function accountPages(scope: FastifyInstance, { deps }: { deps: PageDeps }): Promise<void> {
  const app = withContext(scope, (request, reply) => accountContext(deps, request, reply))
  accountRoutes(app, deps)
  accountAppsRoutes(app, deps)
  accountPeopleRoutes(app, deps)
  accountConsultasRoutes(app, deps)
  accountPublicacionesRoutes(app, deps)
  sharingRoutes(app, deps)
  dataRoutes(app, deps)
  sucursalesPages(app, deps)
  accesoRoutes(app, deps)
}
