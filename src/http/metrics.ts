import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

export interface MetricsOptions {
  host: string
  port: number
  /** Where it is set, whoever reads must send it as a Bearer token. */
  token: string | undefined
}

/** Serves /metrics apart from the API, so that it need not face the internet. */
export async function serveMetrics(
  registry: Registry,
  { host, port, token }: MetricsOptions,
): Promise<{ port: number; close(): Promise<void> }> {
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
