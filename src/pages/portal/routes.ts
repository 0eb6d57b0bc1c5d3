import type { FastifyInstance } from 'fastify'
import type { People } from '../people.ts'

/** /portal: what a partner's developers see of their apps. */
export function portalRoutes(_app: FastifyInstance, _people: People): void {}
