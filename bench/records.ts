// npm run bench:records [-- --rows N]
// What the log of calls, the last use of keys and the percentiles of receivers cost, beside the requests that they belong to:
// microseconds of CPU of the server (or this process) and PostgreSQL together. `rows` are inquiries and deliveries.
// A request is measured at the rates up to which all calls are listed, and at full load, where few of them are.
import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../drills/cleanup.ts'
import { CROWDED, FLUSH_SECONDS, MAX_PER_SECOND, MAX_STORED, openCallLog } from '../src/apps/call-log.ts'
import { recordSecretUses } from '../src/apps/secrets.ts'
import { findApp } from '../src/apps/store.ts'
import { agencyIn, maskedTarget } from '../src/record-calls.ts'
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
const PACED_ROUNDS = 3
const PACED_SECONDS = 6
const TICKS_PER_SECOND = 50
/** All these calls are listed: fifty a second of each app, up to a thousand of a node. */
const RATES = [
  { perSecond: MAX_PER_SECOND, apps: 1 },
  { perSecond: CROWDED / FLUSH_SECONDS, apps: 20 },
]
const FLUSHES = 100
const MAX_ATTEMPTS = 10
const RECOVERY_MS = 2_000
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
    const [list, one, page] = [['/v3/colores'], await onePaths(bench, ours), await pagePaths(bench, ours)]
    const requests: [title: string, paths: string[]][] = [
      ['Colour list', list],
      ['One inquiry', one],
      ['Page of 25 inquiries', page],
    ]
    const served = { name: 'ours', server, installation: ours }
    const used = async () => (await server.cpuMicros()) + ours.postgresMicros()
    const store = openStore({ connection: ours.connection, max: 1, withBreaker: false })
    try {
      for (const [title, paths] of requests) {
        const load = { ...LOAD, port: server.port, requests: await getRequests({ paths: async () => paths }, served) }
        const atFullLoad = await medianOf(() =>
          unlessRefused(async () => {
            const before = await used()
            const { answered } = await client.load(load)
            return ((await used()) - before) / answered
          }),
        )
        say(`${title}, signed: ${micros(atFullLoad)} at full load`)
        for (const { perSecond, apps } of RATES) {
          const perTick = perSecond / TICKS_PER_SECOND
          const paced = await pacedCost(used, perTick, (tick) => {
            const requests = cycle(load.requests, tick * perTick, perTick)
            return unlessRefused(() => client.load({ ...load, connections: 1, once: true, requests }))
          })
          const calls = Math.min(perSecond * FLUSH_SECONDS, MAX_STORED)
          const stored = await callCost(store, ours, paths[0] ?? '', { calls, apps })
          const share = ((100 * stored) / paced).toFixed(1)
          say(`  at ${perSecond} a second: ${micros(paced)}, its call in the log ${micros(stored)}: ${share} %`)
        }
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

/** Of one call, from its masked path to the committed row, where so many of some apps are stored together. */
async function callCost(
  store: Store,
  ours: Installation,
  target: string,
  together: { calls: number; apps: number },
): Promise<number> {
  const cost = await costOf(ours, FLUSHES, async () => {
    // One for each flush, because it takes no more of an app until its time is over.
    const calls = openCallLog({ store, log: noLog, clock: () => new Date() })
    for (let nth = 0; nth < together.calls; nth++)
      calls.record(1 + (nth % together.apps), () => ({
        adminMail: agencyIn(target),
        metodo: 'GET',
        ruta: maskedTarget(target, new Set()),
        portal: false,
        estado: 200,
        ms: 1.5,
      }))
    await calls.stop()
  })
  return cost / together.calls
}

/** On a busy machine the server may refuse requests (503) for a while: what it measures is then measured again. */
async function unlessRefused<T>(measure: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await measure()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !/answered 503/.test((error as Error).message)) throw error
      await setTimeout(RECOVERY_MS)
    }
  }
}

/** So many requests from this one on; after the last comes the first. */
function cycle<T>(requests: readonly T[], from: number, count: number): T[] {
  return Array.from({ length: count }, (_, nth) => requests[(from + nth) % requests.length] as T)
}

/** CPU of a request where so many are sent in each tick, without what the server uses while nobody sends any. */
async function pacedCost(
  used: () => Promise<number>,
  perTick: number,
  send: (tick: number) => Promise<unknown>,
): Promise<number> {
  const ticks = PACED_SECONDS * TICKS_PER_SECOND
  const during = async (work: (tick: number) => Promise<unknown>) => {
    const before = await used()
    const began = performance.now()
    for (let nth = 0; nth < ticks; nth++) {
      await work(nth)
      await setTimeout(Math.max(0, began + ((nth + 1) * 1_000) / TICKS_PER_SECOND - performance.now()))
    }
    return (await used()) - before
  }
  const rounds: number[] = []
  for (let round = 0; round < PACED_ROUNDS; round++)
    rounds.push(((await during(send)) - (await during(async () => undefined))) / (ticks * perTick))
  return median(rounds)
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
