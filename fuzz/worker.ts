// One process of a fuzz run: a share of the requests, on servers and databases of its own. Started by run.ts.
import { type Cleanup, type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { undone } from '../tests/support/own-server.ts'
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

async function explore<T>(
  defer: Defer,
  open: () => Promise<Surface<T>>,
  requests: number,
  seed: number,
): Promise<void> {
  if (requests === 0) return
  let stopped: Promise<void> | undefined
  const stop = (surface: Surface<T>) => (stopped ??= surface.stop())
  const surface = await undone(defer, open(), stop)
  const { name: side } = surface
  const onProgress = (totals: Totals) => void tell({ side, totals })
  await tell({ side, totals: await campaign(surface, { requests, seed, onProgress }) })
  await stop(surface)
}

async function main({ defer, end }: Cleanup): Promise<number> {
  // Whoever started it is gone, and would hear nothing more.
  const abandoned = () => void end(() => process.exit(1))
  process.once('disconnect', abandoned)
  if (!process.connected) abandoned() // while this was being loaded
  const { API, pages, seed }: Share = JSON.parse(process.argv[2] ?? '')
  await explore(defer, openApi, API, seed)
  await explore(defer, openPages, pages, seed)
  process.off('disconnect', abandoned)
  return 0
}

await runWithCleanup(main)
process.disconnect?.()
