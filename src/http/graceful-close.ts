import type { FastifyInstance } from 'fastify'

const SWEEP_MS = 50
const PATIENCE_MS = 6_000 // what has not finished by then is a client that does not read, or never sends the rest

/**
 * Lets a server end soon and politely: connections that fall idle are closed at once, and those that never do are cut
 * before an orchestrator would kill the process. Returns whether it is closing: an answer given then is the last on its
 * connection.
 */
export function closeGracefully(app: FastifyInstance): () => boolean {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    if (!app.server.listening) return done() // nobody came, and `close` would never be told
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
    const last = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(last)
    })
    done()
  })
  return () => closing
}
