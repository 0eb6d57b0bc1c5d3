// npm run bench:growth [-- --sizes 100000,1000000,10000000]
// What operations cost PostgreSQL as the event log grows, in microseconds of its CPU. With ten million events the log
// takes some 20 GB and seven minutes to load. The last run is in results/growth-events.json.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../drills/cleanup.ts'
import { growDeliveryLog, loadMarket, type Market } from './fixture.ts'
import { bearer, type Credential, type Installation, install } from './installation.ts'
import { describeMachine } from './machine.ts'
import { markdown } from './report.ts'
import { type Bench, median } from './scenario.ts'
import { sendAtOnce, startReceiver, untilNonePending, writeBacklog } from './scenarios/deliveries.ts'
import { buildIfStale, progress, ROOT, type ServerProcess, withProcesses } from './server-process.ts'

const MARKET = 5_000
const ROUNDS = 5
const CONSULTAS = 400
const BACKLOG = 1_000
const READS = 200
const TOPIC = 'consulta.recibida'

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '10000,100000,1000000' } } })
const sizes = values.sizes.split(',').map(Number)
if (sizes.some((size, at) => !(size > (sizes[at - 1] ?? 0)))) {
  process.stderr.write('--sizes takes numbers of events that rise: --sizes 100000,1000000\n')
  process.exit(2)
}

/** One thing that is done `count` times in a round. */
interface Operation {
  title: string
  count: number
  run(): Promise<unknown>
}

await runWithCleanup(run)

async function run({ defer }: Cleanup): Promise<number> {
  buildIfStale(ROOT)
  const ours = await install('ours', ROOT, defer)
  const bench: Bench = { ours, rows: MARKET, rounds: ROUNDS, quick: false, progress, defer }
  const micros = new Map<string, number[]>()
  await withProcesses(async (started) => {
    const market = await loadMarket(bench, ours)
    const receiver = started(await startReceiver(bench))
    for (const [at, size] of sizes.entries()) {
      await growDeliveryLog(ours, market, sizes[at - 1] ?? 0, size)
      progress(`${size.toLocaleString('en')} events, ${await sizeOfLog(ours)}`)
      const server = await ours.start({}, 'any')
      try {
        for (const operation of await operations({ ours, market, server, arrivals: receiver.arrivals })) {
          const cost = await measure(ours, operation)
          micros.set(operation.title, [...(micros.get(operation.title) ?? []), cost])
          progress(`  ${operation.title}: ${Math.round(cost)} µs`)
        }
      } finally {
        await server.stop()
      }
    }
  })
  const report = [...micros].map(([title, costs]) => ({ title, micros: costs.map(Math.round) }))
  const head = ['PostgreSQL CPU µs', ...sizes.map((size) => size.toLocaleString('en')), 'last ÷ first']
  const table = report.map(({ title, micros }) => [
    title,
    ...micros.map((cost) => cost.toLocaleString('en')),
    ((micros.at(-1) ?? Number.NaN) / (micros[0] ?? Number.NaN)).toFixed(2),
  ])
  progress(`\n${markdown([head, ...table])}`)
  const file = join(ROOT, 'bench/results/growth-events.json')
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(file, `${JSON.stringify({ date, machine: describeMachine(), sizes, operations: report }, null, 2)}\n`)
  return 0
}

/** The median of some rounds after a warm-up. */
async function measure({ postgresMicros }: Installation, { count, run }: Operation): Promise<number> {
  await run()
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = postgresMicros()
    await run()
    costs.push((postgresMicros() - before) / count)
  }
  return median(costs)
}

interface Context {
  ours: Installation
  market: Market
  server: ServerProcess
  arrivals: Awaited<ReturnType<typeof startReceiver>>['arrivals']
}

async function operations({ ours, market, server, arrivals }: Context): Promise<Operation[]> {
  const sign = await bearer(ours, server.port) // signatures expire within minutes
  const get = (path: string) => read(server, sign, path)
  const [old] = await ours.sql<{ id: string }>(`select id from events where topic = '${TOPIC}' order by id limit 1`)
  const end = (await get('/v3/eventos?cursor=fin'))._links.next.href
  const reads = (title: string, path: string): Operation => ({
    title,
    count: READS,
    run: async () => {
      for (let nth = 0; nth < READS; nth++) await get(path)
    },
  })
  return [
    {
      title: 'An inquiry received and delivered',
      count: CONSULTAS,
      run: () => arrivals(CONSULTAS, () => sendAtOnce(server, market, CONSULTAS)),
    },
    {
      title: 'A delivery from a backlog: claimed and settled',
      count: BACKLOG,
      run: async () => {
        await arrivals(BACKLOG, async () => {
          await writeBacklog(ours, BACKLOG)
          ours.sql(`select pg_notify('outbox', 'deliveries')`)
        })
        await untilNonePending(ours)
      },
    },
    reads('The first page of eventos', '/v3/eventos'),
    reads('eventos, at its end', end),
    reads('The newest page of entregas', `/v3/appnotificaciones/${TOPIC}/entregas`),
    reads('The failed ones of entregas', `/v3/appnotificaciones/${TOPIC}/entregas?estado=fallida`),
    reads('One delivery, three months old', `/v3/appnotificaciones/${TOPIC}/entregas/${old?.id}`),
  ]
}

async function read({ port }: ServerProcess, sign: Credential, address: string) {
  const path = address.replace(/^https?:\/\/[^/]+/, '')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...sign(path, 0), accept: 'application/json' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

async function sizeOfLog({ sql }: Installation): Promise<string> {
  const [row] = await sql<{ size: string }>(`
    select pg_size_pretty(sum(pg_total_relation_size(inhrelid))) as size from pg_inherits
    where inhparent in ('events'::regclass, 'deliveries'::regclass, 'delivery_attempts'::regclass)`)
  return row?.size ?? ''
}
