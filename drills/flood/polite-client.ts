import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Response } from './connection.ts'
import { isPromisedRefusal } from './outcome.ts'

const CONNECTIONS = 20

/** A request of a caller that keeps to every limit. */
export interface PoliteRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface PoliteResult {
  sent: number
  served: number
  /** 429 or 503 as specified. */
  refused: number
  wrong: string[]
  /** Of the answered requests; undefined if there was none. */
  p50: number | undefined
  p99: number | undefined
  /** The `location` headers of successful responses. */
  locations: string[]
}

/** Sends requests at a steady rate until stopped. */
export async function sendPolitely(url: string, perSecond: number, next: (count: number) => PoliteRequest) {
  // Keeps its connections open, as clients and balancers do: new ones wait for seconds under a flood (docs/trust.md).
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS })
  const greeting = { method: 'GET', path: '/health/live', headers: {} }
  await Promise.all(Array.from({ length: CONNECTIONS }, () => send(agent, url, greeting)))
  const times: number[] = []
  const under = new Set<Promise<void>>()
  const seen: Omit<PoliteResult, 'p50' | 'p99'> = { sent: 0, served: 0, refused: 0, wrong: [], locations: [] }
  async function sendNext(count: number): Promise<void> {
    const began = performance.now()
    const answer = await send(agent, url, next(count)).catch((error: Error) => error)
    if (answer instanceof Error) return void seen.wrong.push(`no answer: ${answer.message}`)
    times.push(performance.now() - began)
    if (answer.status < 300) {
      seen.served++
      const location = /\r\nlocation: (\S+)/i.exec(answer.head)?.[1]
      if (location) seen.locations.push(location)
    } else if (isPromisedRefusal(answer)) seen.refused++
    else seen.wrong.push(`${answer.status} ${answer.body.slice(0, 200)}`)
  }
  const asking = setInterval(() => {
    const one: Promise<void> = sendNext(seen.sent++).finally(() => under.delete(one))
    under.add(one)
  }, 1_000 / perSecond)
  return {
    async stop(): Promise<PoliteResult> {
      clearInterval(asking)
      await Promise.all(under)
      agent.destroy()
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]
      return { ...seen, p50: at(0.5), p99: at(0.99) }
    },
  }
}

function send(
  agent: Agent,
  url: string,
  { method, path, headers, body }: PoliteRequest,
): Promise<Omit<Response, 'dueMs' | 'atMs'>> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(path, url), { agent, method, headers }, (response) => {
      const head = response.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
      const status = response.statusCode ?? 0
      text(response).then((got) => resolve({ status, head: `\r\n${head.join('\r\n')}`, body: got }), reject)
    })
    asking.on('error', reject).end(body)
  })
}
