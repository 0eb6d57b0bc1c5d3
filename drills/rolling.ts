// npm run drill:rolling [-- --rounds 20] [-- --rate 300]
// Two API nodes and two workers are restarted one after another, again and again, behind HAProxy and then behind nginx,
// while partners and a site call them: no call may fail. Skipped without HAProxy or nginx.
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { type Answer, send } from '../tests/support/caller.ts'
import { findBalancers } from './balancers.ts'
import { openDatabase } from './database.ts'
import { drill } from './drill.ts'
import { openMarketplace } from './flood/marketplace.ts'
import { startCluster } from './instances.ts'
import { type LoadRequest, sendLoad, type Tally } from './load.ts'
import { openReceiver } from './receiver.ts'
import { eventsOf, reconcile } from './reconcile.ts'
import { type Behind, ROLLING } from './rolling/verdict.ts'
import { violationsOf } from './rules.ts'
import { mergeTallies } from './workload.ts'

/** Longer than two health checks of HAProxy; the default is 10. */
const DRAIN_SECONDS = 5
const CONNECTIONS = 64
/** More than a balancer gets calls: no two inquiries are of one person. */
const FAR = 10_000_000

await drill({ rounds: { standard: 20 }, rate: { standard: 300 } }, async ({ say, defer, number }) => {
  const { found, missing } = findBalancers()
  if (missing.length > 0) {
    say(`SKIPPED: ${missing.join(' and ')} cannot be found here (PATH, or the variables HAPROXY and NGINX).`)
    return 'skipped'
  }
  // PostgreSQL is not what fails here: commits that wait for a slow disk would fill the nodes' pools.
  const database = await openDatabase(defer, undefined, { fsync: 'off' })
  const cluster = await startCluster(defer, { database, env: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
  const nodes = [cluster.server, await cluster.open('server 2', { ROLE: 'api' })]
  const receiver = await openReceiver()
  defer(() => receiver.close())
  const market = await openMarketplace(cluster, receiver.url)
  const processes = [...nodes, ...cluster.workers]
  const sids = new Set<string>()
  const tallies: Tally[] = []
  const behind: Behind[] = []

  for (const [at, balancer] of found.entries()) {
    const url = await balancer.start(
      defer,
      nodes.map((node) => node.url),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    defer(() => agent.destroy())
    const { tally, ...load } = sendLoad((next) => requestTo(url, agent, at * FAR + next), number('rate'))
    let restarts = 0
    for (let round = 1; round <= number('rounds'); round++) {
      for (const each of processes) {
        await each.restart()
        restarts++
      }
      const newest = tally.serverErrors.at(-1) ?? tally.others.at(-1)
      const kinds = `${tally.broken} without an answer, ${tally.announced} with 503 and Retry-After`
      const shown = failuresOf(tally) > 0 ? ` (${kinds}${newest ? `, last: ${newest}` : ''})` : ''
      say(`${balancer.name}: round ${round}, ${tally.requests} calls, ${failuresOf(tally)} failed${shown}`)
    }
    await load.stop()
    const first = [...tally.serverErrors, ...tally.others][0] ?? (tally.broken ? 'no answer' : '503 with Retry-After')
    behind.push({ balancer: balancer.name, restarts, calls: tally.requests, failed: failuresOf(tally), first })
    tallies.push(tally)
  }

  const tally = mergeTallies(tallies.map((each) => ({ tally: each })))
  for (const event of await eventsOf(cluster.store, sids)) tally.acknowledged.add(event)
  const done = { faults: behind.reduce((sum, { restarts }) => sum + restarts, 0), crashes: cluster.crashes() }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, done)
  const expected = number('rounds') * processes.length
  return {
    rows: [
      ...behind.flatMap(({ balancer, restarts, calls, failed: lost }, at): [string, string | number][] => [
        [`${balancer}: restarts`, restarts],
        ['  calls', calls],
        ['  of them failed', lost],
        [
          '  longest answer, ms',
          (tallies[at]?.answers ?? []).reduce((most, { ms }) => Math.max(most, ms), 0).toFixed(0),
        ],
      ]),
      ...rows,
    ],
    failed: [...violationsOf(ROLLING, { behind, expected }), ...failed],
    held: 'No call failed.',
    sum,
  }

  /** A read, an inquiry with its key, and a signed write in turn. */
  function requestTo(url: string, agent: Agent, next: number): LoadRequest {
    if (next % 3 === 0) {
      const { path, ...read } = market.read(next)
      return { calling: send(url, path, { ...read, agent }), success: 200, acknowledge: () => undefined }
    }
    if (next % 3 === 1) {
      const { path, headers, ...consulta } = market.sendConsulta(next)
      const keyed = { ...headers, 'idempotency-key': randomUUID() }
      const acknowledge = ({ headers: { location } }: Answer) => void sids.add(location?.split('/').at(-1) ?? '')
      return { calling: send(url, path, { ...consulta, headers: keyed, agent }), success: 201, acknowledge }
    }
    const { path, ...write } = market.testEvent()
    const acknowledge: LoadRequest['acknowledge'] = ({ json }, counted) => void counted.acknowledged.add(json.Id)
    return { calling: send(url, path, { ...write, agent }), success: 202, acknowledge }
  }
})

/** Every call that was not answered with its success. */
function failuresOf({ broken, announced, serverErrors, others }: Tally): number {
  return broken + announced + serverErrors.length + others.length
}
