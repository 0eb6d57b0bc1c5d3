import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { statementsOf } from '../console/asked.ts'
import type { Log } from '../console/load.ts'
import { compareGets } from '../over-http.ts'
import type { Comparison, Scenario, Side } from '../scenario.ts'
import { BARE_STATEMENTS } from '../server-process.ts'
import { SESSION_KEY } from '../usual.ts'

export const LOG_OF_ALL = '/consola/entregas'

/** A page of fifty has 40,000, and one without any 5,000: of nothing nobody wants to know how fast it is. */
const SMALLEST_LOG_BYTES = 20_000

/** The log of all apps as staff sees it, beside its own statements with the same bytes sent, and beside the usual way. */
export const consolePage: Scenario = {
  name: 'console-page',
  title: 'Console: the log of 1,000,000 deliveries, a page',
  seconds: 27,

  async measure(bench): Promise<Comparison> {
    const log = await bench.log()
    const { installation } = bench
    const [statements] = await statementsOf(installation, log, [{ who: 'staff', path: LOG_OF_ALL }])
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
        if (!body || body.length < SMALLEST_LOG_BYTES) throw new Error('There are no deliveries to look at.')
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
