// npm run drill:flood [-- --seconds 60] [-- --times 10]
// Ten times as much as the server can do, for a minute: what is admitted is answered soon, the rest refused clearly,
// memory does not grow, and partners who behave are served while another floods.
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { createSitio } from '../src/sitios/store.ts'
import { type Answer, callerFor } from '../tests/support/caller.ts'
import { drill } from './drill.ts'
import { openHouse } from './house.ts'
import { isAnnounced } from './load.ts'

const HANDS = 50 // enough to keep the server busy
const CROWD = 200 // connections of the flood, each with several requests under way
const PIPELINED = 5
const MEASURE_S = 5
const POLITE_PER_SECOND = 20
const LONGEST_P99_MS = 3_000
const GROWTH_MIB = 60
const QUIET_MS = 3_000
const SAMPLE_MS = 500
const MIB = 1024 * 1024
const ASKED = '/v3/ciudades/bestmatch?state=Bs%20As&city=temperlei'

type Seen = Pick<Answer, 'status' | 'headers' | 'text'>

await drill({ seconds: { standard: 60 }, times: { standard: 10 } }, async ({ say, atEnd, number }) => {
  // As in production: an app may ask 50 times a second. The site speaks for everybody and may ask as much as it can.
  const house = await openHouse({ workers: 1, env: { RATE_PER_SECOND: '50000', RATE_BURST: '100000' } })
  atEnd(() => house.remove())
  const { sitioKey } = await createSitio(house.store, { nombre: 'Flood', modo: 'prueba' })
  const flooding = {
    url: `${house.server.url}/interno/v1/visitas`,
    method: 'POST' as const,
    headers: { authorization: `Bearer ${sitioKey}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ Aviso: 1, Cantidad: 1 }]),
  }
  await pause(QUIET_MS)
  const calm = await autocannon({ ...flooding, connections: HANDS, duration: MEASURE_S })
  const capacity = Math.round(calm['2xx'] / calm.duration)
  if (capacity === 0) throw new Error(`Nothing was served: ${JSON.stringify(calm.statusCodeStats)}`)
  const offered = capacity * number('times')
  // What a crowd of that size needs is taken once; what grows with time would be a leak.
  await autocannon({
    ...flooding,
    workers: 1,
    connections: CROWD,
    pipelining: PIPELINED,
    duration: MEASURE_S,
    overallRate: offered,
  })
  await pause(QUIET_MS)
  const rssBefore = await residentMib(house.server.pid())
  say(`capacity ${capacity} a second; now ${offered} a second are asked for, for ${number('seconds')} s …`)

  const polite = behave(house)
  const memory: number[] = []
  const sampling = setInterval(() => void residentMib(house.server.pid()).then((mib) => memory.push(mib)), SAMPLE_MS)
  const flood = await autocannon({
    ...flooding,
    // In a thread of its own: those who behave must not wait for the one who floods on our side.
    ...{ workers: 1, connections: CROWD, pipelining: PIPELINED, overallRate: offered },
    ...{ duration: number('seconds'), timeout: 30 },
  })
  clearInterval(sampling)
  const others = await polite.stop()
  await pause(QUIET_MS)
  const growth = quarter(memory, 4) - quarter(memory, 2)
  const again = await autocannon({ ...flooding, connections: HANDS, duration: MEASURE_S })

  const count = (status: number) => flood.statusCodeStats?.[`${status}`]?.count ?? 0
  const [refused, unavailable] = [count(429), count(503)]
  const wrong = flood['5xx'] - unavailable + others.wrong.length
  const failed: string[] = []
  if (flood.latency.p99 > LONGEST_P99_MS) failed.push(`p99 of what was answered is ${flood.latency.p99} ms`)
  if (others.p99 > LONGEST_P99_MS) failed.push(`p99 of those who behave is ${others.p99.toFixed(0)} ms`)
  if (others.wrong.length > 0) failed.push(`those who behave got ${others.wrong.slice(0, 3).join(', ')}`)
  if (wrong > 0) failed.push(`${wrong} answers were faults of the server`)
  if (flood.timeouts > 0) failed.push(`${flood.timeouts} requests were never answered`)
  if (growth > GROWTH_MIB) failed.push(`memory grew by ${growth.toFixed(0)} MiB`)
  if (again['2xx'] === 0) failed.push('nothing is served after the flood')
  return {
    rows: [
      ['capacity, requests a second', capacity],
      ['asked for in the flood', flood.requests.sent],
      ['  that is, times the capacity', (flood.requests.sent / flood.duration / capacity).toFixed(1)],
      ['  served', flood['2xx']],
      ['  refused with 429', refused],
      ['  refused with 503', unavailable],
      ['  never answered', flood.timeouts],
      ['p50 / p99 / longest of all answers, ms', `${flood.latency.p50} / ${flood.latency.p99} / ${flood.latency.max}`],
      ['served a second meanwhile', Math.round(flood['2xx'] / flood.duration)],
      ['those who behave: asked / served', `${others.asked} / ${others.served}`],
      ['  announced 503 or 429', others.announced],
      ['  p50 / p99, ms', `${others.p50.toFixed(0)} / ${others.p99.toFixed(0)}`],
      ['memory before / at most, MiB', `${rssBefore.toFixed(0)} / ${Math.max(...memory).toFixed(0)}`],
      ['memory, last quarter over second, MiB', growth.toFixed(0)],
      ['served a second afterwards', Math.round(again['2xx'] / again.duration)],
    ],
    failed,
    held: 'What was admitted was answered soon, the rest was refused, memory stayed.',
    sum: {
      requests: calm.requests.sent + flood.requests.sent + again.requests.sent + others.asked,
      ...{ faults: 1, committed: 0, received: 0, lost: 0 },
      ...{ announced: unavailable + others.announced, serverErrors: wrong },
    },
  }
})

/** A partner within every limit, who asks for something else at an even pace. */
function behave({ server, app }: Awaited<ReturnType<typeof openHouse>>) {
  const caller = callerFor(server.url, app.key, app.secret)
  // As clients do, it keeps its connections: new ones wait for seconds under a flood (docs/trust.md).
  const agent = new Agent({ keepAlive: true, maxSockets: POLITE_PER_SECOND })
  const times: number[] = []
  const wrong: string[] = []
  const under = new Set<Promise<void>>()
  let [asked, served, announced] = [0, 0, 0]
  const ask = async () => {
    const began = performance.now()
    const answer = await get(agent, server.url, caller.signed('GET', ASKED)).catch(() => undefined)
    times.push(performance.now() - began)
    if (answer?.status === 200) served++
    else if (answer && (isAnnounced(answer) || answer.status === 429)) announced++
    else wrong.push(answer ? `${answer.status} ${answer.text.slice(0, 100)}` : 'no answer')
  }
  const asking = setInterval(() => {
    asked++
    const one: Promise<void> = ask().finally(() => under.delete(one))
    under.add(one)
  }, 1_000 / POLITE_PER_SECOND)
  return {
    async stop() {
      clearInterval(asking)
      await Promise.all(under)
      agent.destroy()
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
      return { asked, served, announced, wrong, p50: at(0.5), p99: at(0.99) }
    },
  }
}

function get(agent: Agent, url: string, headers: Record<string, string>): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(ASKED, url), { agent, headers }, (response) => {
      const given = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, headers: given, text: body }), reject)
    })
    asking.on('error', reject).end()
  })
}

/** The mean of one quarter of the samples: what is still growing at the end grows without end. */
function quarter(samples: number[], which: number): number {
  const part = samples.slice(((which - 1) * samples.length) / 4, (which * samples.length) / 4)
  return part.reduce((sum, sample) => sum + sample, 0) / Math.max(1, part.length)
}

/** What a process has in memory now. */
async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / MIB
}
