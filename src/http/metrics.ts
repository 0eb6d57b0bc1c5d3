import { hash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { HOUR_MS } from '../clock.ts'
import type { Config } from '../config.ts'
import { gauge } from '../store/metrics.ts'
import { VERSION } from '../version.ts'
import { readCertificate } from './certificate.ts'

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

const CERTIFICATE_MS = HOUR_MS

/** The version, the disk of the embedded store, and the certificate of PUBLIC_URL. */
export function measureProcess(
  registry: Registry,
  { role, publicUrl, databaseUrl, dataDir }: Pick<Config, 'role' | 'publicUrl' | 'databaseUrl' | 'dataDir'>,
): void {
  gauge(
    registry,
    'rodado_build_info',
    'Always 1; version, Node.js and role of this process.',
    ['version', 'node', 'role'],
    () => [[{ version: VERSION, node: process.version, role }, 1]],
  )

  if (databaseUrl === undefined)
    gauge(
      registry,
      'rodado_disk_bytes',
      'The disk of DATA_DIR, where the embedded PostgreSQL stores its data.',
      ['state'],
      async () => {
        const { bsize, bavail, blocks } = await statfs(dataDir)
        return [
          [{ state: 'free' }, bavail * bsize],
          [{ state: 'size' }, blocks * bsize],
        ]
      },
    )

  if (!publicUrl.startsWith('https:') || role === 'worker') return
  let readMs = Number.NEGATIVE_INFINITY
  let expiresAt: Date | undefined
  /** Not awaited: a scrape must not wait for the network. */
  async function renew(): Promise<void> {
    if (performance.now() - readMs < CERTIFICATE_MS) return
    readMs = performance.now()
    expiresAt = (await readCertificate(publicUrl).catch(() => undefined))?.expiresAt
    if (!expiresAt) readMs = Number.NEGATIVE_INFINITY // again at the next scrape
  }
  gauge(
    registry,
    'rodado_certificate_expiry_timestamp_seconds',
    'When the certificate of PUBLIC_URL expires, checked hourly, first after a scrape; absent if this node cannot reach it.',
    [],
    () => {
      void renew()
      return expiresAt && [[{}, expiresAt.getTime() / 1000]]
    },
  )
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
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(token)
  return (authorization = '') => timingSafeEqual(digest(/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''), expected)
}
