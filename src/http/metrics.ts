import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'rodado_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  app.addHook('onResponse', ({ method, route }, { statusCode: status, elapsedTime }, done) => {
    durations.observe({ method, route: route.url ?? 'none', status }, elapsedTime / 1000)
    done()
  })
}

interface MetricsOptions {
  host: string
  port: number
  /** If set, a client has to send it as a Bearer token. */
  token: string | undefined
}

/** Serves /metrics apart from the API, so that it need not face the internet. */
export async function serveMetrics(registry: Registry, { host, port, token }: MetricsOptions) {
  const isPermitted = token === undefined ? () => true : bearerCheck(token)
  const server = createServer(({ url, method = '', headers }, response) => {
    if (url !== '/metrics') return response.writeHead(404).end()
    // A webhook is a POST: none reads them, whichever node of a network it is sent to.
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end()
    if (!isPermitted(headers.authorization)) return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Compares digests, which have one length, so that the time says nothing about the token. */
function bearerCheck(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(token)
  return (authorization = '') => timingSafeEqual(digest(/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''), expected)
}
