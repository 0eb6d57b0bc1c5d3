import { publishListings } from './inquiries/intake.ts'
import { loadInquiries, needRoomFor, type Settled } from './inquiries/load.ts'
import type { Dealer } from './inquiries/rows.ts'
import type { Installation } from './installation.ts'

/** A market to ask about: its agencies, the largest first, listings of some, and the key of the site that asks. */
export interface Market {
  dealers: Dealer[]
  avisos: number[]
  /** Whose listings they are. */
  app: number
  sitioKey: string
}

/** Loads so many inquiries to those agencies, and what asking about listings needs. */
export async function openMarket(
  installation: Installation,
  { dealers, apps }: Settled,
  count: number,
  progress: (line: string) => void,
): Promise<Market> {
  await needRoomFor(count, installation.folder)
  progress(`loading ${count.toLocaleString('en')} inquiries`)
  const began = performance.now()
  await loadInquiries(installation, { dealers, apps }, count)
  const avisos = await publishListings(installation, dealers, apps[0])
  const { SitioKey: sitioKey } = await installation.command<{ SitioKey: string }>('sitio', 'create')
  progress(`inquiries loaded in ${Math.round((performance.now() - began) / 1000)} s`)
  return { dealers, avisos, app: apps[0], sitioKey }
}
