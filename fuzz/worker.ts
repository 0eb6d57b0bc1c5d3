// One process of a fuzz run: a share of the requests, on servers and databases of its own. Started by run.ts.
import { openApi } from './api.ts'
import { campaign, type Totals } from './campaign.ts'
import { openPages } from './pages.ts'
import type { Report } from './report.ts'
import type { Surface } from './surface.ts'

/** What a worker is asked to do: so many requests to each side. */
export interface Share {
  API: number
  pages: number
  seed: number
}

const tell = (report: Report) => new Promise<void>((resolve) => void process.send?.(report, () => resolve()))

async function explore<T>(open: () => Promise<Surface<T>>, requests: number, seed: number): Promise<void> {
  if (requests === 0) return
  const surface = await open()
  const { name: side } = surface
  try {
    const onProgress = (totals: Totals) => void tell({ side, totals })
    await tell({ side, totals: await campaign(surface, { requests, seed, onProgress }) })
  } finally {
    await surface.stop()
  }
}

const { API, pages, seed }: Share = JSON.parse(process.argv[2] ?? '')
await explore(openApi, API, seed)
await explore(openPages, pages, seed)
process.disconnect?.()
