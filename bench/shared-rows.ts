import { type Log, openLog } from './console/load.ts'
import { openClient } from './database.ts'
import { needRoomFor, settleDealers } from './inquiries/load.ts'
import type { Installation } from './installation.ts'
import { type Market, openMarket } from './market.ts'

/** What scenarios share, each made when it is first asked for. */
export interface SharedRows {
  /** So many inquiries, and their agencies. */
  market(): Promise<Market>
  /** So many deliveries of an app, which tell of the same agencies. */
  log(): Promise<Log>
}

interface Wanted {
  installation: Installation
  count: number
  progress(line: string): void
  /** Whether both will be asked for: then they are loaded side by side, since neither keeps two cores busy. */
  both: boolean
}

export function shareRows({ installation, count, progress, both }: Wanted): SharedRows {
  const dealers = once(() => settleDealers(installation, count))
  const log = once(async () => openLog(installation, (await dealers()).dealers, count, progress))
  const inquiries = once(async () => openMarket(installation, await dealers(), count, progress))
  const sideBySide = once(async () => {
    await needRoomFor(2 * count, installation.folder)
    await Promise.allSettled([inquiries(), log()]) // what fails does not end while the other is still at it
    await tidyUp(installation)
  })
  return {
    log,
    async market() {
      if (both) await sideBySide()
      return inquiries()
    },
  }
}

/** Of rows that one load brought while the other was at work, PostgreSQL could not tell yet that all will see them. */
async function tidyUp({ connection }: Installation): Promise<void> {
  const client = await openClient(connection)
  await client.query('vacuum').finally(() => client.end())
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => (made ??= make())
}
