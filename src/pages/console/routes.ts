import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'

/** /consola: what the marketplace's staff sees and does. */
export function consoleRoutes(_app: FastifyInstance, _people: People): void {}
