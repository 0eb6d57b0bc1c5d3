// npm run drill:cluster [-- --rounds 20]
// Three PostgreSQL under Patroni with etcd; one API node and one worker reach them through HAProxy, another of each by the names
// of all three. Under load the leader is killed, frozen or cut off, another takes over, and the old one returns: no acknowledged
// request may be lost, and no connection stays with a former leader. Skipped where the programs cannot be run.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { callerFor } from '../tests/support/caller.ts'
import {
  findClusterPrograms,
  isHealthy,
  leaderOf,
  type Member,
  type Node,
  openPatroni,
  type PatroniCluster,
  within,
} from './cluster/patroni.ts'
import { CLUSTER, KINDS, type Kind, type Lost } from './cluster/verdict.ts'
import { drill } from './drill.ts'
import { startCluster } from './instances.ts'
import { registerWebhooks, sendLoad, type Tally, TOPICS } from './load.ts'
import { openReceiver } from './receiver.ts'
import { reconcile } from './reconcile.ts'
import { violationsOf } from './rules.ts'

/** So few that those waiting for a lost leader stay below an app’s share of the requests in progress (429). */
const PER_SECOND = 20
const ELECTION_MS = 120_000
const RETURN_MS = 180_000
/** How long the former leader accepts writes beside the new one, before its Patroni goes on and stops it. */
const BOTH_MS = 3_000
const AFTER_MS = 2_000
/** An acknowledged write shortly before the fault begins the time without writes. */
const BEFORE_MS = 1_000

await drill({ rounds: { standard: 20, from: KINDS.length } }, async ({ say, defer, number }) => {
  const programs = await findClusterPrograms()
  if ('missing' in programs) {
    say(`SKIPPED: these cannot be run here: ${programs.missing.join(', ')}. See docs/many-nodes.md.`)
    return 'skipped'
  }
  say('etcd, Patroni and PostgreSQL start …')
  const patroni = await openPatroni(defer, programs)
  const { urls, nodes } = patroni
  const database = { url: urls.haproxy, connection: { connectionString: urls.hosts } }
  const cluster = await startCluster(defer, { database, workers: 1 })
  const byName = { DATABASE_URL: urls.hosts }
  const servers = [cluster.server, await cluster.open('server 2', { ROLE: 'api', ...byName })]
  await cluster.open('worker 2', { ROLE: 'worker', ...byName })
  const receiver = await openReceiver()
  defer(() => receiver.close())

  const callers = servers.map(({ url }) => callerFor(url, cluster.app.key, cluster.app.secret))
  const [first] = callers
  if (!first) throw new Error('There is no server.')
  await registerWebhooks(first, receiver.url)
  const { tally, ...load } = sendLoad((next) => {
    const path = `/v3/appnotificaciones/${TOPICS[next % TOPICS.length]}/prueba`
    const caller = callers[next % callers.length] ?? first
    return {
      calling: caller.call('POST', path),
      success: 202,
      acknowledge: ({ json }) => tally.acknowledged.add(json.Id),
    }
  }, PER_SECOND)
  await pause(AFTER_MS)

  const begins = timelineOf(await patroni.members())
  const lost: Lost[] = []
  for (let round = 0; round < number('rounds'); round++) {
    const kind = KINDS[round % KINDS.length] as Kind
    const result = await lose(kind, patroni, nodes, tally)
    lost.push(result)
    const seconds = (result.withoutWritesMs / 1_000).toFixed(1)
    say(`${String(round + 1).padStart(3)}  leader ${kind.padEnd(8)}  ${seconds} s without writes`)
  }
  const ends = timelineOf(await patroni.members())
  await load.stop()

  const done = { faults: lost.length, crashes: cluster.crashes() }
  const { rows, failed, sum } = await reconcile(cluster.store, tally, receiver, done)
  const seen = {
    lost,
    expected: number('rounds'),
    timelines: [begins, ends] as const,
    acknowledged: tally.acknowledged.size,
  }
  return {
    rows: [
      ...KINDS.map((kind): [string, string] => [`leader ${kind}: times, s without writes`, summary(lost, kind)]),
      ['timeline at first / at last', `${begins} / ${ends}`],
      ['connections left on a former leader', lost.reduce((total, { strays }) => total + strays, 0)],
      ...rows,
    ],
    failed: [...violationsOf(CLUSTER, seen), ...failed],
    held: 'No acknowledged request was lost, and no node stayed with a former leader.',
    sum,
  }
})

/** Takes the leader away, waits for another, and lets the old one return. */
async function lose(kind: Kind, patroni: PatroniCluster, nodes: readonly Node[], tally: Tally): Promise<Lost> {
  const name = leaderOf(await patroni.members())?.name
  const leader = nodes.find((node) => node.name === name)
  if (!leader) throw new Error('There is no leader to lose.')
  const began = performance.now()
  if (kind === 'killed') await leader.kill()
  else if (kind === 'frozen') leader.freeze()
  else leader.cutOff()
  await within(ELECTION_MS, 'another node leads', async () => {
    const now = leaderOf(await patroni.members())
    return now !== undefined && now.name !== name
  })
  await within(ELECTION_MS, 'writes are acknowledged again', async () => hasSuccess(tally, began + BEFORE_MS))

  let strays = 0
  if (kind === 'killed') await leader.start()
  else if (kind === 'cut off') leader.restore()
  else {
    leader.resumePostgres()
    await pause(BOTH_MS)
    strays = await countConnections(leader)
    leader.resumePatroni()
  }
  await within(RETURN_MS, 'the old leader follows the new one', async () => isHealthy(await patroni.members())).catch(
    async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await patroni.members())}\n${leader.said()}`)
    },
  )
  await pause(AFTER_MS)
  return { kind, strays, withoutWritesMs: longestGap(tally, began - BEFORE_MS) }
}

function hasSuccess({ answers }: Tally, since: number): boolean {
  return answers.some(({ at, ms, status }) => status === 202 && at - ms > since)
}

/** The longest time between two acknowledged writes since then. */
function longestGap({ answers }: Tally, since: number): number {
  const times = answers.filter(({ at, status }) => at > since && status === 202).map(({ at }) => at)
  const gaps = times.slice(1).map((at, before) => at - (times[before] ?? at))
  return gaps.length > 0 ? Math.max(...gaps) : Number.NaN
}

/**
 * Connections of our processes, except those that search for the leader and are closed at once. A statement that was sent to the
 * frozen server runs when it goes on and may wait for its standby, though its client has long cut the connection: that one is
 * not counted.
 */
async function countConnections({ port, isOpen }: Node): Promise<number> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'rodado', database: 'rodado', ssl: false })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ port: number }>(`
      select client_port as port from pg_stat_activity
      where application_name like 'rodado%' and application_name <> 'rodado probe'`)
    return rows.filter((each) => isOpen(each.port)).length
  } finally {
    await client.end().catch(() => undefined)
  }
}

function timelineOf(members: readonly Member[]): number {
  return leaderOf(members)?.timeline ?? Number.NaN
}

/** How often, and the least, middle and most seconds without writes. */
function summary(lost: readonly Lost[], kind: Kind): string {
  const all = lost.filter((each) => each.kind === kind).map(({ withoutWritesMs }) => withoutWritesMs)
  const sorted = all.toSorted((a, b) => a - b)
  const shown = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  return `${all.length}: ${shown.map((ms = Number.NaN) => (ms / 1_000).toFixed(1)).join(' / ')}`
}
