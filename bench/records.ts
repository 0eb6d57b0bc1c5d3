// npm run bench:records [-- --rows N]
// What the log of calls, the last use of keys and the percentiles of receivers cost, beside the requests that they belong to:
// microseconds of CPU of the server (or this process) and PostgreSQL together. `rows` are inquiries and deliveries.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../drills/cleanup.ts'
import { MAX_PER_SECOND, openCallLog } from '../src/apps/call-log.ts'
import { recordSecretUses } from '../src/apps/secrets.ts'
import { findApp } from '../src/apps/store.ts'
import { maskedTarget } from '../src/record-calls.ts'
import { openStore, type Store } from '../src/store/db.ts'
import { receiverLatencies } from '../src/webhooks/latency.ts'
import { startClient } from './client.ts'
import { growDeliveryLog, loadMarket } from './fixture.ts'
import { getRequests } from './http.ts'
import { type Installation, install } from './installation.ts'
import { type Bench, median } from './scenario.ts'
import { onePaths, pagePaths } from './scenarios/consultas.ts'
import { ROOT, withProcesses } from './server-process.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } })
const ROUNDS = 7
const LOAD = { connections: 32, durationMs: 2_000 }
/** Calls that are stored together: those of a second. An app has at most fifty in the log. */
const TOGETHER = [MAX_PER_SECOND, 10, 1]
const FLUSHES = 200
const TIMES = 200
const noLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

await runWithCleanup(run)

async function run({ defer }: Cleanup): Promise<number> {
  execFileSync(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: ROOT, stdio: 'inherit' })
  const ours = await install('ours', ROOT, defer)
  const bench: Bench = { ours, rows: Number(values.rows), rounds: ROUNDS, quick: false, progress: say, defer }
  const market = await loadMarket(bench, ours)
  await ours.sql(
    `insert into webhooks (app_id, topic, callback)
     select $1, topic, 'https://avisos.example/rodado' from unnest(array['consulta.recibida', 'consulta.modificada']) topic`,
    [market.appId],
  )
  await growDeliveryLog(ours, market, 0, bench.rows)
  return withProcesses(async (started) => {
    const server = started(await ours.start())
    const client = started(await startClient())
    const requests: [title: string, paths: string[]][] = [
      ['Colour list', ['/v3/colores']],
      ['One inquiry', await onePaths(bench, ours)],
      ['Page of 25 inquiries', await pagePaths(bench, ours)],
    ]
    const costs = new Map<string, number>()
    for (const [title, paths] of requests) {
      const served = { name: 'ours', server, installation: ours }
      const perRequest = await medianOf(async () => {
        const load = { ...LOAD, port: server.port, requests: await getRequests({ paths: async () => paths }, served) }
        const [own, postgres] = [await server.cpuMicros(), ours.postgresMicros()]
        const { answered } = await client.load(load)
        return ((await server.cpuMicros()) - own + ours.postgresMicros() - postgres) / answered
      })
      costs.set(title, perRequest)
      say(`${title}, signed: ${micros(perRequest)}`)
    }
    const store = openStore({ connection: ours.connection, max: 1, withBreaker: false })
    try {
      for (const together of TOGETHER) {
        const perCall = await callCost(store, ours, market.appId, together)
        const shares = [...costs].map(([title, cost]) => `${((100 * perCall) / cost).toFixed(1)} % of "${title}"`)
        say(`A call in the log, ${together} in a second: ${micros(perCall)}: ${shares.join(', ')}`)
        if (together === MAX_PER_SECOND)
          say(`  so the log of one app takes at most ${((perCall * together) / 10_000).toFixed(2)} % of a core`)
      }
      const app = (await findApp(store, ours.app.key)) ?? fail('There is no app.')
      const secrets = await ours.sql<{ id: number }>('select id from app_secrets')
      const ids = secrets.map(({ id }) => id)
      say(
        `The last use of a key, once a minute: ${micros(await costOf(ours, TIMES, () => recordSecretUses(store, ids)))}`,
      )
      const latencies = () => receiverLatencies(store, app)
      if ((await latencies()).length === 0) fail('No receiver has answered.')
      say(`The percentiles of two receivers, once a page: ${micros(await costOf(ours, TIMES, latencies))}`)
    } finally {
      await store.close()
    }
    return 0
  })
}

/** Of one call, from its masked path to the committed row. */
async function callCost(store: Store, ours: Installation, appId: number, together: number): Promise<number> {
  const calls = openCallLog({ store, log: noLog, clock: () => new Date() })
  const params = new Set(['pagina'])
  const target = '/v3/consultas/ana@agencia.example/01JNG3Y4Z5A6B7C8D9E0F1G2H3?pagina=2'
  const cost = await costOf(ours, FLUSHES, async () => {
    for (let nth = 0; nth < together; nth++)
      calls.record({
        appId,
        adminMail: 'ana@agencia.example',
        metodo: 'GET',
        ruta: maskedTarget(target, params),
        portal: false,
        estado: 200,
        ms: 1.5,
      })
    await calls.flush()
  })
  await calls.stop()
  return cost / together
}

/** CPU of this process and PostgreSQL for each of `times`: the median of some rounds after a warm-up. */
function costOf(ours: Installation, times: number, work: () => Promise<unknown>): Promise<number> {
  return medianOf(async () => {
    const [own, postgres] = [process.cpuUsage(), ours.postgresMicros()]
    for (let nth = 0; nth < times; nth++) await work()
    const { user, system } = process.cpuUsage(own)
    return (user + system + ours.postgresMicros() - postgres) / times
  })
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  await measure()
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure())
  return median(rounds)
}

function micros(value: number): string {
  return `${value.toFixed(1)} µs`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(message: string): never {
  throw new Error(message)
}
