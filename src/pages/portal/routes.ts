import type { FastifyInstance } from 'fastify'
import type { PageDeps } from '../signed-in.ts'
import { keysRoutes } from './claves/routes.tsx'
import { resendRoutes } from './entregas/resend-routes.ts'
import { deliveriesRoutes } from './entregas/routes.tsx'
import { joinRoutes } from './equipo/join-routes.ts'
import { teamRoutes } from './equipo/routes.tsx'
import { eventsRoutes } from './eventos/routes.ts'
import { portalHomeRoutes } from './home/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { tryRoutes } from './probar/routes.ts'
import { goLiveRoutes } from './puesta-en-marcha/routes.tsx'
import { usageRoutes } from './uso/routes.ts'
import { editWebhookRoutes } from './webhooks/edit-routes.tsx'
import { webhooksRoutes } from './webhooks/routes.ts'

/** /portal: what a partner's developers see of their apps. */
export function portalRoutes(app: FastifyInstance, deps: PageDeps): void {
  portalHomeRoutes(app, deps)
  overviewRoutes(app, deps)
  keysRoutes(app, deps)
  webhooksRoutes(app, deps)
  editWebhookRoutes(app, deps)
  resendRoutes(app, deps)
  deliveriesRoutes(app, deps)
  eventsRoutes(app, deps)
  teamRoutes(app, deps)
  joinRoutes(app, deps)
  goLiveRoutes(app, deps)
  tryRoutes(app, deps)
  usageRoutes(app, deps)
}
