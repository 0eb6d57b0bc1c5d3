import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Metric, Registry } from 'prom-client'
import { Durations } from './durations.ts'
import type { Note } from './note.ts'

/** How long answers take, by route and status: what a dashboard and an alert need first. */
export function measureAnswers(registry: Registry): Note {
  const durations = new Durations(
    'rodado_http_request_duration_seconds',
    'Time from the first byte of a request to the last of its answer.',
  )
  registry.registerMetric(durations as object as Metric)
  return ({ method, route, status, ms }) => durations.observe(method, route.url ?? 'none', status, ms / 1000)
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
