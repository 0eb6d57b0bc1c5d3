import type { FastifyInstance } from 'fastify'
import { withRoles } from '../page.ts'
import type { PageDeps } from '../signed-in.ts'
import { alertsRoutes } from './alertas/routes.tsx'
import { keysRoutes } from './claves/routes.tsx'
import { PORTAL_ROLES, portalContext } from './context.tsx'
import { resendRoutes } from './entregas/resend-routes.tsx'
import { deliveriesRoutes } from './entregas/routes.tsx'
import { teamRoutes } from './equipo/routes.tsx'
import { eventsRoutes } from './eventos/routes.tsx'
import { callsRoutes } from './llamadas/routes.tsx'
import { overviewRoutes } from './overview/routes.tsx'
import { tryRoutes } from './probar/routes.tsx'
import { goLiveRoutes } from './puesta-en-marcha/routes.tsx'
import { usageRoutes } from './uso/routes.tsx'
import { editWebhookRoutes, webhooksRoutes } from './webhooks/routes.tsx'

/** /portal/{AppKey}: the pages of an app's developers. */
export async function portalPages(scope: FastifyInstance, { deps }: { deps: PageDeps }): Promise<void> {
  const pages = withRoles(scope, (request, reply) => portalContext(deps, request, reply), PORTAL_ROLES)
  const { desarrollador: app } = pages
  overviewRoutes(app, deps)
  keysRoutes(pages, deps)
  alertsRoutes(app, deps)
  webhooksRoutes(app, deps)
  editWebhookRoutes(app, deps)
  resendRoutes(app, deps)
  deliveriesRoutes(app, deps)
  eventsRoutes(app, deps)
  teamRoutes(pages, deps)
  goLiveRoutes(app, deps)
  tryRoutes(app, deps, scope)
  callsRoutes(app, deps)
  usageRoutes(app, deps)
}
