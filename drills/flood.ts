// npm run drill:flood [-- --seconds 60] [-- --times 10]
// Ten times as many inquiries as the server can take, for a minute, whether or not it answers: those it takes are answered
// soon, kept and told; the rest is refused as promised; memory does not grow; and whoever behaves is served meanwhile. Then
// from several sites at once, which together take all places: everybody is refused with 503 now and then, and as promised.

import { startCluster } from './cluster.ts'
import { drill } from './drill.ts'
import { startClients } from './flood/client-pool.ts'
import { openMarketplace } from './flood/marketplace.ts'
import { settledMib, watchMemory } from './flood/memory.ts'
import { type Outcome, quantile, sumOf } from './flood/outcome.ts'
import { type PoliteResult, sendPolitely } from './flood/polite-client.ts'
import { findInquiries, STORED, untilDelivered } from './flood/stored.ts'
import { ASKED, FLOODED, grownWithin, MEMORY, type Memory, POLITE, RECOVERY, wasOffered } from './flood/verdict.ts'
import { openReceiver } from './receiver.ts'
import { violationsOf } from './rules.ts'

const PROCESSES = 2
const HANDS = 100 // enough to keep the server busy
/**
 * Connections of the flood, each with up to four requests: 3,600 under way at once. Node seems to look at 1,024 at a
 * time: where more than that have something to say, some are not heard for seconds (docs/trust.md).
 */
const CROWD = 900
const WARM_S = 5
const MEASURE_S = 10
const READS_PER_SECOND = 20
const INQUIRIES_PER_SECOND = 10
/** What is shorter does not show whether memory grows. */
const LEAST_S = 5
/** As long as the flood by one site, in which others are served, is the one by several, in which anybody is refused. */
const SEVERAL_SHARE = 1 / 2
/** Of what is asked for by several sites, as much as must leave the clients to take all places. */
const SEVERAL_OFFERED = 1 / 2

await drill({ seconds: { standard: 60, from: LEAST_S }, times: { standard: 10 } }, async ({ say, defer, number }) => {
  const receiver = await openReceiver()
  defer(() => receiver.close())
  // The limits of a site would refuse most, and here nothing but the overload may.
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
  const asked: Outcome[] = []
  const [one = ''] = market.flooding
  /** Without `perSecond` a hundred hands ask one after the other. */
  async function ask(deps: string, seconds: number, perSecond?: number, sitioKeys = [one]): Promise<Outcome> {
    const inquiries = { sitioKeys, avisos: market.avisos, deps }
    const connections = perSecond === undefined ? HANDS : CROWD
    const order = { port: Number(new URL(url).port), connections, seconds, inquiries }
    const outcome = await clients.ask({ ...order, ...(perSecond !== undefined && { perSecond }) })
    asked.push(outcome)
    return outcome
  }

  await ask('first', WARM_S)
  const calm = await ask('calm', MEASURE_S)
  const capacity = Math.round(calm.sids.length / calm.seconds)
  if (capacity === 0) throw new Error(`Nothing was served: ${calm.firstWrong}`)
  const offered = capacity * number('times')
  // What a crowd of that size needs is taken once; what grows with time would be a leak. What is no longer used is collected
  // when there is something to do, so memory is looked at after a while of it, every time.
  const warm = await ask('warm', MEASURE_S, offered)
  await ask('rest', WARM_S)
  await untilDelivered(cluster.store)
  const before = await settledMib(cluster.server.pid())
  say(`capacity ${capacity} a second; now ${offered} a second are asked for, for ${number('seconds')} s …`)

  const polite = [
    await sendPolitely(url, READS_PER_SECOND, market.read),
    await sendPolitely(url, INQUIRIES_PER_SECOND, market.inquire),
  ]
  const watch = watchMemory(cluster.server.pid())
  const flood = await ask('flood', number('seconds'), offered)
  const during = watch.end()
  const [readers, writers] = (await Promise.all(polite.map((each) => each.stop()))) as [PoliteResult, PoliteResult]
  say('waiting for what is still to be told …')
  const waitedMs = await untilDelivered(cluster.store)
  const again = await ask('again', WARM_S)
  await untilDelivered(cluster.store)
  const byOne: Memory = { before, during, after: await settledMib(cluster.server.pid()) }
  say(`the same from ${market.flooding.length} sites at once …`)
  const bySeveral = offered * SEVERAL_OFFERED
  const severalS = Math.max(LEAST_S, Math.ceil(number('seconds') * SEVERAL_SHARE))
  const watchAgain = watchMemory(cluster.server.pid())
  const several = await ask('several', severalS, offered, market.flooding)
  const duringSeveral = watchAgain.end()
  await untilDelivered(cluster.store)
  await ask('last', WARM_S)
  await untilDelivered(cluster.store)
  const ofSeveral: Memory = { before, during: duringSeveral, after: await settledMib(cluster.server.pid()) }

  const all = sumOf(asked)
  const acknowledged = [...all.sids, ...writers.locations.map((each) => each.split('/').at(-1) ?? '')]
  const kept = await findInquiries(cluster.store, receiver, acknowledged)
  // What the machine could do before and after: the lesser is what it surely had meanwhile.
  const recovered = again.sids.length / again.seconds
  const meant = { offered, capacity: Math.min(capacity, recovered) }
  const of = (name: string, faults: string[]) => faults.map((words) => `${name}: ${words}`)
  const failed = [
    ...violationsOf(STORED, kept),
    ...of('before the flood', violationsOf(ASKED, calm)),
    ...of('in the flood', violationsOf(FLOODED, { ...flood, ...meant, refusedWith: 429 })),
    ...of('in the flood', violationsOf(MEMORY, byOne)),
    ...of('after the flood', violationsOf(ASKED, again)),
    ...violationsOf(RECOVERY, { before: capacity, after: recovered }),
    ...of('from several sites', violationsOf(FLOODED, { ...several, ...meant, offered: bySeveral, refusedWith: 503 })),
    ...of('from several sites', violationsOf(MEMORY, ofSeveral)),
    ...violationsOf(POLITE, { ...readers, name: 'readers', meant: READS_PER_SECOND * number('seconds') }),
    ...violationsOf(POLITE, { ...writers, name: 'writers', meant: INQUIRIES_PER_SECOND * number('seconds') }),
    ...cluster.crashes(),
  ]
  const floods =
    [warm, flood].filter((each) => wasOffered(each, offered)).length + Number(wasOffered(several, bySeveral))
  const perSecond = ({ sent, seconds }: Outcome) => Math.round(sent / seconds)
  const told = (counts: number[]) => [0.5, 0.99, 1].map((share) => quantile(counts, share) ?? '–').join(' / ')
  return {
    rows: [
      ['capacity: inquiries taken a second, asked for one after the other', capacity],
      ['  p50 / p99 / longest, ms', told(calm.servedMs)],
      ['asked for in the flood', flood.sent],
      ['  that is, a second', perSecond(flood)],
      ['  that is, times the capacity', (perSecond(flood) / capacity).toFixed(1)],
      ['taken (201)', flood.sids.length],
      ['  a second', Math.round(flood.sids.length / flood.seconds)],
      ['  that is, of the capacity, %', Math.round((100 * flood.sids.length) / flood.seconds / capacity)],
      ['  p50 / p99 / longest, ms', told(flood.servedMs)],
      ['refused with 429, as promised', flood.refused[429] ?? 0],
      ['refused with 503, as promised', flood.refused[503] ?? 0],
      ['  p50 / p99 / longest, ms', told(flood.refusedMs)],
      ['any other answer', flood.wrong],
      ['never answered', flood.broken + flood.unanswered],
      ...politeRows('a partner who reads', readers),
      ...politeRows('another site with inquiries', writers),
      ...memoryRows('memory', byOne),
      ['taken a second afterwards', Math.round(again.sids.length / again.seconds)],
      [`from ${market.flooding.length} sites at once: asked for / taken`, `${several.sent} / ${several.sids.length}`],
      ['  p50 / p99 / longest of those taken, ms', told(several.servedMs)],
      ['  refused with 429 / with 503, as promised', `${several.refused[429] ?? 0} / ${several.refused[503] ?? 0}`],
      ...memoryRows('  memory', ofSeveral),
      ['inquiries acknowledged (201)', acknowledged.length],
      ['  of them not in the store / without an event', `${kept.missing} / ${kept.untold}`],
      ['inquiries in the store', kept.inquiries],
      ['events committed', kept.committed],
      ['events received', kept.received],
      ['  caught up after the flood in, s', (waitedMs / 1_000).toFixed(1)],
      ['committed but not received', kept.lost],
      ['received but not committed', kept.unknown],
      [
        'letters written / still to be carried / given up',
        `${kept.emails} / ${kept.emailsPending} / ${kept.emailsFailed}`,
      ],
    ],
    failed,
    held: 'What was taken was answered soon, kept and told; the rest was refused as promised; memory stayed.',
    sum: {
      requests: all.sent + readers.asked + writers.asked,
      faults: floods,
      committed: kept.committed,
      received: kept.received,
      lost: kept.lost + kept.missing + kept.untold,
      announced: all.refused[503] ?? 0,
      serverErrors: all.serverErrors,
    },
  }
})

function politeRows(name: string, { asked, served, refused, p50, p99 }: PoliteResult): [string, string | number][] {
  return [
    [`${name}: asked / served / refused`, `${asked} / ${served} / ${refused}`],
    ['  p50 / p99, ms', `${p50?.toFixed(0) ?? '–'} / ${p99?.toFixed(0) ?? '–'}`],
  ]
}

function memoryRows(name: string, memory: Memory): [string, string][] {
  const { before, during, after } = memory
  return [
    [
      `${name} before / most / after, MiB`,
      [before, Math.max(...during), after].map((mib) => mib.toFixed(0)).join(' / '),
    ],
    [`${name} in the last quarter over the second, MiB`, grownWithin(memory).toFixed(0)],
  ]
}
