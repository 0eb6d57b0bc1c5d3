import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'
import { agenciasRoutes } from './agencias/routes.ts'
import { appsRoutes } from './apps/routes.ts'
import { consultasRoutes } from './consultas/routes.ts'
import { entregasRoutes } from './entregas/routes.tsx'
import { ownAccessRoutes } from './personal/access-routes.ts'
import { staffRoutes } from './personal/routes.tsx'
import { publicacionesConsoleRoutes } from './publicaciones/routes.ts'
import { sitiosRoutes } from './sitios/routes.tsx'

/** /consola: what the marketplace's staff sees and does. */
export function consoleRoutes(app: FastifyInstance, people: People): void {
  agenciasRoutes(app, people)
  appsRoutes(app, people)
  consultasRoutes(app, people)
  entregasRoutes(app, people)
  publicacionesConsoleRoutes(app, people)
  sitiosRoutes(app, people)
  staffRoutes(app, people)
  ownAccessRoutes(app, people)
}
