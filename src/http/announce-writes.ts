import type { FastifyInstance } from 'fastify'
import type { ClientId, Store } from '../store/db.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person, whose writes are remembered. */
    writer: ClientId | undefined
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Before a write is answered: what an app or a person wrote is read back by them (store/replicas.ts). */
export function announceWrites(app: FastifyInstance, store: Store): void {
  app.decorateRequest('writer')
  app.addHook('onSend', (request, _reply, payload, done) => {
    const client = READS.has(request.method) ? undefined : (request.writer ?? clientOf(request.caller))
    if (!client) return done(null, payload)
    store.wrote(client).then(() => done(null, payload), done)
  })
}

const clientOf = (caller: { id: number } | undefined): ClientId | undefined => caller && `app:${caller.id}`
