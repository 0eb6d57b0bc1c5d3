import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import type { Prepared } from '../client/connection.ts'
import { type Client, startClient } from '../client/process.ts'
import { bearer } from '../credentials.ts'
import { setStage as setDeliveries } from '../deliveries/stage.ts'
import { listen, prepareInquiries, takeAway } from '../inquiries/intake.ts'
import { targetsOf } from '../inquiries/page.ts'
import { install } from '../installation.ts'
import { LISTINGS, uploads } from '../listings/rows.ts'
import { setStage as setListings } from '../listings/stage.ts'
import { type Asked, captureAnswers, prepareRequests } from '../requests.ts'
import type { Bench } from '../scenario.ts'
import { ciudadesBestmatch } from '../scenarios/ciudades.ts'
import { colores, coloresUnchanged } from '../scenarios/colores.ts'
import { LOG_OF_ALL } from '../scenarios/console.ts'
import { someInquiries } from '../scenarios/consultas.ts'
import { upload } from '../scenarios/publicaciones.ts'
import { type ServerProcess, startRodado } from '../server-process.ts'

/** A kind of work whose profile is taken, from the real server under the load of the bench. */
export interface Subject {
  name: string
  title: string
  profile(bench: Bench): Promise<Profiled>
}

/** A profile of our server, and what was done meanwhile. */
export interface Profiled {
  profile: Profiler.Profile
  /** Requests, rows or deliveries. */
  count: number
  /** The CPU time of PostgreSQL. */
  postgresMicros: number
}

const CONNECTIONS = 32
const SLICE_MS = 500
const WARM_UP_MS = 4_000
const PROFILED_MS = 4_000
const [WARM_UP_PASSES, PROFILED_PASSES] = [3, 3]
const WARM_UP_BACKLOGS = 3
const [WARM_UP_BACKLOG, BACKLOG] = [20_000, 40_000]
const [PER_TRANSACTION, WRITERS] = [50, 4]

/** What the issue of speed names, in the order of the table. */
export const SUBJECTS: Subject[] = [
  gets('list', 'colour list, signed', async () => colores.asked),
  gets('304', 'the same, 304', async () => coloresUnchanged.asked),
  gets('bestmatch', 'bestmatch', async () => ciudadesBestmatch.asked),
  gets('page', 'page of inquiries', async (bench) => ({ targets: targetsOf((await bench.market()).dealers) })),
  gets('inquiry', 'one inquiry', async (bench) => ({
    targets: await someInquiries(bench.installation, (await bench.market()).dealers),
  })),
  { name: 'intake', title: 'inquiry received', profile: profileIntake },
  { name: 'upload', title: 'listing uploaded', profile: profileUploads },
  gets('console', 'console page', async (bench) => ({
    targets: [LOG_OF_ALL],
    credential: 'none',
    forwarded: true,
    headers: { cookie: (await bench.log()).cookies.staff, accept: 'text/html' },
  })),
  { name: 'deliveries', title: 'backlog delivered', profile: profileBacklog },
]

function gets(
  name: string,
  title: string,
  asking: (bench: Bench) => Promise<Omit<Asked, 'name' | 'title' | 'target'>>,
): Subject {
  return {
    name,
    title,
    async profile(bench) {
      const asked: Asked = { target: 0, ...(await asking(bench)), name, title }
      return underLoad(bench, { TRUST_PROXY: '127.0.0.1' }, async ({ port }) => {
        const answers = await captureAnswers(asked, bench.installation, port)
        return () => prepareRequests(asked, answers, bench.installation, port)
      })
    },
  }
}

async function profileIntake(bench: Bench): Promise<Profiled> {
  const market = await bench.market()
  await listen(bench.installation, market.app)
  const prepare = async () => async () => prepareInquiries(market)
  return underLoad(bench, { ROLE: 'api' }, prepare).finally(() => takeAway(bench.installation, market.app))
}

/** Our server under requests that are made anew for each slice; while they are made it is idle, which does not count. */
async function underLoad(
  bench: Bench,
  environment: Record<string, string>,
  ready: (server: ServerProcess) => Promise<() => Promise<Prepared[]>>,
): Promise<Profiled> {
  return withServer(bench, environment, async (server) => {
    const client: Client = startClient()
    const loadFor = async (ms: number) => {
      let answered = 0
      for (let left = ms; left > 0; left -= SLICE_MS) {
        const order = { port: server.port, connections: CONNECTIONS, durationMs: SLICE_MS }
        answered += (await client.load({ ...order, requests: await prepare() })).answered
      }
      return answered
    }
    const prepare = await ready(server)
    try {
      await loadFor(WARM_UP_MS)
      return await profiled(server, bench.installation.postgresMicros, () => loadFor(PROFILED_MS))
    } finally {
      await client.stop()
    }
  })
}

/** Stock of 5,000, new, 500 listings at a time. */
async function profileUploads(bench: Bench): Promise<Profiled> {
  return withServer(bench, {}, async (server) => {
    const stage = await setListings(bench.installation)
    try {
      const token = (await bearer(bench.installation, server.port))('', 0)
      const bodies = uploads(0)
      const passes = async (times: number) => {
        for (let pass = 0; pass < times; pass++) {
          const { ours } = await stage.fresh()
          for (const body of bodies) await upload(server.port, ours, body, token)
        }
        return times * LISTINGS
      }
      await passes(WARM_UP_PASSES)
      return await profiled(server, bench.installation.postgresMicros, () => passes(PROFILED_PASSES))
    } finally {
      await stage.leave()
    }
  })
}

/** Its installation is its own, as in the bench: what is delivered is thrown away. */
async function profileBacklog(): Promise<Profiled> {
  const installation = await install()
  try {
    const stage = await setDeliveries(installation)
    const deliver = async (count: number) => {
      await stage.receiver.ask({ expected: count, timed: false })
      const last = stage.receiver.next()
      await stage.open()
      await last
      return count
    }
    const pileUp = async (count: number) => {
      await stage.shut()
      await stage.write(count, PER_TRANSACTION, WRITERS)
    }
    try {
      for (let turn = 0; turn < WARM_UP_BACKLOGS; turn++) {
        await pileUp(WARM_UP_BACKLOG)
        await deliver(WARM_UP_BACKLOG)
        await stage.settled()
      }
      await pileUp(BACKLOG)
      return await profiled(stage.rodado, stage.postgresMicros, () => deliver(BACKLOG))
    } finally {
      await stage.stop()
    }
  } finally {
    await installation.remove()
  }
}

/** PostgreSQL works on the client's core: on the server's, a profile would tell its time as that of whoever it interrupts. */
async function withServer(
  { installation }: Bench,
  environment: Record<string, string>,
  work: (server: ServerProcess) => Promise<Profiled>,
): Promise<Profiled> {
  installation.placePostgres('client')
  const log = join(installation.folder, 'rodado.log')
  const server = await startRodado({ ...installation.environment, ...environment }, log)
  try {
    return await work(server)
  } finally {
    await server.stop()
    installation.placePostgres('anywhere')
  }
}

async function profiled(server: ServerProcess, postgres: () => number, work: () => Promise<number>): Promise<Profiled> {
  await server.startProfile()
  const before = postgres()
  const count = await work()
  const postgresMicros = postgres() - before
  return { profile: await server.stopProfile(), count, postgresMicros }
}
