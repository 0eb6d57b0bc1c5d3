import type { FastifyInstance } from 'fastify'

const SWEEP_MS = 50
const CLOSE_ALL_MS = 6_000 // what has not finished by then is a client that does not read, or never sends the rest

/**
 * Closes connections as soon as they are idle, and all of them before an orchestrator would kill the process. Returns
 * whether the server is closing: a response given then is the last on its connection.
 */
export function closeGracefully(app: FastifyInstance): () => boolean {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    if (!app.server.listening) return done() // without a listener `close` is never emitted
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
    const last = setTimeout(() => app.server.closeAllConnections(), CLOSE_ALL_MS)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(last)
    })
    done()
  })
  return () => closing
}
