import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Receives webhooks and counts how often each event came. */
export interface Receiver {
  url: string
  /** By event id: how often it was answered with 200. */
  times: Map<string, number>
  /** How many calls were answered with 500. */
  refused(): number
  close(): Promise<void>
}

const MAX_MS = 20 // some responses take a while, so that kills hit deliveries in progress

/** `failureRate`: the share of calls answered with 500. */
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
      setTimeout(() => response.end(), Math.random() * MAX_MS)
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
