import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'
import { agenciasRoutes } from './agencias/routes.ts'
import { appsRoutes } from './apps/routes.ts'
import { auditRoutes } from './auditoria/routes.ts'
import { consultasRoutes } from './consultas/routes.ts'
import { lettersRoutes } from './correos/routes.ts'
import { entregasRoutes } from './entregas/routes.tsx'
import { consoleOverviewRoutes } from './overview/routes.tsx'
import { ownAccessRoutes } from './personal/access-routes.ts'
import { staffRoutes } from './personal/routes.tsx'
import { publicacionesConsoleRoutes } from './publicaciones/routes.ts'
import { sitiosRoutes } from './sitios/routes.tsx'
import { suppressionsRoutes } from './supresiones/routes.ts'

/** /consola: what the marketplace's staff sees and does. */
export function consoleRoutes(app: FastifyInstance, people: People): void {
  consoleOverviewRoutes(app, people)
  agenciasRoutes(app, people)
  appsRoutes(app, people)
  consultasRoutes(app, people)
  publicacionesConsoleRoutes(app, people)
  entregasRoutes(app, people)
  lettersRoutes(app, people)
  suppressionsRoutes(app, people)
  sitiosRoutes(app, people)
  staffRoutes(app, people)
  ownAccessRoutes(app, people)
  auditRoutes(app, people)
}
