import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from 'node:v8'
import { openStore } from '../../src/store/db.ts'
import { statementsOf } from '../console/asked.ts'
import { pagesOf } from '../console/pages.ts'
import { compareSides, openBrowserAt } from '../console/sides.ts'
import type { Installation } from '../installation.ts'
import { type Bench, median, type PageCost, type Pages, type Scenario } from '../scenario.ts'
import { BARE_ASKS, startBaseline, startRodado } from '../server-process.ts'

/** What a browser says of itself with every page it asks for. */
const BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'es-AR,es;q=0.9' }

/**
 * What every page costs beside the statements it asks, with a million deliveries in the log. Both sides are processes of
 * their own on the servers' core, with PostgreSQL: the one answers a browser, the other asks the same statements and does
 * nothing else. What counts is the CPU of the process and of PostgreSQL.
 */
export const consolePages: Scenario = {
  name: 'console',
  title: 'Pages of console and portal beside their own SQL, 1,000,000 deliveries',
  seconds: 75,

  async measure({ installation, log: openLog, progress }: Bench): Promise<Pages> {
    const log = await openLog()
    const { environment, connection, folder, placePostgres } = installation
    const pages = await pagesWith(installation, log.appKey)
    const statements = await statementsOf(installation, log, pages)
    const file = join(folder, 'asked.v8')
    await writeFile(file, serialize({ connection, pages: statements }))
    const running: { stop(): Promise<void> }[] = []
    const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
      running.push(started)
      return started
    }
    placePostgres('server')
    try {
      const trusting = { ...environment, ROLE: 'api', TRUST_PROXY: '127.0.0.1' }
      const served = keep(await startRodado(trusting, join(folder, 'pages.log')))
      const asks = keep(await startBaseline(BARE_ASKS, file, join(folder, 'asks.log')))
      const sides = {
        served,
        pages: keep(openBrowserAt(served)),
        statements: keep(openBrowserAt(asks)),
      }
      const costs: PageCost[] = []
      for (const [at, { title, who, path }] of pages.entries()) {
        const page = { path, headers: { ...BROWSER, cookie: log.cookies[who] } }
        const micros = await compareSides(sides, page, at)
        costs.push({ title, statements: statements[at]?.length ?? 0, ...micros })
        progress(`console  ${title}  ${words(micros)}`)
      }
      return { kind: 'pages', name: 'console', title: consolePages.title, target: 3, pages: costs }
    } finally {
      for (const process of running.reverse()) await process.stop()
      placePostgres('anywhere')
    }
  },
}

async function pagesWith({ connection }: Installation, appKey: string) {
  const store = openStore({ connection, max: 1 })
  try {
    return await pagesOf(store, appKey)
  } finally {
    await store.close()
  }
}

function words({ pageMicros, sqlMicros }: Pick<PageCost, 'pageMicros' | 'sqlMicros'>): string {
  const [page, statements] = [median(pageMicros), median(sqlMicros)]
  return `${Math.round(page)} µs of CPU, its SQL alone ${Math.round(statements)} µs: ${(page / statements).toFixed(2)}`
}
