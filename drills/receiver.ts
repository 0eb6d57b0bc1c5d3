import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Someone who takes webhooks and remembers how often each came. */
export interface Receiver {
  url: string
  /** Those that were taken: answered with 200. */
  times: Map<string, number>
  /** How many were answered with 500. */
  refused(): number
  close(): Promise<void>
}

const LONGEST_MS = 20 // now and then it takes its time, so that kills find deliveries under way

/** `illness`: the share of calls that it answers with 500, as receivers do. */
export async function openReceiver(failureRate = 0): Promise<Receiver> {
  const times = new Map<string, number>()
  let refused = 0
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    request.resume().on('end', () => {
      const fails = Math.random() < failureRate
      if (fails) refused++
      else times.set(id, (times.get(id) ?? 0) + 1)
      response.statusCode = fails ? 500 : 200
      setTimeout(() => response.end(), Math.random() * LONGEST_MS)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    times,
    refused: () => refused,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
