import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'
import { appsRoutes } from './apps/routes.ts'
import { ownAccessRoutes } from './personal/access-routes.ts'
import { staffRoutes } from './personal/routes.tsx'
import { sitiosRoutes } from './sitios/routes.tsx'

/** /consola: what the marketplace's staff sees and does. */
export function consoleRoutes(app: FastifyInstance, people: People): void {
  appsRoutes(app, people)
  sitiosRoutes(app, people)
  staffRoutes(app, people)
  ownAccessRoutes(app, people)
}
