import { startClient } from '../client/process.ts'
import { type Market, openMarket } from './market.ts'
import { least, type Series } from './series.ts'

const WARM_MS = 2_000
/** Short and many, and of all sizes in turn: what else the machine does comes and goes, and falls on each alike. */
const ROUNDS = 40
const ROUND_MS = 150

const PAGES = {
  'largest agency, page 1': 'largest',
  'other agencies, page 1': 'others',
  'largest agency, page 99': 'last',
} as const

/** A page of inquiries while there are more and more of them; each size is an installation of its own. */
export async function measureInquiries(sizes: number[], progress: (line: string) => void): Promise<Series> {
  const markets: Market[] = []
  const client = startClient()
  try {
    for (const count of sizes) {
      const market = await openMarket(count)
      markets.push(market)
      progress(`inquiries  ${count.toLocaleString('en')} after ${Math.round(market.loadSeconds)} s`)
    }
    for (const market of markets) await market.timePages(client, [...market.largest, ...market.others], WARM_MS)
    const taken = new Map(
      markets.flatMap((market) => Object.values(PAGES).map((page) => [`${market.count} ${page}`, [] as number[]])),
    )
    for (let round = 0; round < ROUNDS; round++) {
      for (const market of markets)
        for (const page of Object.values(PAGES))
          taken.get(`${market.count} ${page}`)?.push(await market.timePages(client, market[page], ROUND_MS))
      if (round % 10 === 9) progress(`inquiries  round ${round + 1}/${ROUNDS}`)
    }
    const operations = Object.entries(PAGES).map(([title, page]) => ({
      title,
      ms: markets.map(({ count }) => least(taken.get(`${count} ${page}`) ?? [])),
    }))
    return { name: 'inquiries', title: 'inquiries', sizes, operations }
  } finally {
    await client.stop()
    for (const market of markets) await market.close()
  }
}
