// What a scrape of /metrics costs with a million waiting deliveries: `npm run bench:metrics`, with fewer `-- --rows 10000`.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { createCleanup, makeTempDir } from '../drills/cleanup.ts'
import { measureOutbox } from '../src/outbox/metrics.ts'
import { openStore, type Store } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded/start.ts'
import { migrate } from '../src/store/migrate.ts'
import { ulid } from '../src/ulid.ts'
import { DELIVERIES } from '../src/webhooks/handler.ts'
import { postgresMeter } from './machine.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const rows = Number(values.rows)
const WEBHOOKS = [1, 100, 1_000]
const SCRAPES = 20
const noLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** As counted before: every waiting row. */
const COUNT_ALL = sql`
  select count(*), min(due_at) filter (where not ${DELIVERIES.held}) from deliveries row where estado = 'pendiente'`

interface Cost {
  ms: number
  /** CPU of PostgreSQL and of this process: what it costs on a machine that is busy otherwise, too. */
  cpuMs: number
}

const costOf =
  (postgresMicros: () => number) =>
  async (work: () => Promise<unknown>): Promise<Cost> => {
    const [began, postgres, own] = [performance.now(), postgresMicros(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(own)
    return { ms: performance.now() - began, cpuMs: (postgresMicros() - postgres + user + system) / 1000 }
  }

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
const show = ({ ms, cpuMs }: Cost): string => `${ms.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms`

/** Waiting deliveries after as many that are settled; the latter are what a scan of the table would read first. */
async function fill(store: Store, webhooks: number): Promise<void> {
  const prefix = ulid(Date.now()).slice(0, 10)
  await store.query(sql`truncate deliveries`)
  for (const estado of ['entregada', 'pendiente'])
    await store.query(sql`
      insert into deliveries (id, app_id, webhook_id, estado, due_at)
      select ${prefix} || upper(substr(md5(${estado} || nth), 1, 16)), 1, 1 + nth % ${webhooks}, ${estado},
        now() - make_interval(secs => nth * 0.001)
      from generate_series(1, ${rows}::int) nth`)
  await store.query(sql`analyze deliveries`)
}

const { defer, end } = createCleanup(console.error)
try {
  const dataDir = join(makeTempDir(defer, 'bench'), 'data')
  const { connection, pid, stop } = await startEmbedded({ dataDir, log: noLog, purpose: 'command' })
  defer(stop)
  const measure = costOf(postgresMeter(pid))
  await migrate(connection)
  const store = openStore({ connection, max: 4, statementTimeoutMs: 600_000, withBreaker: false })
  defer(() => store.close())
  const registry = new Registry()
  measureOutbox(registry, store, [{ table: 'mails' }, { table: 'mail_receipts' }, DELIVERIES])
  for (const webhooks of WEBHOOKS) {
    await fill(store, webhooks)
    const counted = await measure(() => store.query(COUNT_ALL))
    const scrapes: Cost[] = []
    for (let nth = 0; nth < SCRAPES; nth++) scrapes.push(await measure(() => registry.metrics()))
    const typical = { ms: median(scrapes.map(({ ms }) => ms)), cpuMs: median(scrapes.map(({ cpuMs }) => cpuMs)) }
    const [, queued] = /rodado_outbox_queued\{table="deliveries"\} (\S+)/.exec(await registry.metrics()) ?? []
    console.log(`${rows} waiting in ${webhooks} webhooks: a scrape takes ${show(typical)}; it says ${queued}`)
    console.log(`  counting all of them takes ${show(counted)}`)
  }
} finally {
  await end()
}
