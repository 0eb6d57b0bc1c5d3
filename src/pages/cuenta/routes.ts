import type { FastifyInstance } from 'fastify'
import { withRoles } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'
import { accesoRoutes } from './acceso/routes.tsx'
import { accountAppsRoutes } from './apps/routes.tsx'
import { accountPeopleRoutes } from './colaboradores/routes.tsx'
import { accountConsultasRoutes } from './consultas/routes.tsx'
import { ACCOUNT_ROLES, accountContext } from './context.tsx'
import { dataRoutes } from './datos/routes.tsx'
import { accountRoutes } from './overview/routes.tsx'
import { accountPublicacionesRoutes } from './publicaciones/routes.tsx'
import { sharingRoutes } from './reparto/routes.tsx'
import { sucursalesPages } from './sucursales/routes.tsx'

/** /cuenta: the pages of a dealership's people. */
export async function accountPages(scope: FastifyInstance, { deps }: { deps: PageDeps }): Promise<void> {
  const pages = withRoles(scope, (request, reply) => accountContext(deps, request, reply), ACCOUNT_ROLES)
  accountRoutes(pages, deps)
  accountAppsRoutes(pages, deps)
  accountPeopleRoutes(pages, deps)
  accountConsultasRoutes(pages, deps)
  accountPublicacionesRoutes(pages, deps)
  sharingRoutes(pages, deps)
  dataRoutes(pages, deps)
  sucursalesPages(pages, deps)
  accesoRoutes(pages.persona, deps)
}
