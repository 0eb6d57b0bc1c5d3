import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Metric, Registry } from 'prom-client'
import { Durations } from './durations.ts'

/** How long answers take, by route and status: what a dashboard and an alert need first. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Durations(
    'rodado_http_request_duration_seconds',
    'Time from the first byte of a request to the last of its answer.',
  )
  registry.registerMetric(durations as object as Metric)
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(request.method, request.route.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
}

/** Serves /metrics apart from the API, so that it need not face the internet; returns how to end it. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
