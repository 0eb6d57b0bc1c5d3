import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { consultaBody } from '../../drills/consulta-body.ts'
import { createSeal } from '../../src/store/sealed.ts'
import { ulid } from '../../src/ulid.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { loadMarket, type Market } from '../fixture.ts'
import type { Installation } from '../installation.ts'
import { type Entrant, measure, RATE, runRounds, type Usage } from '../rounds.ts'
import { type Bench, installationsOf, type Scenario } from '../scenario.ts'
import { type Helper, type ServerProcess, startHelper, withProcesses } from '../server-process.ts'
import { usualConfig, withUsualIndex } from '../usual.ts'

const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']
const SECRET = '96d0300081d644d3bdceae8fbfc77955'
const EVENTS = 5_000
/** The usual worker takes many times as long; what one delivery costs does not depend on how many there are. */
const USUAL_EVENTS = 2_000
const ARRIVAL_TIMEOUT_MS = 120_000
const POLL_MS = 20
/** About as long as an inquiry. */
const MESSAGE = 'Hola, quisiera saber si el auto sigue disponible y si aceptan un usado en parte de pago. '.repeat(12)

/** A receiver, and the webhooks of all installations pointing at it. */
export async function startReceiver(bench: Bench): Promise<Receiver> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  const receiver = await startHelper('./baselines/receiver.js', [String(port)])
  for (const installation of installationsOf(bench)) {
    const { appId } = await loadMarket(bench, installation)
    await installation.sql(
      `with changed as (
         update webhooks set callback = $2, sealed_secret = $3::bytea, updated_at = now()
         where app_id = $1::int and topic = any($4::text[]) returning topic
       )
       insert into webhooks (app_id, topic, callback, sealed_secret)
       select $1::int, topic, $2, $3::bytea from unnest($4::text[]) topic
       where topic not in (select topic from changed)`,
      [appId, url, createSeal(installation.masterKey).seal(SECRET, 'webhook'), TOPICS],
    )
  }
  return { ...receiver, arrivals: (count, send) => arrivals(receiver, count, send) }
}

interface Arrivals {
  first: number
  last: number
  took: number[]
}

interface Receiver extends Helper {
  /** Waits until that many distinct deliveries have arrived; fewer are a failure. */
  arrivals(count: number, send: () => Promise<unknown>): Promise<Arrivals>
}

async function arrivals(receiver: Helper, expected: number, send: () => Promise<unknown>): Promise<Arrivals> {
  await receiver.ask({ expected })
  const all = receiver.next<Arrivals>()
  await send()
  const arrived = await Promise.race([all, pause(ARRIVAL_TIMEOUT_MS, undefined, { ref: false })])
  if (arrived) return arrived
  throw new Error(
    `${await receiver.ask<number>('count')} of ${expected} deliveries arrived in ${ARRIVAL_TIMEOUT_MS} ms.`,
  )
}

/** Events in the outbox that wait for delivery. */
export async function writeBacklog({ sql }: Installation, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => ulid(Date.now()))
  await sql(
    `with app as (select min(id) as id from apps), given as (
       select id, ($2::text[])[nth % 4 + 1] as topic from unnest($1::text[]) with ordinality as given (id, nth)
     ), published as (
       insert into events (id, app_id, topic, payload)
       select given.id, app.id, topic, json_build_object('Id', given.id, 'Topic', topic, 'Version', 1, 'Mensaje', $3::text)
       from given, app)
     insert into deliveries (id, app_id, webhook_id)
     select given.id, app.id, w.id from app, given join webhooks w using (topic) where w.app_id = app.id`,
    [ids, TOPICS, MESSAGE],
  )
}

export async function untilNonePending({ sql }: Installation): Promise<void> {
  while ((await sql(`select from deliveries where estado = 'pendiente' limit 1`)).length > 0) await pause(POLL_MS)
}

const PAUSE = `update webhooks set paused_until = 'infinity'`
const RESUME = 'update webhooks set paused_until = null'

/** The rate counts from the first to the last arrival: how soon a worker notices the backlog does not matter. */
async function deliver(
  receiver: Receiver,
  installation: Installation,
  server: { cpuMicros(): Promise<number> },
  { count, send }: { count: number; send(): Promise<unknown> },
): Promise<Usage> {
  const meters = { server: server.cpuMicros, postgres: installation.postgresMicros, client: receiver.cpuMicros }
  const usage = await measure(meters, async () => {
    const { first, last } = await receiver.arrivals(count, send)
    return { count, elapsedMicros: (last - first) * 1000 }
  })
  await untilNonePending(installation)
  await installation.sql('vacuum analyze deliveries')
  return { ...usage, machineMicros: 0 } // it was measured for longer than from the first to the last
}

export const deliveriesBacklog: Scenario = {
  name: 'deliveries-backlog',
  title: 'Webhooks: a backlog delivered',
  run: (bench) =>
    withProcesses(async (started) => {
      const receiver = started(await startReceiver(bench))
      const entrants: Entrant[] = []
      for (const installation of installationsOf(bench)) {
        await installation.sql(PAUSE)
        entrants.push(oursOf(installation, receiver, started(await installation.start({}, 'any'))))
      }
      if (!bench.other) {
        const config = await usualConfig(bench.ours)
        const log = join(bench.ours.folder, 'usual-worker.log')
        const usual = started(await startHelper('./baselines/usual/worker.js', [config], 'any', log))
        entrants.push(usualOf(bench.ours, receiver, usual))
      }
      const { name, title } = deliveriesBacklog
      const options = { turns: 3, warmUp: { count: 2 * EVENTS, leastMs: 0, mostMs: 30_000 } }
      return { name, title, ratioOf: RATE, contenders: await runRounds(bench, name, entrants, options) }
    }).finally(async () => {
      for (const { sql } of installationsOf(bench)) await sql(RESUME)
    }),
}

const oursOf = (installation: Installation, receiver: Receiver, server: ServerProcess): Entrant => ({
  name: installation.name,
  async turn() {
    await writeBacklog(installation, EVENTS)
    const send = () => installation.sql(RESUME)
    const usage = await deliver(receiver, installation, server, { count: EVENTS, send })
    await installation.sql(PAUSE)
    return usage
  },
})

/** Our server is paused meanwhile. */
const usualOf = (installation: Installation, receiver: Receiver, usual: Helper): Entrant => ({
  name: 'usual',
  turn: () =>
    withUsualIndex(installation, 'deliveries', async () => {
      await writeBacklog(installation, USUAL_EVENTS)
      return deliver(receiver, installation, usual, { count: USUAL_EVENTS, send: () => usual.ask('deliver') })
    }),
})

const PER_SECOND = 100
const SECONDS = 5

/** Inquiries received at a steady rate, each delivered to the app's webhook. */
export const deliveries: Scenario = {
  name: 'deliveries',
  title: `Webhooks: from the inquiry sent to its delivery received, at ${PER_SECOND} per second`,
  run: (bench) =>
    withProcesses(async (started) => {
      const { name, title } = deliveries
      const receiver = started(await startReceiver(bench))
      const entrants: { name: string; columns: Record<'p50 ms' | 'p99 ms', number[]>; send(): Promise<void> }[] = []
      for (const installation of installationsOf(bench)) {
        const market = await loadMarket(bench, installation)
        const server = started(await installation.start({}, 'any'))
        const send = () => sendSteadily(server, market)
        entrants.push({ name: installation.name, columns: { 'p50 ms': [], 'p99 ms': [] }, send })
      }
      for (let round = 0; round <= bench.rounds; round++)
        for (const entrant of entrants) {
          const took = (await receiver.arrivals(PER_SECOND * SECONDS, entrant.send)).took.sort((a, b) => a - b)
          const percentile = (percent: number) => took[Math.floor(((took.length - 1) * percent) / 100)] ?? Number.NaN
          const [p50, p99] = [percentile(50), percentile(99)]
          bench.progress(`${name}  round ${round}/${bench.rounds}  ${entrant.name}  p50 ${p50.toFixed(1)} ms`)
          if (round === 0) continue // warm-up
          entrant.columns['p50 ms'].push(p50)
          entrant.columns['p99 ms'].push(p99)
        }
      return { name, title, ratioOf: 'p50 ms', contenders: entrants.map(({ name, columns }) => ({ name, columns })) }
    }),
}

const AT_A_TIME = 32
const CONSULTAS = 2_000

/** Inquiries received as fast as they are answered, until each has been delivered. */
export const inAndOut: Scenario = {
  name: 'in-and-out',
  title: `An inquiry received and delivered to a webhook, ${AT_A_TIME} at a time`,
  run: (bench) =>
    withProcesses(async (started) => {
      const receiver = started(await startReceiver(bench))
      const entrants: Entrant[] = []
      for (const installation of installationsOf(bench)) {
        const market = await loadMarket(bench, installation)
        const server = started(await installation.start({}, 'any'))
        const send = () => sendAtOnce(server, market, CONSULTAS)
        const turn = () => deliver(receiver, installation, server, { count: CONSULTAS, send })
        entrants.push({ name: installation.name, turn })
      }
      const { name, title } = inAndOut
      const options = { turns: 2, warmUp: { count: CONSULTAS, leastMs: 0, mostMs: 30_000 } }
      return { name, title, ratioOf: RATE, contenders: await runRounds(bench, name, entrants, options) }
    }),
}

export async function sendAtOnce({ port }: ServerProcess, market: Market, count: number): Promise<void> {
  let sent = 0
  const sender = async () => {
    while (sent < count) await sendConsulta(port, market, sent++)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, sender))
}

/** One inquiry every so often, whether or not the one before was answered. */
async function sendSteadily({ port }: ServerProcess, market: Market): Promise<void> {
  const began = performance.now()
  const sending: Promise<void>[] = []
  for (let at = 0; at < PER_SECOND * SECONDS; at++) {
    await pause(Math.max(0, began + (at * 1000) / PER_SECOND - performance.now()))
    sending.push(sendConsulta(port, market, at))
  }
  await Promise.all(sending)
}

async function sendConsulta(port: number, { publicaciones, sitioKey }: Market, at: number): Promise<void> {
  const sent = performance.timeOrigin + performance.now()
  const person = { Email: `${ulid(Date.now())}@correo.example`, Comentario: `enviado=${sent}` }
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/interno/v1/consultas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sitioKey}`, 'content-type': 'application/json' },
    body: consultaBody(publicaciones[at % publicaciones.length] as number, person),
  })
  const text = await body.text()
  if (statusCode !== 201) throw new Error(`POST /interno/v1/consultas answered ${statusCode}: ${text}`)
}
