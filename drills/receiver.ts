import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Someone who takes every webhook and remembers how often each came. */
export interface Receiver {
  url: string
  times: Map<string, number>
  close(): Promise<void>
}

const LONGEST_MS = 20 // now and then it takes its time, so that kills find deliveries under way

export async function openReceiver(): Promise<Receiver> {
  const times = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    request.resume().on('end', () => {
      times.set(id, (times.get(id) ?? 0) + 1)
      setTimeout(() => response.end(), Math.random() * LONGEST_MS)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    times,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
