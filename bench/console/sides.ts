import { Agent, get } from 'node:http'
import { familyMicros } from '../deliveries/processes.ts'
import type { PageCost } from '../scenario.ts'
import type { ServerProcess } from '../server-process.ts'

const ROUNDS = 5
/** A round lasts at least as long as this, so that what begins and ends meanwhile is small. */
const ROUND_MS = 150
/** Pages that are asked for every day run as compiled code; so do these when they are measured, and so do their statements. */
const WARM_UP_MS = 400

interface Asked {
  path: string
  headers?: Record<string, string>
}

/** Asks a server as a browser does, over one connection that is kept. */
export function openBrowserAt({ port }: ServerProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    ask: ({ path, headers = {} }: Asked) =>
      new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers, agent }, (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
          let body = ''
          answer
            .setEncoding('utf8')
            .on('data', (text) => (body += text))
            .on('end', () => resolve(body))
            .on('error', reject)
        }).on('error', reject)
      }),
    stop: async () => agent.destroy(),
  }
}

type Browser = ReturnType<typeof openBrowserAt>

/** The two that are compared: who serves pages, and who asks only their statements (baselines/asks.js). */
export interface Sides {
  served: ServerProcess
  pages: Browser
  statements: Browser
}

/**
 * Microseconds of CPU for one page and for its statements. They take turns one by one: what is asked again and again with
 * nothing in between lies in the processor's caches, and costs PostgreSQL less than half of what it does for anybody.
 * Of PostgreSQL the processes count that work for one of them; what it tidies up in the background is nobody's.
 */
export async function compareSides(
  { served, pages, statements }: Sides,
  page: Asked,
  at: number,
): Promise<Pick<PageCost, 'pageMicros' | 'sqlMicros'>> {
  const backends = async () => {
    const { own, others } = JSON.parse(await statements.ask({ path: '/backends' })) as { own: number; others: number[] }
    return { own: familyMicros(own), others: new Map(others.map((pid) => [pid, familyMicros(pid)])) }
  }
  let address = 0
  const bothFor = async (ms: number) => {
    let [times, asking] = [0, 0]
    for (const until = performance.now() + ms; performance.now() < until; times++) {
      const from = { 'x-forwarded-for': `10.1.${(++address >> 8) & 255}.${address & 255}` } // pages are limited by address
      await pages.ask({ path: page.path, headers: { ...page.headers, ...from } })
      asking += Number(await statements.ask({ path: `/${at}` }))
    }
    return { times, asking }
  }
  const measured = { pageMicros: [] as number[], sqlMicros: [] as number[] }
  await bothFor(WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    const [before, servedBefore] = [await backends(), await served.cpuMicros()]
    const { times, asking } = await bothFor(ROUND_MS)
    const ofPage = (await served.cpuMicros()) - servedBefore
    const after = await backends()
    let ofOthers = 0
    for (const [pid, micros] of after.others) ofOthers += micros - (before.others.get(pid) ?? 0)
    measured.sqlMicros.push((asking + after.own - before.own) / times)
    measured.pageMicros.push((ofPage + ofOthers) / times)
  }
  return measured
}
