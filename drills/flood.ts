// npm run drill:flood [-- --seconds 60] [-- --times 10]
// Sends ten times as many inquiries as the server can take for a minute, whether or not it answers: accepted ones are answered
// soon, stored and delivered; the rest is refused as specified; memory does not grow; and well-behaved callers are served.
// Then the same from several sites, which together use up the node's capacity: all of them get 503 now and then.

import { drill } from './drill.ts'
import { startClients } from './flood/client-pool.ts'
import { openMarketplace } from './flood/marketplace.ts'
import { settledMib, watchMemory } from './flood/memory.ts'
import { type Outcome, sumOf } from './flood/outcome.ts'
import { type PoliteResult, sendPolitely } from './flood/polite-client.ts'
import { type FloodReport, floodRows, floodViolations } from './flood/report.ts'
import { findConsultas, untilDelivered } from './flood/stored.ts'
import { type Memory, wasOffered } from './flood/verdict.ts'
import { startCluster } from './instances.ts'
import { openReceiver } from './receiver.ts'

const PROCESSES = 2
const CONNECTIONS = 100 // enough to keep the server busy
/**
 * Connections of the flood, each with up to four requests in flight. Node seems to poll 1,024 sockets at a time: with more
 * busy ones some are not served for seconds (docs/trust.md).
 */
const FLOOD_CONNECTIONS = 900
const WARM_S = 5
const MEASURE_S = 10
const READS_PER_SECOND = 20
const CONSULTAS_PER_SECOND = 10
/** A shorter flood does not show whether memory grows. */
const MIN_S = 5
/** The flood from several sites takes half as long as the one from a single site. */
const SEVERAL_SHARE = 1 / 2
/** The share of that flood that must be sent to use up the node's capacity. */
const SEVERAL_OFFERED = 1 / 2

await drill({ seconds: { standard: 60, from: MIN_S }, times: { standard: 10 } }, async ({ say, defer, number }) => {
  const receiver = await openReceiver()
  defer(() => receiver.close())
  // The limits of a site would refuse most requests; here only overload may.
  const env = {
    RATE_PER_SECOND: '50000',
    RATE_BURST: '1000000',
    LOG_LEVEL: 'info',
  }
  const cluster = await startCluster(defer, { workers: 1, env })
  const { url } = cluster.server
  const market = await openMarketplace(cluster, receiver.url)
  const clients = startClients(PROCESSES)
  defer(() => clients.stop())
  const outcomes: Outcome[] = []
  const [one = ''] = market.flooding
  /** Without `perSecond`, a hundred connections each send one request after another. */
  async function send(name: string, seconds: number, perSecond?: number, sitioKeys = [one]): Promise<Outcome> {
    const consultas = { sitioKeys, publicaciones: market.publicaciones, prefix: name }
    const connections = perSecond === undefined ? CONNECTIONS : FLOOD_CONNECTIONS
    const task = { port: Number(new URL(url).port), connections, seconds, consultas }
    const outcome = await clients.run({ ...task, ...(perSecond !== undefined && { perSecond }) })
    outcomes.push(outcome)
    return outcome
  }

  await send('first', WARM_S)
  const calm = await send('calm', MEASURE_S)
  const capacity = Math.round(calm.sids.length / calm.seconds)
  if (capacity === 0) throw new Error(`Nothing was served: ${calm.firstWrong}`)
  const offered = capacity * number('times')
  // Connections take their memory once; memory that grows with time is a leak. Garbage is collected only under load, so each
  // measurement follows some.
  const warm = await send('warm', MEASURE_S, offered)
  await send('rest', WARM_S)
  await untilDelivered(cluster.store)
  const before = await settledMib(cluster.server.pid())
  say(`capacity ${capacity} a second; now sending ${offered} a second for ${number('seconds')} s …`)

  const polite = [
    await sendPolitely(url, READS_PER_SECOND, market.read),
    await sendPolitely(url, CONSULTAS_PER_SECOND, market.sendConsulta),
  ]
  const watch = watchMemory(cluster.server.pid())
  const flood = await send('flood', number('seconds'), offered)
  const during = watch.end()
  const [readers, writers] = (await Promise.all(polite.map((each) => each.stop()))) as [PoliteResult, PoliteResult]
  say('waiting for pending deliveries …')
  const caughtUpMs = await untilDelivered(cluster.store)
  const again = await send('again', WARM_S)
  await untilDelivered(cluster.store)
  const floodMemory: Memory = { before, during, after: await settledMib(cluster.server.pid()) }
  say(`the same from ${market.flooding.length} sites at once …`)
  const bySeveral = offered * SEVERAL_OFFERED
  const severalS = Math.max(MIN_S, Math.ceil(number('seconds') * SEVERAL_SHARE))
  const watchAgain = watchMemory(cluster.server.pid())
  const several = await send('several', severalS, offered, market.flooding)
  const duringSeveral = watchAgain.end()
  await untilDelivered(cluster.store)
  await send('last', WARM_S)
  await untilDelivered(cluster.store)
  const severalMemory: Memory = { before, during: duringSeveral, after: await settledMib(cluster.server.pid()) }

  const all = sumOf(outcomes)
  const acknowledged = [...all.sids, ...writers.locations.map((each) => each.split('/').at(-1) ?? '')]
  const stored = await findConsultas(cluster.store, receiver, acknowledged)
  const report: FloodReport = {
    capacity,
    offered,
    bySeveral,
    calm,
    again,
    flood,
    floodMemory,
    several,
    severalMemory,
    stored,
    sites: market.flooding.length,
    polite: [
      {
        name: 'readers',
        label: 'a partner that reads',
        expected: READS_PER_SECOND * number('seconds'),
        result: readers,
      },
      {
        name: 'writers',
        label: 'another site that sends inquiries',
        expected: CONSULTAS_PER_SECOND * number('seconds'),
        result: writers,
      },
    ],
    acknowledged: acknowledged.length,
    caughtUpMs,
  }
  const floods =
    [warm, flood].filter((each) => wasOffered(each, offered)).length + Number(wasOffered(several, bySeveral))
  return {
    rows: floodRows(report),
    failed: [...floodViolations(report), ...cluster.crashes()],
    held: 'Accepted inquiries were answered soon, stored and delivered; the rest was refused as specified; memory did not grow.',
    sum: {
      requests: all.sent + readers.sent + writers.sent,
      faults: floods,
      committed: stored.committed,
      received: stored.received,
      lost: stored.lost + stored.missing + stored.withoutEvent,
      announced: all.refused[503] ?? 0,
      serverErrors: all.serverErrors,
    },
  }
})
