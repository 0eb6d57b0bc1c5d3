import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'
import { appsRoutes } from './apps/routes.ts'
import { sitiosRoutes } from './sitios/routes.tsx'

/** /consola: what the marketplace's staff sees and does. */
export function consoleRoutes(app: FastifyInstance, people: People): void {
  appsRoutes(app, people)
  sitiosRoutes(app, people)
}
