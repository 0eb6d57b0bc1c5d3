// One process of a fuzz run: a share of the requests, on servers and databases of its own. Started by run.ts.
import { openApi } from './api.ts'
import { campaign, type Totals } from './campaign.ts'
import { openPages } from './pages.ts'
import type { Surface } from './surface.ts'

/** What a worker is asked to do, and what it tells of. */
export interface Share {
  requests: number
  seed: number
}
export interface Report {
  surface: string
  totals: Totals
  done: boolean
}

/** People come less often than programs, and each of their requests costs more. */
const PAGES_SHARE = 0.1

const tell = (report: Report) => new Promise<void>((resolve) => void process.send?.(report, () => resolve()))

async function explore<T>(open: () => Promise<Surface<T>>, { requests, seed }: Share): Promise<void> {
  const surface = await open()
  const { name } = surface
  try {
    const onProgress = (totals: Totals) => void tell({ surface: name, totals, done: false })
    await tell({ surface: name, totals: await campaign(surface, { requests, seed, onProgress }), done: true })
  } finally {
    await surface.stop()
  }
}

const { requests, seed }: Share = JSON.parse(process.argv[2] ?? '')
const pages = Math.round(requests * PAGES_SHARE)
await explore(openApi, { requests: requests - pages, seed })
if (pages > 0) await explore(openPages, { requests: pages, seed })
process.disconnect?.()
