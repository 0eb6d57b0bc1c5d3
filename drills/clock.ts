// npm run drill:clock [-- --seconds 10]
// The clock of every instance jumps by hours and days, both ways, under load: callers whose clock agrees are served, others
// get 401, and nothing is lost, delivered twice or missing in the feed.
import { setTimeout as pause } from 'node:timers/promises'
import { callerFor } from '../tests/support/caller.ts'
import { CLOCK, type Jump } from './clock/verdict.ts'
import { drill } from './drill.ts'
import { type Cluster, startCluster } from './instances.ts'
import { startLoad } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

const HOUR_MS = 3_600_000
const JUMPS_H = [3, -3, 26, -48, 0.05, 0]
const TIMEOUT_MS = 15_000
const POLL_MS = 100

await drill({ seconds: { standard: 10 } }, async ({ say, defer, number }) => {
  const cluster = await startCluster(defer, { program: { movableClock: true } })
  const receiver = await openReceiver()
  defer(() => receiver.close())
  let movedMs = 0
  const clock = () => new Date(Date.now() + movedMs)
  const { tally, ...load } = await startLoad(cluster, receiver.url, { clock })
  const steady = callerFor(cluster.server.url, cluster.app.key, cluster.app.secret)
  const jumps: Jump[] = []
  await pause(number('seconds') * 1_000)

  for (const hours of JUMPS_H) {
    for (const instance of [cluster.server, ...cluster.workers]) await instance.moveClock(hours * HOUR_MS)
    movedMs = hours * HOUR_MS
    const before = tally.acknowledged.size
    await pause(number('seconds') * 1_000)
    const made = tally.acknowledged.size - before
    const { status, json } = await steady.get('/v3/colores')
    const answer = `${status} ${json.Extensions?.Codigo ?? ''}`
    say(`${String(hours).padStart(6)} h  ${made} events; a caller at the previous time gets ${answer}`)
    jumps.push({ hours, made, answer })
  }
  await load.stop()
  // The clocks of partner and server do not jump at the same instant: 401 is right in between.
  const others = tally.others.filter((answer) => !/^401 .*La fecha firmada/s.test(answer))
  const between = tally.others.length - others.length
  tally.others = others
  const done = { faults: jumps.length, crashes: cluster.crashes() }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, done)
  const repeated = [...receiver.times.values()].filter((times) => times > 1).length
  const feed = await readFeed(cluster, tally.acknowledged.size)
  const missing = [...tally.acknowledged].filter((id) => !feed.includes(id)).length
  const doubled = feed.length - new Set(feed).size
  const seen = { jumps, requests: tally.requests, between, repeated, feed: feed.length, doubled, missing }
  return {
    rows: [
      ['clock jumps', jumps.length],
      ['refused between two clocks', between],
      ['events in the feed', feed.length],
      ['acknowledged and not in the feed', missing],
      ...rows,
    ],
    failed: [...violationsOf(CLOCK, seen), ...failed],
    held: 'Nothing was lost, repeated or missing in the feed.',
    sum: { ...sum, lost: sum.lost + missing },
  }
})

/** Reads the feed page by page, as a partner does. */
async function readFeed({ server, app }: Cluster, expected: number): Promise<string[]> {
  const caller = callerFor(server.url, app.key, app.secret)
  const ids: string[] = []
  const deadline = performance.now() + TIMEOUT_MS
  for (let next = '/v3/eventos'; performance.now() < deadline; ) {
    const { json } = await caller.get(next)
    ids.push(...json._entries.map(({ Id }: { Id: string }) => Id))
    next = json._links.next.href
    if (json._entries.length > 0) continue
    if (ids.length >= expected) break
    await pause(POLL_MS)
  }
  return ids
}
