import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What stands before several nodes, as an operator's proxy does. */
export interface Balancer {
  url: string
  /** The nodes that it asks, in turn, from now on. */
  use(urls: string[]): void
  /** How many calls were made again at another node, because the first was gone. */
  retried(): number
  /** How many answers came from that node. */
  answeredBy(url: string): number
  close(): Promise<void>
}

interface Forwarded {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Passes calls on in turn. One that a node took with it is made again where that is safe: GET, or an Idempotency-Key. */
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
    const asked = nodes
    const first = turn++
    const tries = safe ? asked.length : 1
    for (let tried = 1; ; tried++) {
      const node = asked[(first + tried - 1) % asked.length] as string
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

/** An answer that was cut off is none. */
function forward(node: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Forwarded> {
  const { hostname, port } = new URL(node)
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ host: hostname, port, path: url, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('aborted', () => reject(new Error('The node went away.')))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
