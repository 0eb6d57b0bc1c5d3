import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/store/embedded/start.ts'
import { migrate } from '../../src/store/migrate.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import type { Visitor } from '../../tests/support/people.ts'
import { startServer } from '../../tests/support/server.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { listenTo } from '../console/asked.ts'
import { loadAgencies, loadDeliveries } from '../console/load.ts'
import { type Page, pagesOf, type Who } from '../console/pages.ts'
import { familyMicros } from '../deliveries/processes.ts'
import { roomFor } from '../inquiries/load.ts'
import { type Bench, median, type PageCost, type Pages, type Scenario } from '../scenario.ts'

const DELIVERIES = 1_000_000
const AGENCIES = 1_000
const ROUNDS = 5
/** A round asks for as long as this, so that hundredths of a second, in which PostgreSQL's time is told, are small. */
const ROUND_MS = 400
const FEWEST = 5
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * What a page costs beside the statements it asks, with a million deliveries in the log: CPU of this process and of
 * PostgreSQL, for the page and for its statements alone, in turns. The server stands in this process, which hears what it asks.
 */
export const consolePages: Scenario = {
  name: 'console',
  title: 'Pages of console and portal beside their own SQL, 1,000,000 deliveries',

  async measure({ progress }: Bench): Promise<Pages> {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-bench-'))
    const full = await roomFor(DELIVERIES, folder)
    if (full) throw new Error(full)
    const embedded = await startEmbedded({ dataDir: join(folder, 'data'), log: quiet, purpose: 'command' })
    try {
      await migrate(embedded.connection)
      // Limits go by a clock that runs a thousand times as fast: it is the pages that are measured.
      const server = await startServer({ connection: embedded.connection, nowMs: () => performance.now() * 1000 })
      try {
        const app = await server.newApp({ nombre: 'Bench' })
        const visitors = {
          developer: (await makeDeveloper(server, app)).visitor,
          staff: (await makeStaff(server)).visitor,
        }
        await loadAgencies(server.store, app.app.id, AGENCIES)
        progress(`console  loading ${DELIVERIES.toLocaleString('en')} deliveries`)
        await loadDeliveries(server.store, app.app.id, DELIVERIES)
        await analyze(embedded.connection)
        const hearing = listenTo(server.store)
        const spent = () => {
          const { user, system } = process.cpuUsage()
          return user + system + familyMicros(embedded.pid)
        }
        const ask = async ({ who, path }: Page) => {
          const { statusCode } = await server.app.inject({ url: path, headers: { cookie: cookieOf(visitors, who) } })
          if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
        }
        const pages: Pages['pages'] = []
        for (const page of await pagesOf(server, app.app.appKey)) {
          await ask(page) // once to warm up
          const questions = await hearing.during(() => ask(page))
          const measured = await compare(
            () => ask(page),
            () => hearing.ask(questions),
            spent,
          )
          pages.push({ title: page.title, statements: questions.length, ...measured })
          progress(`console  ${page.title}  ${words(measured)}`)
        }
        return { kind: 'pages', name: 'console', title: consolePages.title, target: 3, pages }
      } finally {
        await server.stop()
      }
    } finally {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

const cookieOf = (visitors: Record<Who, Visitor>, who: Who): string => visitors[who].cookie()

/** What COPY and inserts leave behind is tidied as autovacuum would in time. */
async function analyze(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

type Work = () => Promise<void>

/** Microseconds of CPU, each the median of rounds in which page and statements take turns. */
async function compare(page: Work, statements: Work, spent: () => number) {
  const times = await howOften(page)
  const micros = async (work: Work): Promise<number> => {
    const before = spent()
    for (let turn = 0; turn < times; turn++) await work()
    return (spent() - before) / times
  }
  const measured = { pageMicros: [] as number[], sqlMicros: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    measured.sqlMicros.push(await micros(statements))
    measured.pageMicros.push(await micros(page))
  }
  return measured
}

async function howOften(work: Work): Promise<number> {
  const began = performance.now()
  for (let turn = 0; turn < FEWEST; turn++) await work()
  return Math.max(FEWEST, Math.ceil(ROUND_MS / ((performance.now() - began) / FEWEST)))
}

function words({ pageMicros, sqlMicros }: Pick<PageCost, 'pageMicros' | 'sqlMicros'>): string {
  const [page, statements] = [median(pageMicros), median(sqlMicros)]
  return `${Math.round(page)} µs of CPU, its SQL alone ${Math.round(statements)} µs: ${(page / statements).toFixed(2)}`
}
