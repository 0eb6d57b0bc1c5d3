import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { Histogram, type Series } from '../histogram.ts'
import type { Note } from './note.ts'

const BOUNDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** How long answers take, by route and status: what a dashboard and an alert need first. */
export function measureAnswers(registry: Registry): Note {
  const name = 'rodado_http_request_duration_seconds'
  const help = 'Time from the first byte of a request to the last of its answer.'
  const durations = new Histogram(registry, name, help, BOUNDS)
  /** By keys that are at hand: one text of all three would be made for every request. */
  const known = new Map<string, Map<string, Map<number, Series>>>()

  function open(route: string, method: string, status: number): Series {
    const methods = known.get(route) ?? new Map<string, Map<number, Series>>()
    const statuses = methods.get(method) ?? new Map<number, Series>()
    const series = durations.series({ method, route, status })
    known.set(route, methods.set(method, statuses.set(status, series)))
    return series
  }

  return ({ method, route: { url = 'none' }, status, ms }) => {
    const series = known.get(url)?.get(method)?.get(status) ?? open(url, method, status)
    series.observe(ms / 1000)
  }
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
