// A worker process of a fuzz run with its own servers and databases. Started by run.ts.
import { type Cleanup, type Defer, runWithCleanup } from '../drills/cleanup.ts'
import { stopAtCleanup } from '../tests/support/own-postgres.ts'
import { openApi } from './api.ts'
import { campaign, type Totals } from './campaign.ts'
import { openPages } from './pages.ts'
import type { Report } from './report.ts'
import type { Surface } from './surface.ts'

/** The number of requests for each surface. */
export interface Share {
  API: number
  pages: number
  seed: number
}

const send = (report: Report) => new Promise<void>((resolve) => void process.send?.(report, () => resolve()))

async function explore<T>(
  defer: Defer,
  open: () => Promise<Surface<T>>,
  requests: number,
  seed: number,
): Promise<void> {
  if (requests === 0) return
  let stopped: Promise<void> | undefined
  const stop = (surface: Surface<T>) => (stopped ??= surface.stop())
  const surface = await stopAtCleanup(defer, open(), stop)
  const { name: side } = surface
  const onProgress = (totals: Totals) => void send({ side, totals })
  await send({ side, totals: await campaign(surface, { requests, seed, onProgress }) })
  await stop(surface)
}

async function main({ defer, end }: Cleanup): Promise<number> {
  // The parent has exited.
  const abandoned = () => void end(() => process.exit(1))
  process.once('disconnect', abandoned)
  if (!process.connected) abandoned() // it exited while this module was loading
  const { API, pages, seed }: Share = JSON.parse(process.argv[2] ?? '')
  await explore(defer, openApi, API, seed)
  await explore(defer, openPages, pages, seed)
  process.off('disconnect', abandoned)
  return 0
}

await runWithCleanup(main)
process.disconnect?.()
