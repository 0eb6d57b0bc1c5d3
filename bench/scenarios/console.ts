import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { listenTo } from '../console/asked.ts'
import type { Log } from '../console/load.ts'
import { type Page, pagesOf } from '../console/pages.ts'
import { compareGets } from '../over-http.ts'
import {
  type Bench,
  type Comparison,
  median,
  type PageCost,
  type Pages,
  type Scenario,
  type Side,
} from '../scenario.ts'
import { BARE_STATEMENTS } from '../server-process.ts'
import { SESSION_KEY } from '../usual.ts'

const ROUNDS = 3
/** A round asks for as long as this, so that what begins and ends meanwhile is small. */
const ROUND_MS = 100
/** Pages that are asked for every day run as compiled code; so do these when they are measured. */
const WARM_UP_MS = 400
const FEWEST = 5
const LOG_OF_ALL = '/consola/entregas'

/** The server in this process, which hears what a page asks. Limits go by a clock that runs a thousand times as fast. */
async function withServer<T>({ installation }: Bench, work: (server: TestServer) => Promise<T>): Promise<T> {
  const { connection, masterKey } = installation
  const server = await startServer({ connection, masterKey, nowMs: () => performance.now() * 1000 })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const asking =
  (server: TestServer, log: Log) =>
  async ({ who, path }: Pick<Page, 'who' | 'path'>) => {
    const { statusCode } = await server.app.inject({ url: path, headers: { cookie: log.cookies[who] } })
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
  }

/** The log of all apps as staff sees it, beside its own statements with the same bytes sent, and beside the usual way. */
export const consolePage: Scenario = {
  name: 'console-page',
  title: 'Console: the log of 1,000,000 deliveries, a page',
  seconds: 27,

  async measure(bench): Promise<Comparison> {
    const log = await bench.log()
    const { installation } = bench
    const statements = await withServer(bench, async (server) => {
      const ask = asking(server, log)
      await ask({ who: 'staff', path: LOG_OF_ALL })
      const heard = await listenTo(server.store).during(() => ask({ who: 'staff', path: LOG_OF_ALL }))
      return heard.map(({ statement: { text, values }, plan }, at) => ({
        text,
        values,
        ...(plan && { name: `kept_${at}` }),
      }))
    })
    const about = { name: consolePage.name, title: consolePage.title, targets: [LOG_OF_ALL], target: 0.3 }
    return compareGets(bench, {
      asked: (side: Side) => ({
        ...about,
        credential: 'none',
        forwarded: true,
        headers: { cookie: side === 'usual' ? usualCookie(log) : log.cookies.staff, accept: 'text/html' },
      }),
      async bare([page], folder) {
        const file = join(folder, 'console.json')
        const { headers = [], body } = page ?? {}
        const answers = { [LOG_OF_ALL]: { headers, statements, body: body?.toString('base64') } }
        await writeFile(file, JSON.stringify({ connection: installation.connection, answers }))
        return { program: BARE_STATEMENTS, file }
      },
      usual: true,
      asksPostgres: true,
      environment: { TRUST_PROXY: '127.0.0.1' },
    })
  },
}

function usualCookie({ staff: { accountId, version } }: Log): string {
  const mac = createHmac('sha256', SESSION_KEY).update(`${accountId}.${version}`).digest('base64url')
  return `sesion=${accountId}.${version}.${mac}`
}

/**
 * What every page costs beside the statements it asks, with a million deliveries in the log: CPU of this process and of
 * PostgreSQL, for the page and for its statements alone, in turns.
 */
export const consolePages: Scenario = {
  name: 'console',
  title: 'Pages of console and portal beside their own SQL, 1,000,000 deliveries',
  seconds: 45,

  async measure(bench: Bench): Promise<Pages> {
    const log = await bench.log()
    return withServer(bench, async (server) => {
      const hearing = listenTo(server.store)
      const spent = () => {
        const { user, system } = process.cpuUsage()
        return user + system + bench.installation.postgresMicros()
      }
      const ask = asking(server, log)
      const pages: Pages['pages'] = []
      for (const page of await pagesOf(server, log.appKey)) {
        for (const began = performance.now(); performance.now() - began < WARM_UP_MS; ) await ask(page)
        const questions = await hearing.during(() => ask(page))
        const measured = await compare(
          () => ask(page),
          () => hearing.ask(questions),
          spent,
        )
        pages.push({ title: page.title, statements: questions.length, ...measured })
        bench.progress(`console  ${page.title}  ${words(measured)}`)
      }
      return { kind: 'pages', name: 'console', title: consolePages.title, target: 3, pages }
    })
  },
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
