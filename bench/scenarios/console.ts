import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
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
import { BARE_STATEMENTS, startRodado } from '../server-process.ts'
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

/** Asks the server as a browser does, over a connection that is kept; each time from another address, for its limits. */
function browser(port: number, log: Log) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let turn = 0
  const ask = ({ who, path }: Page) =>
    new Promise<void>((resolve, reject) => {
      const from = `10.1.${(++turn >> 8) & 255}.${turn & 255}`
      const headers = { cookie: log.cookies[who], accept: 'text/html', 'x-forwarded-for': from }
      get({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
        answer.resume().on('end', resolve).on('error', reject)
      }).on('error', reject)
    })
  return { ask, close: () => agent.destroy() }
}

/**
 * What every page costs beside the statements it asks, with a million deliveries in the log: CPU of the server, in a process
 * of its own, and of PostgreSQL; and of the statements alone, which this process asks. In turns.
 */
export const consolePages: Scenario = {
  name: 'console',
  title: 'Pages of console and portal beside their own SQL, 1,000,000 deliveries',
  seconds: 45,

  async measure(bench: Bench): Promise<Pages> {
    const log = await bench.log()
    return withServer(bench, async (server) => {
      const { environment, folder, postgresMicros } = bench.installation
      const apart = { ...environment, ROLE: 'api', TRUST_PROXY: '127.0.0.1' }
      const served = await startRodado(apart, join(folder, 'pages.log'))
      const { ask, close } = browser(served.port, log)
      const hearing = listenTo(server.store)
      const inside = asking(server, log)
      const here = () => {
        const { user, system } = process.cpuUsage()
        return user + system
      }
      const pages: Pages['pages'] = []
      try {
        for (const page of await pagesOf(server, log.appKey)) {
          await inside(page) // what is asked only the first time is not counted
          const questions = await hearing.during(() => inside(page))
          for (const began = performance.now(); performance.now() - began < WARM_UP_MS; ) await ask(page)
          const measured = await compare(
            { work: () => ask(page), spent: async () => (await served.cpuMicros()) + postgresMicros() },
            { work: () => hearing.ask(questions), spent: async () => here() + postgresMicros() },
          )
          pages.push({ title: page.title, statements: questions.length, ...measured })
          bench.progress(`console  ${page.title}  ${words(measured)}`)
        }
      } finally {
        close()
        await served.stop()
      }
      return { kind: 'pages', name: 'console', title: consolePages.title, target: 3, pages }
    })
  },
}

interface Measured {
  work(): Promise<void>
  spent(): Promise<number>
}

/** Microseconds of CPU, each the median of rounds in which page and statements take turns. */
async function compare(page: Measured, statements: Measured) {
  const times = await howOften(page.work)
  const micros = async ({ work, spent }: Measured): Promise<number> => {
    const before = await spent()
    for (let turn = 0; turn < times; turn++) await work()
    return ((await spent()) - before) / times
  }
  const measured = { pageMicros: [] as number[], sqlMicros: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    measured.sqlMicros.push(await micros(statements))
    measured.pageMicros.push(await micros(page))
  }
  return measured
}

async function howOften(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  for (let turn = 0; turn < FEWEST; turn++) await work()
  return Math.max(FEWEST, Math.ceil(ROUND_MS / ((performance.now() - began) / FEWEST)))
}

function words({ pageMicros, sqlMicros }: Pick<PageCost, 'pageMicros' | 'sqlMicros'>): string {
  const [page, statements] = [median(pageMicros), median(sqlMicros)]
  return `${Math.round(page)} µs of CPU, its SQL alone ${Math.round(statements)} µs: ${(page / statements).toFixed(2)}`
}
