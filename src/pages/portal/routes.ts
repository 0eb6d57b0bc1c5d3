import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'
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
export function portalRoutes(app: FastifyInstance, people: People): void {
  portalHomeRoutes(app, people)
  overviewRoutes(app, people)
  keysRoutes(app, people)
  webhooksRoutes(app, people)
  editWebhookRoutes(app, people)
  resendRoutes(app, people)
  deliveriesRoutes(app, people)
  eventsRoutes(app, people)
  teamRoutes(app, people)
  joinRoutes(app, people)
  goLiveRoutes(app, people)
  tryRoutes(app, people)
  usageRoutes(app, people)
}
