import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer in front of several nodes. */
interface Balancer {
  url: string
  /** Sets the nodes, which are used in turn. */
  use(urls: string[]): void
  /** How many requests were retried on another node because the first was gone. */
  retried(): number
  /** How many responses came from a node. */
  answeredBy(url: string): number
  close(): Promise<void>
}

interface Forwarded {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Forwards requests in turn. A request lost with a node is retried if that is safe: GET, or with an Idempotency-Key. */
export async function openBalancer(): Promise<Balancer> {
  let nodes: string[] = []
  let turn = 0
  let retried = 0
  const answered = new Map<string, number>()

  async function pass(request: IncomingMessage): Promise<Forwarded> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const safe = request.method === 'GET' || request.headers['idempotency-key'] !== undefined
    const targets = nodes
    const first = turn++
    const tries = safe ? targets.length : 1
    for (let tried = 1; ; tried++) {
      const node = targets[(first + tried - 1) % targets.length] as string
      try {
        const answer = await forward(node, request, body)
        answered.set(node, (answered.get(node) ?? 0) + 1)
        return answer
      } catch (error) {
        if (tried >= tries) throw error
        retried++
      }
    }
  }

  const server = createServer((request, response) => {
    pass(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.writeHead(502).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(urls) {
      nodes = urls
    },
    retried: () => retried,
    answeredBy: (url) => answered.get(url) ?? 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Rejects if the response is cut off. */
function forward(node: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Forwarded> {
  const { hostname, port } = new URL(node)
  return new Promise((resolve, reject) => {
    const forwarded = httpRequest({ host: hostname, port, path: url, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('aborted', () => reject(new Error('The node went away.')))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    forwarded.on('error', reject)
    forwarded.end(body)
  })
}
