import { join } from 'node:path'
import type { Client } from '../client/process.ts'
import { loadInquiries, settleDealers } from '../inquiries/load.ts'
import { targetsOf } from '../inquiries/page.ts'
import { install } from '../installation.ts'
import { captureAnswers, prepareRequests } from '../requests.ts'
import { startRodado } from '../server-process.ts'

/** An installation with so many inquiries, and its server. */
export interface Market {
  count: number
  agencies: number
  loadSeconds: number
  /** Addresses of pages: the first of the largest agency, which has a tenth of all; of others; the 99th of the largest. */
  largest: string[]
  others: string[]
  last: string[]
  /** Milliseconds a page takes, asked one after the other for that long. */
  timePages(client: Client, targets: string[], durationMs: number): Promise<number>
  close(): Promise<void>
}

export async function openMarket(count: number): Promise<Market> {
  const installation = await install()
  const began = performance.now()
  const settled = await settleDealers(installation, count)
  const { dealers } = settled
  await loadInquiries(installation, settled, count)
  const loadSeconds = (performance.now() - began) / 1000
  const ours = await startRodado(installation.environment, join(installation.folder, 'rodado.log'))
  const pages = targetsOf(dealers)
  const largest = pages.slice(0, 1)
  return {
    count,
    agencies: dealers.length,
    loadSeconds,
    largest,
    others: pages.filter((_, at) => at % 2 === 1),
    last: largest.map((page) => `${page}?pagina=99`),
    async timePages(client, targets, durationMs) {
      const asked = { name: 'growth', title: 'growth', targets, target: 1 }
      const answers = await captureAnswers(asked, installation, ours.port)
      const requests = await prepareRequests(asked, answers, installation, ours.port)
      const { answered, elapsedMicros } = await client.load({ port: ours.port, connections: 1, durationMs, requests })
      return elapsedMicros / answered / 1000
    },
    async close() {
      await ours.stop()
      await installation.remove()
    },
  }
}
